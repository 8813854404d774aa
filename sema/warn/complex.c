// What works element by element on complex numbers, which are pairs, where other languages have a
// function of the numbers: `abs(fft(z))`, `fft(a) * fft(b)`. Only what is written so, and a
// variable with no other value, is known to be complex.
#include "sema/warn/state.h"

#include "sema/explain.h"

#include <string.h>

// Whether the text is a call of the function and nothing more.
static bool is_call_of(Slice text, const char *function) {
    size_t len = strlen(function);
    if (text.len <= len || memcmp(text.data, function, len) != 0 || text.data[len] != '(') {
        return false;
    }
    int depth = 0;
    size_t at = len;
    do {
        depth += (text.data[at] == '(') - (text.data[at] == ')');
        at++;
    } while (at < text.len && depth > 0);
    return depth == 0 && at == text.len;
}

// The line that gives the variable that a name stands for its only value so far, behind the `=`;
// empty when there is none.
static Slice value_of(const Checker *checker, Slice text) {
    Name name = names_intern(checker->context->names, text.data, text.len);
    const Symbol *symbol = scope_find(checker->at.scope, name);
    if (symbol == NULL || symbol->kind != SYMBOL_VAR || symbol->assigned ||
        symbol->origin != ORIGIN_VALUE) {
        return (Slice){"", 0};
    }
    SourcePlace place = sources_place(checker->context->sources, symbol->span.end);
    const char *value = place.file->text + place.offset;
    value += strspn(value, " =");
    size_t len = strcspn(value, "\r\n#");
    while (len > 0 && value[len - 1] == ' ') {
        len--;
    }
    return (Slice){value, len};
}

static bool is_complex(const Checker *checker, Span span) {
    static const char *const functions[] = {"fft", "ifft", "rfft", "cmul"};
    Slice text = warn_text(checker, span);
    if (text.len > 0 && memchr(text.data, '(', text.len) == NULL) {
        text = value_of(checker, text);
    }
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        Name name = names_intern_text(checker->context->names, functions[k]);
        if (is_call_of(text, functions[k])) {
            return scope_find_function(checker->at.scope, name) == NULL;
        }
    }
    return false;
}

void warn_parts(Checker *checker, const char *function, const AstExpr *call) {
    bool is_abs = strcmp(function, "abs") == 0;
    if (!warn_is_wanted(checker) || (!is_abs && strcmp(function, "exp") != 0) ||
        !is_complex(checker, call->call.args.items[0]->span)) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_COMPLEX_PARTS, call->call.callee->span,
                         "`%s` is that of each part of a complex number", function);
    diag_note(diag, is_abs ? "`cabs(z)` is the magnitude of a complex number"
                           : "`cexp(z)` is the exponential function of a complex number");
}

void warn_parts_product(Checker *checker, const Operation *operation) {
    Span left = operation->left->span;
    Span right = operation->right->span;
    Slice a = warn_text(checker, left);
    Slice b = warn_text(checker, right);
    bool is_square = a.len == b.len && memcmp(a.data, b.data, a.len) == 0; // the sum of squares
    if (!is_square && is_complex(checker, left) && is_complex(checker, right)) {
        Diag *diag = warn_at(checker, WARNING_COMPLEX_PARTS, operation->op_span,
                             "`*` multiplies each part of complex numbers by itself");
        diag_note(diag, "`cmul(a, b)` is the product of complex numbers");
    }
}
