// Indices that leave their array in some turn of the loops around them, whatever the data are. What
// is said holds whenever the place is reached: only loops count whose bounds are constants and in
// all of whose turns it is, as none ends it early, and indices that are sums of what these count
// and of constants.
#include "sema/warn/state.h"

#include "tir/constant.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/shape.h"

// The loops in all of whose turns a place is reached, from the inside out.
typedef struct Counted {
    const TirVar *var;
    int64_t least, most, step; // of the variable; of the loop
    const struct Counted *outer;
} Counted;

enum { TERMS = 4, FAR = 1 << 20 };

typedef struct Sum {
    int64_t constant;
    size_t count;
    struct {
        const TirVar *var;
        int64_t factor;
    } terms[TERMS];
} Sum;

typedef struct Search {
    Checker *checker;
    const Counted *around;
    const TirUses *uses;
    Sum **values;            // by id: of what loops count, and of scalars that have one value here
    LIST_OF(uint32_t) known; // their ids
    bool is_chosen;          // the expression at hand is one of the values of a `select`
} Search;

static bool is_near(int64_t number) {
    return number > -FAR && number < FAR;
}

static bool add_term(Sum *sum, const TirVar *var, int64_t factor) {
    size_t k = 0;
    while (k < sum->count && sum->terms[k].var != var) {
        k++;
    }
    if (k == TERMS) {
        return false;
    }
    sum->terms[k].var = var;
    sum->terms[k].factor = factor + (k < sum->count ? sum->terms[k].factor : 0);
    sum->count += k == sum->count;
    return is_near(sum->terms[k].factor);
}

// Adds `factor` times a scalar; false where it is no such sum. What wraps on the way is outside all
// the same: 2^32 away from an index that is.
static bool add_scalar(const Search *search, Sum *sum, const TirExpr *expr, int64_t factor) {
    int64_t number;
    if (expr->type->rank > 0 || !is_near(factor)) {
        return false;
    }
    if (constant_integer(&search->checker->tir, expr, &number)) {
        sum->constant += is_near(number) ? factor * number : 0;
        return is_near(number);
    }
    if (expr->kind == EXPR_CONVERT) {
        return expr->operand->type->root != ROOT_REAL &&
               add_scalar(search, sum, expr->operand, factor);
    }
    if (expr->kind == EXPR_VAR) {
        const Sum *value = tir_var_is_global(expr->var) ? NULL : search->values[expr->var->id];
        bool ok = value != NULL;
        for (size_t k = 0; ok && k < value->count; k++) {
            ok = add_term(sum, value->terms[k].var, factor * value->terms[k].factor);
        }
        sum->constant += ok ? factor * value->constant : 0;
        return ok;
    }
    if (expr->kind != EXPR_MAP) {
        return false;
    }
    TirExpr *const *args = expr->map.args;
    switch ((int)expr->map.op) {
    case OP_ADD:
        return add_scalar(search, sum, args[0], factor) && add_scalar(search, sum, args[1], factor);
    case OP_SUB:
        return add_scalar(search, sum, args[0], factor) &&
               add_scalar(search, sum, args[1], -factor);
    case OP_NEG: return add_scalar(search, sum, args[0], -factor);
    case OP_MUL: {
        bool is_left = constant_integer(&search->checker->tir, args[0], &number);
        return (is_left || constant_integer(&search->checker->tir, args[1], &number)) &&
               is_near(number) && add_scalar(search, sum, args[is_left], factor * number);
    }
    }
    return false;
}

static const Counted *counted_of(const Search *search, const TirVar *var) {
    const Counted *counted = search->around;
    while (counted != NULL && counted->var != var) {
        counted = counted->outer;
    }
    return counted;
}

// What it is at least and at most; false where one of its terms does not take all of its values
// here.
static bool range_of(const Search *search, const Sum *sum, int64_t *least, int64_t *most) {
    *least = *most = sum->constant;
    for (size_t k = 0; k < sum->count; k++) {
        const Counted *counted = counted_of(search, sum->terms[k].var);
        if (counted == NULL) {
            return false;
        }
        int64_t factor = sum->terms[k].factor;
        *least += factor * (factor < 0 ? counted->most : counted->least);
        *most += factor * (factor < 0 ? counted->least : counted->most);
    }
    return *least >= INT32_MIN && *most <= INT32_MAX;
}

// The range of the one loop that decides, in which the index is inside.
static void help_with_loop(Diag *diag, const Search *search, const Sum *sum, uint32_t length) {
    const Counted *counted = counted_of(search, sum->terms[0].var);
    if (sum->count != 1 || sum->terms[0].factor != 1 || counted->step != 1 ||
        counted->var->name == NULL) {
        return;
    }
    int64_t first = -sum->constant > counted->least ? -sum->constant : counted->least;
    int64_t behind =
        length - sum->constant <= counted->most ? length - sum->constant : counted->most + 1;
    if (first < behind) {
        diag_help(diag, "it is inside for `%s = %lld:%lld`", counted->var->name->text,
                  (long long)first, (long long)behind);
    }
}

static void label_counted(const Search *search, Diag *diag, const Sum *sum) {
    for (size_t k = 0; k < sum->count; k++) {
        const Counted *counted = counted_of(search, sum->terms[k].var);
        if (counted->var->name != NULL) {
            diag_label(diag, counted->var->span, "`%s` is %lld to %lld", counted->var->name->text,
                       (long long)counted->least, (long long)counted->most);
        }
    }
}

static void tell(const Search *search, Span span, const Sum *sum, int64_t outside, size_t dim,
                 uint32_t length) {
    const char *reaches = sum->count == 0 ? "is" : outside < 0 ? "goes down to" : "goes up to";
    Diag *diag = warn_at(search->checker, WARNING_OUT_OF_BOUNDS, span,
                         "this index %s %lld, outside dimension %zu of length %u", reaches,
                         (long long)outside, dim, length);
    label_counted(search, diag, sum);
    if (outside == length) {
        diag_note(diag, "indices count from 0, so the last one is %u", length - 1);
    }
    if (search->is_chosen) {
        diag_help(diag, "`select` evaluates both of its values; an `if` with a statement in it "
                        "evaluates one");
    } else if (sum->count > 0) {
        help_with_loop(diag, search, sum, length);
    }
}

// `x[(i - 3) % 8]` along dim `d`: below 0 where `i - 3` is.
static void check_remainder(const Search *search, const TirAxis *axis, size_t d, uint32_t length) {
    const TirExpr *index = tir_bottom(axis->index);
    Sum sum = {0};
    int64_t by, least, most;
    if (index->kind != EXPR_MAP || index->map.op != OP_REM || index->type->root != ROOT_INT ||
        !constant_integer(&search->checker->tir, index->map.args[1], &by) || by > length ||
        !add_scalar(search, &sum, index->map.args[0], 1) || sum.count == 0 ||
        !range_of(search, &sum, &least, &most) || least >= 0 || least <= -by) {
        return;
    }
    Diag *diag = warn_at(search->checker, WARNING_OUT_OF_BOUNDS, axis->span,
                         "this index goes down to %lld, outside dimension %zu of length %u",
                         (long long)least, d, length);
    label_counted(search, diag, &sum);
    Name name = counted_of(search, sum.terms[0].var)->var->name;
    int64_t ahead = sum.constant + by;
    ahead += ahead > 0 ? 0 : (-ahead / by + 1) * by;
    if (sum.count > 1 || sum.terms[0].factor != 1 || name == NULL) {
        diag_note(diag, "a remainder has the sign of what stands before `%%`");
    } else {
        diag_help(diag,
                  "a remainder has the sign of what stands before `%%`; `(%s + %lld) %% %lld` is "
                  "inside",
                  name->text, (long long)ahead, (long long)by);
    }
}

static void check_axes(const Search *search, const TirExpr *view) {
    const Type *type = view->view.operand->type;
    for (size_t d = 0; d < type->flat_rank; d++) {
        const TirAxis *axis = &view->view.axes[d];
        Sum sum = {0};
        int64_t least, most, outside;
        if (axis->index != NULL && !axis->unchecked) {
            check_remainder(search, axis, d, type->dims[d]);
        }
        if (axis->index != NULL && !axis->unchecked && add_scalar(search, &sum, axis->index, 1) &&
            range_of(search, &sum, &least, &most) &&
            shape_is_outside(type->dims[d], least, most, &outside)) {
            tell(search, axis->span, &sum, outside, d, type->dims[d]);
        }
    }
}

static void search_expr(const TirExpr *expr, void *data) {
    Search *search = data;
    if (expr->kind == EXPR_VIEW) {
        check_axes(search, expr);
    }
    if (tir_is_short_circuit(expr)) {
        search_expr(expr->map.args[0], data); // the other may not be reached
        return;
    }
    bool was_chosen = search->is_chosen;
    search->is_chosen = was_chosen || (expr->kind == EXPR_MAP && expr->map.op == OP_SELECT);
    tir_read_operands(expr, search_expr, data);
    search->is_chosen = was_chosen;
}

static void know(Search *search, const TirVar *var, const Sum *sum) {
    Sum *value = ARENA_NEW(search->checker->arena, Sum);
    *value = *sum;
    search->values[var->id] = value;
    LIST_PUSH(search->checker->arena, &search->known, var->id);
}

static void forget(Search *search, size_t mark) {
    while (search->known.count > mark) {
        search->values[search->known.items[--search->known.count]] = NULL;
    }
}

// `k = i + 1`, of a variable that nothing else writes.
static void note_value(Search *search, const TirStmt *stmt) {
    if (!tir_sets_whole(stmt)) {
        return;
    }
    const TirVar *var = stmt->set.place->var;
    Sum sum = {0};
    if (tir_var_is_local(var) && search->uses[var->id].writes == 1 &&
        search->uses[var->id].updates == 0 && add_scalar(search, &sum, stmt->set.value, 1) &&
        is_near(sum.constant)) {
        know(search, var, &sum);
    }
}

// Whether a `continue` in it may skip what follows in the turn.
static bool search_block(Search *search, const TirBlock *block, const Counted *around);

// Of what is called it is known whether it may assert something.
static bool is_end(TirStmt *stmt, void *unused) {
    (void)unused;
    return stmt->kind == STMT_RETURN || stmt->kind == STMT_ASSERT ||
           (stmt->kind == STMT_CALL && stmt->call.function->has_effects);
}

static void search_for(Search *search, TirStmt *loop, const Counted *around) {
    TirBlock *body = &loop->for_loop.body;
    ConstantTurns turns;
    if (!constant_turns(&search->checker->tir, loop, &turns) || turns.count == 0 ||
        !is_near(turns.first) || !is_near(turns.last) || tir_block_jumps(body, STMT_BREAK) ||
        tir_any_stmt(body, is_end, NULL)) {
        search_block(search, body, NULL);
        return;
    }
    int64_t end = turns.first + (turns.count - 1) * turns.step;
    bool is_down = turns.step < 0;
    const Counted counted = {.var = loop->for_loop.var,
                             .least = is_down ? end : turns.first,
                             .most = is_down ? turns.first : end,
                             .step = turns.step,
                             .outer = around};
    size_t mark = search->known.count;
    know(search, counted.var, &(Sum){.count = 1, .terms = {{counted.var, 1}}});
    search_block(search, body, &counted);
    forget(search, mark);
}

static bool search_block(Search *search, const TirBlock *block, const Counted *around) {
    size_t mark = search->known.count;
    bool continues = false;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        search->around = continues ? NULL : around;
        tir_read_exprs(stmt, search_expr, search);
        note_value(search, stmt);
        if (stmt->kind == STMT_FOR) {
            search_for(search, stmt, search->around);
            continue;
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            bool is_skipped = search_block(search, nested[k], NULL);
            continues = continues || (is_skipped && stmt->kind != STMT_WHILE);
        }
        continues = continues || stmt->kind == STMT_CONTINUE;
    }
    forget(search, mark);
    return continues;
}

void warn_bounds(Checker *checker, const TirFunction *function) {
    if (!warn_is_wanted(checker) || warn_in_failing_test(checker) ||
        checker->context->diags->error_count > 0) {
        return;
    }
    Search search = {.checker = checker,
                     .uses = tir_count_uses(checker->arena, function),
                     .values = ARENA_ARRAY(checker->arena, Sum *, function->vars.count)};
    search_block(&search, &function->body, NULL);
}
