// TIR as text. The notation is explained in docs/tir.md, and golden tests hold it. Reads any valid
// TIR, before and after the passes: storage is printed where it has been planned. The text is for
// people and tests; nothing reads it back.
#include "tir/print.h"

#include "support/bug.h"
#include "support/memory.h"
#include "tir/visit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INDENT = 2,
    CONSTANT_LIMIT = 64, // longer constants are cut
    CONSTANT_SHOWN = 8,
};

typedef struct Printer {
    Buffer *out;
    const bool *shadows; // by variable id: an earlier variable has this name; NULL: none has
    size_t indent;
} Printer;

static void print_expr(Printer *printer, const TirExpr *expr);

static void print_var(Printer *printer, const TirVar *var) {
    if (var->name == NULL) {
        buffer_format(printer->out, "%%%u", (unsigned)var->id);
        return;
    }
    if (tir_var_is_global(var)) {
        buffer_format(printer->out, "@%s", tir_var_space(var));
    }
    buffer_text(printer->out, var->name->text);
    if (!tir_var_is_global(var) && printer->shadows != NULL && printer->shadows[var->id]) {
        buffer_format(printer->out, ".%u", (unsigned)var->id);
    }
}

// Constants.

void tir_print_real(Buffer *out, double value) {
    if (!isfinite(value)) {
        buffer_text(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    char text[64];
    int digits = 0;
    do {
        digits++;
        snprintf(text, sizeof(text), "%.*e", digits - 1, value);
    } while (strtod(text, NULL) != value);
    int exponent = atoi(strchr(text, 'e') + 1);
    if (value == 0 || (fabs(value) >= 1e-4 && fabs(value) < 1e16)) {
        int decimals = digits - 1 - exponent;
        snprintf(text, sizeof(text), "%.*f", decimals < 1 ? 1 : decimals, value);
    }
    buffer_text(out, text);
}

static void print_scalar(Buffer *out, const TirScalar *scalar, Root root) {
    switch (root) {
    case ROOT_BOOL: buffer_text(out, scalar->boolean ? "true" : "false"); return;
    case ROOT_UINT: buffer_format(out, "%uu", (unsigned)scalar->uint); return;
    case ROOT_INT: buffer_format(out, "%d", (int)scalar->integer); return;
    case ROOT_REAL: tir_print_real(out, scalar->real); return;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// The scalars of a tensor in TML's own brackets: one pair per level, `;` and `|` within it.
static void print_levels(Buffer *out, const Type *type, const TirScalar *data) {
    if (type_is_scalar(type)) {
        print_scalar(out, data, type->root);
        return;
    }
    uint32_t stride = type->base->numel;
    uint32_t count = type->numel / stride;
    uint32_t row = type->dims[type->rank - 1];
    uint32_t page = type->rank >= 2 ? row * type->dims[type->rank - 2] : count;
    buffer_text(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            buffer_text(out, i % page == 0 ? " | " : i % row == 0 ? "; " : ", ");
        }
        print_levels(out, type->base, &data[(size_t)i * stride]);
    }
    buffer_text(out, "]");
}

static void print_const(Buffer *out, const TirExpr *expr) {
    const Type *type = expr->type;
    if (type->numel <= CONSTANT_LIMIT) {
        print_levels(out, type, expr->data);
        return;
    }
    type_print(out, type);
    buffer_text(out, "[");
    for (size_t i = 0; i < CONSTANT_SHOWN; i++) {
        print_scalar(out, &expr->data[i], type->root);
        buffer_text(out, ", ");
    }
    buffer_text(out, "...]");
}

// Expressions.

static void print_operand(Printer *printer, const TirExpr *expr);

static void print_quoted(Buffer *out, Slice text) {
    buffer_text(out, "\"");
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '"' || c == '\\') {
            buffer_format(out, "\\%c", c);
        } else if (c == '\n') {
            buffer_text(out, "\\n");
        } else if ((unsigned char)c < ' ') {
            buffer_format(out, "\\x%02X", (unsigned)c);
        } else {
            buffer_append(out, &c, 1);
        }
    }
    buffer_text(out, "\"");
}

// Prints a text in which these stand for one argument each: %e an expression, %o one that shows its
// extent, %v a variable, %t a type, %q a Slice in quotes, %s a text, %u an unsigned number.
static void print(Printer *printer, const char *format, ...) {
    Buffer *out = printer->out;
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at != '\0'; at++) {
        if (*at != '%') {
            buffer_append(out, at, 1);
            continue;
        }
        switch (*++at) {
        case 'e': print_expr(printer, va_arg(arguments, const TirExpr *)); break;
        case 'o': print_operand(printer, va_arg(arguments, const TirExpr *)); break;
        case 'v': print_var(printer, va_arg(arguments, const TirVar *)); break;
        case 't': type_print(out, va_arg(arguments, const Type *)); break;
        case 'q': print_quoted(out, va_arg(arguments, Slice)); break;
        case 's': buffer_text(out, va_arg(arguments, const char *)); break;
        case 'u': buffer_format(out, "%u", va_arg(arguments, unsigned)); break;
        default: UNREACHABLE();
        }
    }
    va_end(arguments);
}

// The infix form of an operation; NULL when it is written as a function.
static const char *infix_text(TirOp op) {
    static const char *const texts[] = {
        [OP_ADD] = "+",     [OP_SUB] = "-",  [OP_MUL] = "*",     [OP_DIV] = "/",
        [OP_REM] = "%",     [OP_POW] = "**", [OP_EQ] = "==",     [OP_NE] = "!=",
        [OP_LT] = "<",      [OP_LE] = "<=",  [OP_GT] = ">",      [OP_GE] = ">=",
        [OP_AND] = "and",   [OP_OR] = "or",  [OP_BIT_AND] = "&", [OP_BIT_OR] = "|",
        [OP_BIT_XOR] = "^", [OP_SHL] = "<<", [OP_SHR] = ">>",
        [OP_ERFC] = NULL, // the last one, so that every operation has an entry
    };
    return texts[op];
}

static bool is_infix(const TirExpr *expr) {
    return expr->kind == EXPR_DOT || (expr->kind == EXPR_MAP && infix_text(expr->map.op) != NULL);
}

// Parentheses instead of precedence: every operation inside another shows its extent.
static void print_operand(Printer *printer, const TirExpr *expr) {
    print(printer, is_infix(expr) ? "(%e)" : "%e", expr);
}

static void print_items(Printer *printer, TirExpr *const *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        print(printer, i > 0 ? ", %e" : "%e", items[i]);
    }
}

static void print_axis(Printer *printer, const TirAxis *axis) {
    if (axis->index != NULL) {
        print(printer, axis->unchecked ? "%e" : "check %e", axis->index);
        return;
    }
    if (axis->axis < 0) {
        buffer_format(printer->out, "%lld", (long long)axis->start);
        return;
    }
    if (axis->step == -1) {
        buffer_text(printer->out, "-");
    } else if (axis->step != 1) {
        buffer_format(printer->out, "%lld*", (long long)axis->step);
    }
    buffer_format(printer->out, "i%d", (int)axis->axis);
    if (axis->start != 0) {
        buffer_format(printer->out, " %c %lld", axis->start < 0 ? '-' : '+',
                      (long long)llabs(axis->start));
    }
}

static void print_view(Printer *printer, const TirExpr *expr) {
    const TirExpr *operand = expr->view.operand;
    if (operand->type->flat_rank == 0) {
        print(printer, "fill(%e)", operand);
        return;
    }
    print(printer, "%o[", operand);
    for (size_t i = 0; i < operand->type->flat_rank; i++) {
        buffer_text(printer->out, i > 0 ? ", " : "");
        print_axis(printer, &expr->view.axes[i]);
    }
    buffer_text(printer->out, "]");
}

static void print_reduce(Printer *printer, const TirExpr *expr) {
    unsigned first = expr->reduce.axis;
    unsigned count = expr->reduce.axis_count;
    print(printer, "%s(%e", tir_reduction_text(expr->reduce.op), expr->reduce.operand);
    if (count < expr->reduce.operand->type->flat_rank) {
        print(printer, count == 1 ? ", axis %u" : ", axes %u to %u", first, first + count - 1);
    }
    print(printer, ")");
}

static void print_map(Printer *printer, const TirExpr *expr) {
    TirOp op = expr->map.op;
    if (infix_text(op) != NULL) {
        print(printer, "%o %s %o", expr->map.args[0], infix_text(op), expr->map.args[1]);
    } else if (op == OP_NEG || op == OP_NOT) {
        print(printer, op == OP_NEG ? "-%o" : "not %o", expr->map.args[0]);
    } else {
        print(printer, "%s(", tir_op_text(op));
        print_items(printer, expr->map.args, tir_op_arity(op));
        print(printer, ")");
    }
}

static void print_expr(Printer *printer, const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_CONST: print_const(printer->out, expr); return;
    case EXPR_VAR: print(printer, "%v", expr->var); return;
    case EXPR_MAP: print_map(printer, expr); return;
    case EXPR_CONVERT: print(printer, "%s(%e)", root_text(expr->type->root), expr->operand); return;
    case EXPR_VIEW: print_view(printer, expr); return;
    case EXPR_RESHAPE: print(printer, "reshape<%t>(%e)", expr->type, expr->operand); return;
    case EXPR_CUMSUM: print(printer, "cumsum(%e)", expr->operand); return;
    case EXPR_LITERAL:
        print(printer, expr->type->flat_rank > 1 ? "%t[" : "[", expr->type);
        print_items(printer, expr->literal.items, expr->literal.count);
        print(printer, "]");
        return;
    case EXPR_CONCAT:
        print(printer, "concat(axis %u: ", (unsigned)expr->concat.axis);
        print_items(printer, expr->concat.items, expr->concat.count);
        print(printer, ")");
        return;
    case EXPR_REDUCE: print_reduce(printer, expr); return;
    case EXPR_DOT: print(printer, "%o .* %o", expr->dot.left, expr->dot.right); return;
    case EXPR_IOTA: print(printer, "iota(%u)", (unsigned)expr->type->numel); return;
    }
    UNREACHABLE();
}

// Statements.

static void begin_line(Printer *printer) {
    buffer_repeat(printer->out, ' ', INDENT * printer->indent);
}

static void print_target(Printer *printer, const TirVar *var) {
    print(printer, var->role == VAR_TEMP ? "%v: %t = " : "%v = ", var, var->type);
}

// Of an input or output: a port or hardware.
static void print_source(Printer *printer, Slice port, const TirHardware *at) {
    if (at->io == NULL) {
        print(printer, "%q", port);
        return;
    }
    buffer_format(printer->out, "0x%" PRIx64 " at ", at->io->address);
    print(printer, "%e", at->position);
    if (at->step != 1) {
        buffer_format(printer->out, ", step %" PRId64, at->step);
    }
}

static void print_block(Printer *printer, const TirBlock *block);

static void print_set(Printer *printer, const TirStmt *stmt) {
    if (stmt->set.place->kind == EXPR_VAR) {
        print_target(printer, stmt->set.place->var);
        print(printer, "%e", stmt->set.value);
    } else {
        print(printer, "%e = %e", stmt->set.place, stmt->set.value);
    }
}

static void print_call(Printer *printer, const TirStmt *stmt) {
    const TirVars *results = &stmt->call.results;
    for (size_t i = 0; i < results->count; i++) {
        const TirVar *var = results->items[i];
        print(printer, i > 0 ? ", %v" : "%v", var);
        if (var->role == VAR_TEMP) {
            print(printer, ": %t", var->type);
        }
    }
    const TirFunction *callee = stmt->call.function;
    const TirDerivative *derivative = stmt->call.derivative;
    static const char *const kinds[] = {"jacobian ", "gradient ", "derivative "};
    print(printer, results->count > 0 ? " = %scall %s(" : "%scall %s(",
          derivative == NULL ? "" : kinds[derivative->kind], callee->symbol);
    for (size_t i = 0; i < stmt->call.arg_count; i++) {
        print(printer, i > 0 ? ", " : "");
        print(printer, callee->params[i]->role == VAR_INOUT ? "var %e" : "%e", stmt->call.args[i]);
    }
    print(printer, ")");
    for (size_t i = 0; derivative != NULL && i < derivative->by_count; i++) {
        print(printer, i == 0 ? " by %u" : ", %u", (unsigned)derivative->by[i]);
    }
    if (derivative != NULL && derivative->along != NULL) {
        print(printer, " along %e", derivative->along);
    }
}

static void end_block(Printer *printer, const TirBlock *block) {
    print_block(printer, block);
    begin_line(printer);
    print(printer, "end");
}

static void print_if(Printer *printer, const TirStmt *stmt) {
    const TirBlock *last = &stmt->branch.then;
    print(printer, "if %e:\n", stmt->branch.condition);
    if (stmt->branch.otherwise.count > 0) {
        print_block(printer, last);
        begin_line(printer);
        print(printer, "else:\n");
        last = &stmt->branch.otherwise;
    }
    end_block(printer, last);
}

static void print_while(Printer *printer, const TirStmt *stmt) {
    if (stmt->while_loop.before.count > 0) {
        print(printer, "before:\n");
        print_block(printer, &stmt->while_loop.before);
        begin_line(printer);
    }
    print(printer, "while %e:\n", stmt->while_loop.condition);
    end_block(printer, &stmt->while_loop.body);
}

static void print_values(Printer *printer, const TirStmt *stmt) {
    print(printer, "print ");
    for (size_t i = 0; i < stmt->print.count; i++) {
        const TirPrintItem *item = &stmt->print.items[i];
        print(printer, i > 0 ? ", " : "");
        if (item->value != NULL) {
            print(printer, "%e", item->value);
        } else {
            print(printer, "%q", item->text);
        }
    }
}

static void print_assertion(Printer *printer, const TirStmt *stmt) {
    print(printer, "assert %e, %q", stmt->assertion.condition, stmt->assertion.text);
    for (size_t i = 0; i < stmt->assertion.note_count; i++) {
        const TirPrintItem *note = &stmt->assertion.notes[i];
        print(printer, ", %q: %e", note->text, note->value);
    }
}

static void print_stmt(Printer *printer, const TirStmt *stmt) {
    begin_line(printer);
    switch (stmt->kind) {
    case STMT_SET: print_set(printer, stmt); break;
    case STMT_NEST:
        print(printer, "nest:\n");
        end_block(printer, &stmt->nest);
        break;
    case STMT_CALL: print_call(printer, stmt); break;
    case STMT_IF: print_if(printer, stmt); break;
    case STMT_FOR:
        print(printer, "for %v = %o:%o:%o", stmt->for_loop.var, stmt->for_loop.first,
              stmt->for_loop.last, stmt->for_loop.step);
        print(printer, stmt->for_loop.has_lanes ? ", side by side" : "");
        print(printer, stmt->for_loop.of_tables ? " with tables in registers" : "");
        print(printer, stmt->for_loop.of_rows ? " with rows turned" : "");
        print(printer, stmt->for_loop.in_order ? ", carried in order:\n" : ":\n");
        end_block(printer, &stmt->for_loop.body);
        break;
    case STMT_WHILE: print_while(printer, stmt); break;
    case STMT_BREAK: print(printer, "break"); break;
    case STMT_CONTINUE: print(printer, "continue"); break;
    case STMT_RETURN: print(printer, "return"); break;
    case STMT_PRINT: print_values(printer, stmt); break;
    case STMT_INPUT:
        print_target(printer, stmt->input.var);
        print(printer, "input ");
        print_source(printer, stmt->input.name, &stmt->input.at);
        break;
    case STMT_OUTPUT:
        print(printer, "output ");
        print_source(printer, stmt->output.name, &stmt->output.at);
        print(printer, ", %e", stmt->output.value);
        break;
    case STMT_ASSERT: print_assertion(printer, stmt); break;
    }
    print(printer, "\n");
}

static void print_block(Printer *printer, const TirBlock *block) {
    printer->indent++;
    for (size_t i = 0; i < block->count; i++) {
        print_stmt(printer, block->items[i]);
    }
    printer->indent--;
}

// Functions and programs.

static void print_offset(Buffer *out, const char *of, const TirVar *var) {
    buffer_format(out, " # %s + %llu", of, (unsigned long long)var->offset);
}

static void print_storage(Printer *printer, const TirVar *var) {
    Buffer *out = printer->out;
    switch (var->storage) {
    case STORAGE_NONE: return;
    case STORAGE_REGISTER: buffer_text(out, " # register"); return;
    case STORAGE_STACK: buffer_text(out, " # stack"); return;
    case STORAGE_ELEMENT: buffer_text(out, " # element"); return;
    case STORAGE_PART: print(printer, " # part of %v", var->part_of); return;
    case STORAGE_STATE: print_offset(out, "state", var); return;
    case STORAGE_SCRATCH: print_offset(out, "scratch", var); return;
    case STORAGE_ARGUMENT: buffer_text(out, " # argument"); return;
    case STORAGE_INPUTS: print_offset(out, "inputs", var); return;
    case STORAGE_OUTPUTS: print_offset(out, "outputs", var); return;
    case STORAGE_PARAMS: print_offset(out, "params", var); return;
    }
    UNREACHABLE();
}

static void print_declaration(Printer *printer, const TirVar *var) {
    begin_line(printer);
    print(printer, "var %t %v", var->type, var);
    print_storage(printer, var);
    print(printer, "\n");
}

// Temporaries are declared only to show where they are stored.
static bool needs_declaration(const TirVar *var) {
    return var->role == VAR_LOCAL || (var->role == VAR_TEMP && var->storage != STORAGE_NONE);
}

static bool *find_shadows(const TirFunction *function) {
    size_t names = 0;
    for (size_t i = 0; i < function->vars.count; i++) {
        Name name = function->vars.items[i]->name;
        if (name != NULL && name->id >= names) {
            names = name->id + (size_t)1;
        }
    }
    bool *seen = memory_zeroed(names + 1);
    bool *shadows = memory_zeroed(function->vars.count + 1);
    for (size_t i = 0; i < function->vars.count; i++) {
        const TirVar *var = function->vars.items[i];
        if (var->name != NULL) {
            shadows[var->id] = seen[var->name->id];
            seen[var->name->id] = true;
        }
    }
    free(seen);
    return shadows;
}

void tir_print_function(Buffer *out, const TirFunction *function) {
    bool *shadows = find_shadows(function);
    Printer printer = {.out = out, .shadows = shadows};
    print(&printer, "fn %s(", function->symbol);
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *param = function->params[i];
        print(&printer, i > 0 ? ", " : "");
        print(&printer, param->role == VAR_INOUT ? "var %t %v" : "%t %v", param->type, param);
    }
    print(&printer, ")");
    for (size_t i = 0; i < function->results.count; i++) {
        const TirVar *result = function->results.items[i];
        print(&printer, i > 0 ? ", %t %v" : " %t %v", result->type, result);
    }
    if (function->instance != NULL) {
        print(&printer, ": %s of %s\nend\n", tir_phase_text(function->phase),
              function->instance->component->symbol);
        free(shadows);
        return;
    }
    print(&printer, ":\n");
    printer.indent = 1;
    for (size_t i = 0; i < function->vars.count; i++) {
        if (needs_declaration(function->vars.items[i])) {
            print_declaration(&printer, function->vars.items[i]);
        }
    }
    printer.indent = 0;
    end_block(&printer, &function->body);
    print(&printer, "\n");
    free(shadows);
}

void tir_print_program(Buffer *out, const TirProgram *program) {
    for (size_t i = 0; i < program->components.count; i++) {
        const TirProgram *component = program->components.items[i];
        buffer_format(out, "# component %s\n", component->symbol);
        tir_print_program(out, component);
        buffer_text(out, "\n");
    }
    Printer printer = {.out = out};
    for (size_t i = 0; i < program->globals.count; i++) {
        print_declaration(&printer, program->globals.items[i]);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        buffer_text(out, i > 0 || program->globals.count > 0 ? "\n" : "");
        tir_print_function(out, program->functions.items[i]);
    }
}

void tir_print_expr(Buffer *out, const TirExpr *expr) {
    Printer printer = {.out = out};
    print_expr(&printer, expr);
}
