// What the constants among the arguments of a function must be (L18.4). The comment above it says
// so:
//
//     needs: xs ascends
//     needs: q within 0 to 1
//     needs: ddof below x          the length of the rows of x
#include "sema/library/library.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/print.h"
#include "tir/scalar.h"

#include <stdio.h>
#include <string.h>

typedef struct Need {
    const LibraryRow *row;
    const char *param;
    const TirExpr *value;
    const TirScalar *known; // of which the constant is
} Need;

static const char *number_text(Checker *checker, const Need *need, double number) {
    if (need->value->type->root != ROOT_REAL) {
        return arena_format(checker->arena, "%.0f", number);
    }
    Buffer text = {0};
    tir_print_real(&text, number);
    const char *copy = arena_copy_text(checker->arena, text.data, text.len);
    buffer_free(&text);
    return copy;
}

static double number_at(const Need *need, uint32_t k) {
    return scalar_as_real(need->known[k], need->value->type->root);
}

static bool ascends(Checker *checker, const Need *need) {
    for (uint32_t k = 1; k < need->value->type->numel; k++) {
        double before = number_at(need, k - 1);
        double here = number_at(need, k);
        if (!(before <= here)) {
            return check_refuse(checker, DIAG_E0508, need->value->span,
                                "`%s` of `%s` must ascend: at %u, %s stands behind %s", need->param,
                                need->row->name, k, number_text(checker, need, here),
                                number_text(checker, need, before));
        }
    }
    return true;
}

static bool is_within(Checker *checker, const Need *need, double least, double most) {
    for (uint32_t k = 0; k < need->value->type->numel; k++) {
        double here = number_at(need, k);
        if (!(here >= least && here <= most)) {
            return check_refuse(checker, DIAG_E0508, need->value->span,
                                "`%s` of `%s` is within %g and %g, not %s", need->param,
                                need->row->name, least, most, number_text(checker, need, here));
        }
    }
    return true;
}

static bool is_below(Checker *checker, const Need *need, const TirExpr *rows) {
    double here = number_at(need, 0);
    uint32_t length = rows->type->dims[rows->type->flat_rank - 1];
    return here < length ||
           check_refuse(checker, DIAG_E0508, need->value->span,
                        "`%s` of `%s` is less than the %u elements there are, not %s", need->param,
                        need->row->name, length, number_text(checker, need, here));
}

static const TirExpr *find_argument(const FunctionDecl *decl, const Arguments *arguments,
                                    const char *name) {
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        if (strcmp(decl->ast->function.params[k].name.name->text, name) == 0) {
            return arguments->values[k];
        }
    }
    return NULL;
}

static bool is_met(Checker *checker, const Arguments *arguments, const FunctionDecl *decl,
                   Need *need, const char *rule) {
    char other[32];
    double least, most;
    need->value = find_argument(decl, arguments, need->param);
    if (need->value == NULL || !type_is_numeric(need->value->type) ||
        (need->known = constant_values(&checker->tir, need->value)) == NULL) {
        return true;
    }
    if (strncmp(rule, "ascends", strlen("ascends")) == 0) {
        return ascends(checker, need);
    }
    if (sscanf(rule, "within %lf to %lf", &least, &most) == 2) {
        return is_within(checker, need, least, most);
    }
    CHECK(sscanf(rule, "below %31s", other) == 1);
    const TirExpr *rows = find_argument(decl, arguments, other);
    return rows == NULL || !type_is_tensor(rows->type) || is_below(checker, need, rows);
}

bool library_needs(Checker *checker, const LibraryRow *row, const FunctionDecl *decl,
                   const Arguments *arguments) {
    static const char word[] = "needs: ";
    for (const char *at = strstr(row->about, word); at != NULL; at = strstr(at, word)) {
        at += strlen(word);
        size_t len = strcspn(at, " ");
        Need need = {.row = row, .param = arena_copy_text(checker->arena, at, len)};
        if (!is_met(checker, arguments, decl, &need, at + len + 1)) {
            return false;
        }
    }
    return true;
}
