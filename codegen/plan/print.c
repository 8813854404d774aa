// Says in words what the plans of a program hold. Asks for each plan just as emission does, so what
// is printed is what runs. Statements that neither write an array nor sum anything up are left out.
#include "codegen/plan/print.h"

#include "codegen/plan/both_ways.h"
#include "codegen/plan/parts.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/terms.h"
#include "codegen/plan/together.h"
#include "codegen/plan/turns.h"
#include "codegen/plan/window.h"
#include "support/bug.h"
#include "support/memory.h"
#include "tir/copying.h"
#include "tir/print.h"
#include "tir/visit.h"
#include "types/memory.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, DETAIL_INDENT = 6 };

typedef struct Printer {
    Buffer *out;
    const PlanFacts *facts;
    const SourceMap *sources;
    PlanScope *scope;
    const TirFunction *function;
    TogetherPlan together; // of the statements at hand
} Printer;

static void indent(Printer *printer, int columns) {
    buffer_format(printer->out, "%*s", columns, "");
}

static const char *straight_text(bool unrolled) {
    return unrolled ? ", straight" : "";
}

static const char *split_text(const SplitPlan *split) {
    return split->kind == SPLIT_NONE ? "" : ", in threads";
}

static void print_walk(Printer *printer, const PlanStore *stores, size_t count,
                       const WalkPlan *walk) {
    const Type *type = stores[0].value->type;
    if (type_is_scalar(type)) {
        buffer_text(printer->out, "a scalar\n");
        return;
    }
    buffer_format(printer->out, "%u element%s", (unsigned)type->numel, type->numel == 1 ? "" : "s");
    if (walk->lanes == 1) {
        buffer_text(printer->out, ", one by one");
    } else if (walk->wrap.period != 0) {
        buffer_format(printer->out, ", %u lanes over the ends of rows of %u", walk->lanes,
                      (unsigned)walk->wrap.period);
        if (walk->wrap.outer > 0) {
            buffer_format(printer->out, " along dim %zu", walk->wrap.outer);
        }
    } else if (walk->is_linear || walk->rank == 1) {
        buffer_format(printer->out, ", %u lanes in a row", walk->lanes);
    } else {
        buffer_format(printer->out, ", %u lanes along dim %zu", walk->lanes, walk->along);
    }
    if (walk->rows > 1) {
        buffer_format(printer->out, ", %u rows at once", walk->rows);
    }
    if (walk->pieces > 1) {
        buffer_format(printer->out, ", %u pieces at once", walk->pieces);
    }
    SplitPlan split = split_walk(printer->facts, stores, count, walk);
    buffer_format(printer->out, "%s%s%s\n", straight_text(walk->unrolled),
                  walk->streams ? ", past the caches" : "", split_text(&split));
}

static void print_product(Printer *printer, const ProductPlan *plan) {
    static const char *const rights[] = {
        [RIGHT_IN_PLACE] = "",
        [RIGHT_COPIED] = ", panels",
        [RIGHT_TURNED] = ", turned panels",
        [RIGHT_SINGLE] = ", panels element by element",
    };
    buffer_format(printer->out, "product in tiles of %u columns%s%s", (unsigned)plan->width,
                  plan->chains == 2 ? ", two chains" : "", rights[plan->right]);
    if (plan->packed > 1) {
        buffer_format(printer->out, ", %u rows side by side", (unsigned)plan->packed);
    }
    buffer_format(printer->out, "%s%s%s\n", straight_text(plan->straight),
                  plan->is_shared ? ", shared" : "", split_text(&plan->split));
}

static void print_parts(Printer *printer, const Destination *to, const TirExpr *value, int columns);

// What stands behind the colon, with the lines of its parts.
static void print_destination(Printer *printer, const Destination *to, const TirExpr *value,
                              int columns) {
    Buffer *out = printer->out;
    const Type *type = value->type;
    unsigned long long bytes = type_bytes(type, printer->facts->single);
    Plan plan = plan_set(printer->facts, to, value);
    switch (plan.kind) {
    case PLAN_FILL: buffer_format(out, "%llu bytes filled\n", bytes); return;
    case PLAN_COPY: buffer_format(out, "%llu bytes copied\n", bytes); return;
    case PLAN_PRODUCT: print_product(printer, &plan.product); return;
    case PLAN_PARTS: print_parts(printer, to, value, columns); return;
    case PLAN_RUNNING:
        buffer_format(out, "running sums along dim %u", (unsigned)type->flat_rank - 1);
        if (plan.running.rows > 1) {
            buffer_format(out, ", %u rows side by side", plan.running.rows);
        }
        buffer_text(out, "\n");
        return;
    case PLAN_TILES:
        buffer_format(out, "squares of %u by %u between dims %zu and %zu%s\n", plan.tiles.size,
                      plan.tiles.size, plan.tiles.across, plan.tiles.along,
                      plan.tiles.streams ? ", past the caches" : "");
        return;
    case PLAN_ROWS:
    case PLAN_ELEMENTS: print_walk(printer, &(PlanStore){to, value}, 1, &plan.walk); return;
    }
    UNREACHABLE();
}

// `first..last: ` before what is said of these parts.
static void print_group(Printer *printer, size_t first, size_t end, const Buffer *text,
                        int columns) {
    indent(printer, columns);
    if (end - first > 1) {
        buffer_format(printer->out, "parts %zu to %zu: ", first, end - 1);
    } else {
        buffer_format(printer->out, "part %zu: ", first);
    }
    buffer_append(printer->out, text->data, text->len);
}

// Neighbours that run in the same way share their lines.
static void print_parts(Printer *printer, const Destination *to, const TirExpr *value,
                        int columns) {
    columns += INDENT;
    size_t count = destination_part_count(value);
    PartsPlan together;
    parts_plan(printer->facts, to, value, &together);
    if (together.count > 0) {
        buffer_format(printer->out, "%zu parts together: ", count);
        print_walk(printer, together.stores, together.count, &together.walk);
        return;
    }
    buffer_format(printer->out, "%zu parts\n", count);
    Buffer text = {0};
    Buffer next = {0};
    Printer part_printer = *printer;
    part_printer.out = &next;
    Destination part;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        part = destination_part(to, value, i, i == 0 ? NULL : &part);
        next.len = 0;
        print_destination(&part_printer, &part, destination_part_value(value, i), columns);
        bool is_same = i > 0 && text.len == next.len && memcmp(text.data, next.data, next.len) == 0;
        if (i > 0 && !is_same) {
            print_group(printer, first, i, &text, columns);
            first = i;
        }
        text.len = 0;
        buffer_append(&text, next.data, next.len);
    }
    print_group(printer, first, count, &text, columns);
    buffer_free(&text);
    buffer_free(&next);
}

static const char *together_text(const Printer *printer, const TirExpr *expr) {
    for (size_t i = 0; i < printer->together.count; i++) {
        if (printer->together.terms[i] == expr) {
            return i == 0 ? ", in a loop that others share" : ", in that loop";
        }
    }
    return "";
}

// How many accumulators one loop takes.
static unsigned ways_of(const Printer *printer, const TirExpr *expr, const TermsPlan *plan) {
    bool is_together = *together_text(printer, expr) != '\0';
    return is_together ? printer->together.ways : plan->ways;
}

static void print_rounds(Printer *printer, const TirExpr *expr, const TermsPlan *plan) {
    buffer_format(printer->out, " in %u lanes, %u at a time", plan->lanes, plan->accumulators);
    unsigned ways = ways_of(printer, expr, plan);
    if (ways < plan->accumulators) {
        buffer_format(printer->out, " in %u turns", plan->accumulators / ways);
    }
    if (plan->depth > 1) {
        buffer_format(printer->out, ", %u of each", plan->depth);
    }
    bool is_single = plan->reads[0] == TERMS_SINGLE || plan->reads[1] == TERMS_SINGLE;
    const char *reads = is_single                      ? ", read one by one"
                        : plan->reads[0] == TERMS_ROWS ? ", row by row"
                                                       : "";
    buffer_format(printer->out, "%s%s\n", reads, together_text(printer, expr));
}

static void print_terms(Printer *printer, const TirExpr *expr) {
    TermsPlan plan = terms_plan(printer->facts, expr);
    const char *name = expr->kind == EXPR_DOT ? "product" : tir_reduction_text(expr->reduce.op);
    indent(printer, DETAIL_INDENT);
    buffer_format(printer->out, "%s: %llu terms%s", name, (unsigned long long)plan.count,
                  plan.nans_aside ? ", nans aside," : "");
    if (plan.in_lanes) {
        print_rounds(printer, expr, &plan);
    } else {
        buffer_format(printer->out, " %s%s\n", plan.chains == 2 ? "in two chains" : "in order",
                      straight_text(plan.unrolled));
    }
}

static bool has_terms(const TirExpr *expr, const void *data) {
    (void)data;
    return expr->kind == EXPR_REDUCE || expr->kind == EXPR_DOT;
}

static void print_all_terms(const TirExpr *expr, void *data) {
    Printer *printer = data;
    if (has_terms(expr, NULL)) {
        print_terms(printer, expr);
    }
    tir_read_operands(expr, print_all_terms, printer);
}

static void print_place_of(Printer *printer, Span span) {
    indent(printer, INDENT);
    if (span_is_nowhere(span)) {
        return;
    }
    SourcePlace place = sources_place(printer->sources, span.start);
    const char *folder = strrchr(place.file->path, '/');
    buffer_format(printer->out, "%s:%u: ", folder ? folder + 1 : place.file->path, place.line);
}

static void print_set(Printer *printer, const TirStmt *stmt) {
    const TirExpr *value = stmt->set.value;
    if (type_is_scalar(value->type) && !tir_any_expr(value, has_terms, NULL)) {
        return;
    }
    print_place_of(printer, stmt->span);
    tir_print_expr(printer->out, stmt->set.place);
    buffer_text(printer->out, ": ");
    Destination to = plan_place(printer->facts, printer->scope, printer->function, stmt);
    print_destination(printer, &to, value, INDENT);
    if (plan_set(printer->facts, &to, value).kind == PLAN_PRODUCT) {
        tir_read_operands(value, print_all_terms, printer);
    } else {
        print_all_terms(value, printer);
    }
}

// A loop whose turns threads share. What is in it has one of them.
static bool print_loop(Printer *printer, TirStmt *loop) {
    SplitPlan split = {.kind = SPLIT_NONE};
    bool has_lanes = loop->kind == STMT_FOR && loop_in_lanes(printer->facts, loop);
    if (has_lanes) {
        split = split_loop(printer->facts, loop);
    } else if (loop->kind == STMT_FOR) {
        split = turns_plan(printer->scope->arena, printer->facts, printer->function, loop).split;
    }
    if (split.kind != SPLIT_NONE) {
        print_place_of(printer, loop->span);
        buffer_format(printer->out, "a loop%s, in threads\n", has_lanes ? " in lanes" : "");
    }
    return split.kind != SPLIT_NONE;
}

// Sums in conditions, bounds and the like.
static void print_other(Printer *printer, const TirStmt *stmt) {
    if (tir_any_expr_of(stmt, has_terms, NULL)) {
        print_place_of(printer, stmt->span);
        buffer_text(printer->out, "a scalar\n");
        tir_read_exprs(stmt, print_all_terms, printer);
    }
}

static void print_nest(Printer *printer, const TirStmt *stmt) {
    const TirBlock *sets = &stmt->nest;
    PlanStore *stores = memory_zeroed(memory_product(sets->count, sizeof(PlanStore)));
    Destination *places = memory_zeroed(memory_product(sets->count, sizeof(Destination)));
    for (size_t i = 0; i < sets->count; i++) {
        places[i] = plan_place(printer->facts, printer->scope, printer->function, sets->items[i]);
        stores[i] = (PlanStore){&places[i], sets->items[i]->set.value};
    }
    WalkPlan walk = walk_plan(printer->facts, stores, sets->count);
    print_place_of(printer, stmt->span);
    buffer_format(printer->out, "nest of %zu: ", sets->count);
    print_walk(printer, stores, sets->count, &walk);
    for (size_t i = 0; i < sets->count; i++) {
        const TirExpr *place = sets->items[i]->set.place;
        indent(printer, DETAIL_INDENT);
        tir_print_expr(printer->out, place);
        bool is_element = tir_place_var(place)->storage == STORAGE_ELEMENT;
        buffer_text(printer->out, is_element ? ": not in memory\n" : "\n");
    }
    free(stores);
    free(places);
}

static void print_window(Printer *printer, const TirBlock *block, size_t first,
                         const WindowPlan *plan) {
    for (size_t i = first; i < first + plan->count; i++) {
        if (window_is_aside(plan, block->items[i])) {
            print_set(printer, block->items[i]);
        }
    }
    print_place_of(printer, plan->product->span);
    tir_print_expr(printer->out, plan->product->set.place);
    buffer_text(printer->out, ", while ");
    tir_print_expr(printer->out, plan->product->set.value->dot.right);
    buffer_format(printer->out, " moves %s: %u by %u elements, %u lanes in a row, %u at once\n",
                  plan->goes_down ? "down" : "up", plan->rows, plan->columns, plan->lanes,
                  plan->pieces);
    indent(printer, DETAIL_INDENT);
    buffer_format(printer->out, "product: %u terms %s\n", plan->rows,
                  plan->chains == 2 ? "in two chains" : "in order");
}

static void print_both(Printer *printer, const BothWaysPlan *plan) {
    const TirStmt *sets[] = {plan->across, plan->down};
    print_place_of(printer, plan->across->span);
    tir_print_expr(printer->out, plan->across->set.place);
    buffer_text(printer->out, " and ");
    tir_print_expr(printer->out, plan->down->set.place);
    buffer_format(printer->out, ": %llu rows of a matrix both ways, %u at once\n",
                  (unsigned long long)plan->across->set.value->type->numel, plan->rows);
    for (size_t i = 0; i < 2; i++) {
        print_all_terms(sets[i]->set.value, printer);
    }
}

static void print_part(Printer *printer, const TirStmt *set) {
    print_place_of(printer, set->span);
    tir_print_expr(printer->out, tir_bottom(set->set.place));
    buffer_text(printer->out, ": read where it lies, in ");
    tir_print_expr(printer->out, tir_bottom(set->set.value));
    buffer_text(printer->out, "\n");
}

static void print_block(Printer *printer, const TirBlock *block) {
    size_t end = 0; // of the statements whose reductions are together
    for (size_t i = 0; i < block->count; i++) {
        WindowPlan window;
        if (i >= end && plan_window(printer->facts, block, i, &window)) {
            printer->together = (TogetherPlan){0};
            print_window(printer, block, i, &window);
            i += window.count - 1;
            continue;
        }
        TirStmt *stmt = block->items[i];
        if (i >= end) {
            printer->together = together_plan(printer->facts, block, i);
            end = i + printer->together.statements;
        }
        BothWaysPlan both =
            both_ways_plan(printer->facts, printer->scope, printer->function, block, i);
        if (both.rows > 0) {
            print_both(printer, &both);
            i++;
            continue;
        }
        const TirStmt *part = tir_part_set(stmt);
        if (part != NULL) {
            print_part(printer, part);
            continue;
        }
        bool is_left_out = stmt->kind == STMT_IF && branch_is_left_out(printer->facts, stmt);
        if (stmt->kind == STMT_SET) {
            print_set(printer, stmt);
        } else if (stmt->kind == STMT_NEST) {
            print_nest(printer, stmt);
            continue;
        } else if (!is_left_out) {
            print_other(printer, stmt);
        }
        PlanFacts facts = *printer->facts;
        Printer inner = *printer;
        inner.facts = &facts;
        facts.threads = print_loop(printer, stmt) ? 0 : facts.threads;
        TirBlock *blocks[2];
        size_t count = tir_stmt_blocks(stmt, blocks);
        for (size_t k = is_left_out; k < count; k++) {
            print_block(&inner, blocks[k]);
        }
    }
    printer->together.count = 0;
}

void plan_print(Arena *arena, Buffer *out, const PlanFacts *facts, const SourceMap *sources,
                const TirProgram *program) {
    Buffer body = {0};
    PlanScope scope = {.arena = arena};
    Printer printer = {.out = &body, .facts = facts, .sources = sources, .scope = &scope};
    for (size_t i = 0; i < program->functions.count; i++) {
        const TirFunction *function = program->functions.items[i];
        body.len = 0;
        printer.function = function;
        print_block(&printer, &function->body);
        if (body.len > 0) {
            buffer_format(out, "fn %s:\n", function->symbol);
            buffer_append(out, body.data, body.len);
        }
    }
    buffer_free(&body);
}
