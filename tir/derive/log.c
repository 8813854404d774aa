/* Note [Undo]

A part is saved before it is written, so parts that are given back in the reverse order make of a
variable what it was. Where a statement may not run, the entry is first that of the elements at
index 0 as the turn begins, which is right to give back at its place in that order: what stands
before it in the turn is given back later.

Between turns the variable is what it was at that time: a turn that has run again is undone once
more. So when the loop is done with, it is what it was before, and around it the same holds for the
turns of a loop outside. In the beginning it is what it was behind the loop, unless something later
in the text has written it: then that is kept. */
#include "tir/derive/log.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/derive/turns.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

#include <inttypes.h>

// Planning.

typedef struct Planner {
    Maker *maker;
    const TirStmt *loop;
    const bool *written; // by a turn
    const TirVar *var;
    bool is_whole;                          // it cannot be logged in parts
    LIST_OF(const TirExpr *) reads, writes; // views of the variable
    LogVar *log;
} Planner;

static bool may_change(const TirExpr *expr, const void *data) {
    const Planner *planner = data;
    if (expr->kind != EXPR_VAR) {
        return tir_node_may_trap(expr);
    }
    const Sweep *sweep = &planner->maker->sweep;
    const TirVar *var = expr->var;
    return var != planner->loop->for_loop.var && !tir_var_is_global(var) &&
           (planner->written[var->id] ||
            table_get(&sweep->stable, sweep->clone.vars[var->id]) == NULL);
}

// Whether an index is the same at any time of a turn, and is one of `bound`.
static bool is_fixed(const Planner *planner, const TirExpr *expr) {
    return !tir_any_expr(expr, may_change, planner);
}

static bool is_within(const Planner *planner, const TirAxis *axis, uint32_t bound) {
    Interval index = interval_of(planner->maker->intervals, axis->index);
    return axis->unchecked || (index.least >= 0 && index.most < bound);
}

// The part that a `set` of a view of the variable writes, `depth` loops inside of the turn.
static void add_part(Planner *planner, const TirStmt *stmt, unsigned depth, bool may_not_run) {
    Tir *tir = planner->maker->tir;
    const TirExpr *place = stmt->set.place;
    const Type *whole = planner->var->type;
    uint32_t rank = 0, *dims = ARENA_ARRAY(tir->arena, uint32_t, whole->flat_rank + 1U);
    int32_t *renamed = ARENA_ARRAY(tir->arena, int32_t, place->type->flat_rank + 1U);
    LogPart part = {.may_not_run = may_not_run,
                    .axes = ARENA_ARRAY(tir->arena, TirAxis, whole->flat_rank + 1U),
                    .indices = ARENA_ARRAY(tir->arena, TirVar *, whole->flat_rank + 1U)};
    for (uint32_t k = 0; k < whole->flat_rank; k++) {
        TirAxis axis = place->view.axes[k];
        bool is_known = axis.index == NULL || (is_fixed(planner, axis.index) &&
                                               is_within(planner, &axis, whole->dims[k]));
        if (!is_known && depth > 0) {
            axis = (TirAxis){.axis = (int32_t)rank, .step = 1};
            dims[rank++] = whole->dims[k];
        } else if (!is_known) {
            part.inside = stmt;
        } else if (axis.axis >= 0) {
            if (renamed[axis.axis] == 0) {
                dims[rank++] = place->type->dims[axis.axis];
                renamed[axis.axis] = (int32_t)rank;
            }
            axis.axis = renamed[axis.axis] - 1;
        }
        part.axes[k] = axis;
    }
    part.type = type_flat(tir->types, whole->root, rank, dims);
    LIST_PUSH(tir->arena, &planner->log->parts, part);
}

static void note_read(const TirExpr *expr, void *data) {
    Planner *planner = data;
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
        expr->view.operand->var == planner->var) {
        LIST_PUSH(planner->maker->tir->arena, &planner->reads, expr);
        for (size_t k = 0; k < planner->var->type->flat_rank; k++) {
            if (expr->view.axes[k].index != NULL) {
                note_read(expr->view.axes[k].index, data);
            }
        }
        return;
    }
    if (expr->kind == EXPR_VAR && expr->var == planner->var) {
        LIST_PUSH(planner->maker->tir->arena, &planner->reads, NULL); // all of it
    }
    tir_read_operands(expr, note_read, data);
}

static void note_block(Planner *planner, const TirBlock *block, unsigned depth, bool may_not_run) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        tir_read_values(stmt, note_read, planner);
        const TirVar *var;
        for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
            if (var != planner->var) {
                continue;
            }
            const TirExpr *place = stmt->kind == STMT_SET ? stmt->set.place : NULL;
            if (place == NULL || place->kind != EXPR_VIEW ||
                place->view.operand->kind != EXPR_VAR) {
                planner->is_whole = true;
                continue;
            }
            LIST_PUSH(planner->maker->tir->arena, &planner->writes, place);
            add_part(planner, stmt, depth, may_not_run);
        }
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            note_block(planner, nested[k], depth + is_loop, true);
        }
    }
}

// An index that is a variable and a number more; without variable where it is a number.
static bool is_offset(const Planner *planner, const TirAxis *axis, const TirVar **var,
                      int64_t *offset) {
    Tir *tir = planner->maker->tir;
    const TirExpr *index = axis->index;
    *var = NULL;
    *offset = axis->start;
    if (axis->axis >= 0 || index == NULL || constant_integer(tir, index, offset)) {
        return axis->axis < 0;
    }
    *offset = 0;
    if (index->kind == EXPR_MAP && (index->map.op == OP_ADD || index->map.op == OP_SUB) &&
        constant_integer(tir, index->map.args[1], offset)) {
        *offset = index->map.op == OP_SUB ? -*offset : *offset;
        index = index->map.args[0];
    }
    *var = index->kind == EXPR_VAR ? index->var : NULL;
    return *var != NULL && is_fixed(planner, index);
}

// Whether no turn that reads comes after, or is, one that writes the same element later or before.
static bool is_apart(const Planner *planner, const TirExpr *read, const TirExpr *write) {
    int64_t step;
    CHECK(constant_integer(planner->maker->tir, planner->loop->for_loop.step, &step));
    for (size_t k = 0; read != NULL && k < planner->var->type->flat_rank; k++) {
        const TirVar *var, *other;
        int64_t from, to;
        if (!is_offset(planner, &read->view.axes[k], &var, &from) ||
            !is_offset(planner, &write->view.axes[k], &other, &to) || var != other) {
            continue;
        }
        bool is_counted = var == planner->loop->for_loop.var;
        int64_t later = (from - to) / step; // turns until it is written
        if (is_counted ? (from - to) % step != 0 || later < 0 : from != to) {
            return true;
        }
    }
    return false;
}

static bool is_never_read_again(const Planner *planner) {
    for (size_t i = 0; i < planner->reads.count; i++) {
        for (size_t k = 0; k < planner->writes.count; k++) {
            if (!is_apart(planner, planner->reads.items[i], planner->writes.items[k])) {
                return false;
            }
        }
    }
    return true;
}

// Whether a statement behind the loop in the text writes the variable; *is_behind once it is found.
static bool is_written_behind(const TirBlock *block, const TirStmt *loop, const TirVar *var,
                              bool *is_behind) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (*is_behind && tir_stmt_writes(stmt, var)) {
            return true;
        }
        *is_behind = *is_behind || stmt == loop;
        TirBlock *nested[2];
        size_t count = *is_behind ? 0 : tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            if (is_written_behind(nested[k], loop, var, is_behind)) {
                return true;
            }
        }
    }
    return false;
}

static uint64_t var_bytes(const Maker *maker, const LogVar *log) {
    bool single = maker->tir->single;
    if (log->mode != LOG_PARTS) {
        return log->mode == LOG_WHOLE ? type_bytes(log->var->type, single) : 0;
    }
    uint64_t bytes = 0;
    for (size_t k = 0; k < log->parts.count; k++) {
        const LogPart *part = &log->parts.items[k];
        bytes += type_bytes(part->type, single);
        for (size_t d = 0; part->inside != NULL && d < log->var->type->flat_rank; d++) {
            const TirExpr *index = part->axes[d].index;
            bytes += index == NULL ? 0 : type_bytes(index->type, single);
        }
    }
    return bytes;
}

static LogVar plan_var(Maker *maker, const TirStmt *loop, const bool *written, uint64_t turns,
                       const TirVar *var) {
    const TirFunction *function = maker->active->function;
    LogVar log = {.var = var, .own = maker->sweep.clone.vars[var->id]};
    Planner planner = {.maker = maker, .loop = loop, .written = written, .var = var, .log = &log};
    note_block(&planner, &loop->for_loop.body, 0, false);
    if (planner.is_whole) {
        return log;
    }
    bool is_behind = false;
    log.is_kept = is_written_behind(&function->body, loop, var, &is_behind);
    log.mode = is_never_read_again(&planner) ? LOG_NOTHING : LOG_PARTS;
    uint64_t whole = type_bytes(var->type, maker->tir->single), bytes = var_bytes(maker, &log);
    if (bytes >= whole || (log.is_kept && turns <= whole / (whole - bytes))) {
        log.mode = LOG_WHOLE; // takes as little
        log.is_kept = false;
    }
    return log;
}

Log log_plan(Maker *maker, const TirStmt *loop, uint64_t turns, const TirVars *needed) {
    const TirFunction *function = maker->active->function;
    const bool *written = turns_written(maker->tir, function, loop);
    Log log = {0};
    for (size_t k = 0; k < function->vars.count; k++) {
        for (size_t i = 0; i < needed->count; i++) {
            if (written[k] && maker->sweep.clone.vars[k] == needed->items[i]) {
                LIST_PUSH(maker->tir->arena, &log.vars,
                          plan_var(maker, loop, written, turns, function->vars.items[k]));
            }
        }
    }
    return log;
}

Log log_of_starts(Maker *maker, const Log *log) {
    Log starts = {0};
    for (size_t k = 0; k < log->vars.count; k++) {
        LogVar var = log->vars.items[k];
        if (var.mode != LOG_NOTHING) {
            var.mode = LOG_WHOLE;
            LIST_PUSH(maker->tir->arena, &starts.vars, var);
        }
    }
    return starts;
}

uint64_t log_bytes(const Maker *maker, const Log *log) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < log->vars.count; k++) {
        bytes += var_bytes(maker, &log->vars.items[k]);
    }
    return bytes;
}

uint64_t log_kept_bytes(const Maker *maker, const Log *log) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < log->vars.count; k++) {
        const LogVar *var = &log->vars.items[k];
        bytes += var->is_kept ? type_bytes(var->var->type, maker->tir->single) : 0;
    }
    return bytes;
}

uint32_t log_widest(const Log *log) {
    uint32_t most = 1;
    for (size_t k = 0; k < log->vars.count; k++) {
        const LogVar *var = &log->vars.items[k];
        uint32_t numel = var->mode == LOG_WHOLE ? var->var->type->numel : 1;
        most = numel > most ? numel : most;
        for (size_t i = 0; var->mode == LOG_PARTS && i < var->parts.count; i++) {
            numel = var->parts.items[i].type->numel;
            most = numel > most ? numel : most;
        }
    }
    return most;
}

const char *log_text(Maker *maker, const Log *log) {
    const char *text = "";
    for (size_t k = 0; k < log->vars.count; k++) {
        const TirVar *var = log->vars.items[k].var;
        uint64_t bytes = var_bytes(maker, &log->vars.items[k]);
        const char *comma = *text == '\0' ? "" : ", ";
        const char *quote = var->name == NULL ? "" : "`";
        text = bytes == 0
                   ? text
                   : arena_format(maker->tir->arena, "%s%s%s%s%s (%" PRIu64 ")", text, comma, quote,
                                  var->name == NULL ? "a value" : var->name->text, quote, bytes);
    }
    return text;
}

// Arrays, and what is done with them.

static TirVar *new_array(Maker *maker, const Type *type, uint32_t entries, Span span) {
    Tir *tir = maker->tir;
    uint32_t *dims = ARENA_ARRAY(tir->arena, uint32_t, type->flat_rank + 1U);
    dims[0] = entries;
    for (uint32_t d = 0; d < type->flat_rank; d++) {
        dims[d + 1] = type->dims[d];
    }
    const Type *all = type_flat(tir->types, type->root, type->flat_rank + 1U, dims);
    return tir_var_create(tir, maker->sweep.function, VAR_TEMP, NULL, all, span);
}

void log_create(Maker *maker, Log *log, uint32_t entries, Span span) {
    for (size_t k = 0; k < log->vars.count; k++) {
        LogVar *var = &log->vars.items[k];
        if (var->mode == LOG_WHOLE) {
            var->entries = new_array(maker, var->var->type, entries, span);
        }
        for (size_t i = 0; var->mode == LOG_PARTS && i < var->parts.count; i++) {
            LogPart *part = &var->parts.items[i];
            part->entries = new_array(maker, part->type, entries, span);
            for (size_t d = 0; part->inside != NULL && d < var->var->type->flat_rank; d++) {
                const TirExpr *index = part->axes[d].index;
                if (index != NULL) {
                    part->indices[d] = new_array(maker, index->type, entries, span);
                }
            }
        }
    }
}

static TirExpr *entry(Maker *maker, TirVar *array, TirVar *at) {
    Tir *tir = maker->tir;
    const Type *all = array->type;
    const Type *type = type_flat(tir->types, all->root, all->flat_rank - 1U, all->dims + 1);
    TirAxis axis = {.axis = -1, .index = tir_read(tir, at, array->span), .unchecked = true};
    return tir_row(tir, type, tir_read(tir, array, array->span), axis);
}

// Where the elements of a part are found.
typedef enum Where { AT_INDEX, AT_ZERO, AT_SAVED } Where;

static TirExpr *elements(Maker *maker, const LogVar *var, const LogPart *part, Where where,
                         TirVar *at) {
    Tir *tir = maker->tir;
    Span span = part->entries->span;
    uint32_t rank = var->var->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank + 1U);
    for (uint32_t d = 0; d < rank; d++) {
        axes[d] = part->axes[d];
        if (axes[d].index == NULL) {
            continue;
        }
        bool is_saved = part->indices[d] != NULL;
        if (is_saved && where == AT_ZERO) {
            axes[d] = (TirAxis){.axis = -1};
        } else if (is_saved && where == AT_SAVED) {
            axes[d].index = entry(maker, part->indices[d], at);
            axes[d].unchecked = true;
        } else {
            axes[d].index = clone_expr(&maker->sweep.clone, axes[d].index);
            axes[d].unchecked = axes[d].unchecked || !is_saved;
        }
    }
    return tir_view(tir, part->type, tir_read(tir, var->own, span), axes, span);
}

static void save_part(Maker *maker, const LogVar *var, const LogPart *part, Where where, TirVar *at,
                      TirBlock *block) {
    Tir *tir = maker->tir;
    for (size_t d = 0; d < var->var->type->flat_rank; d++) {
        if (part->indices[d] != NULL) {
            TirExpr *index = part->axes[d].index;
            index = where == AT_INDEX
                        ? clone_expr(&maker->sweep.clone, index)
                        : tir_convert(tir, index->type->root, tir_const_int(tir, 0, index->span),
                                      index->span);
            tir_set(tir, block, entry(maker, part->indices[d], at), index, index->span);
        }
    }
    TirExpr *value = elements(maker, var, part, where, at);
    tir_set(tir, block, entry(maker, part->entries, at), value, value->span);
}

void log_save(Maker *maker, const Log *log, TirVar *at, TirBlock *block) {
    for (size_t k = 0; k < log->vars.count; k++) {
        const LogVar *var = &log->vars.items[k];
        if (var->mode == LOG_WHOLE) {
            tir_set(maker->tir, block, entry(maker, var->entries, at),
                    tir_read(maker->tir, var->own, var->entries->span), var->entries->span);
        }
        for (size_t i = 0; var->mode == LOG_PARTS && i < var->parts.count; i++) {
            const LogPart *part = &var->parts.items[i];
            if (part->inside == NULL || part->may_not_run) {
                Where where = part->inside == NULL ? AT_INDEX : AT_ZERO;
                save_part(maker, var, part, where, at, block);
            }
        }
    }
}

static void save_before(Maker *maker, const Log *log, TirVar *at, const TirStmt *stmt,
                        TirBlock *block) {
    for (size_t k = 0; k < log->vars.count; k++) {
        const LogVar *var = &log->vars.items[k];
        for (size_t i = 0; var->mode == LOG_PARTS && i < var->parts.count; i++) {
            if (var->parts.items[i].inside == stmt) {
                save_part(maker, var, &var->parts.items[i], AT_INDEX, at, block);
            }
        }
    }
}

void log_save_inside(Maker *maker, const Log *log, TirVar *at, const TirBlock *body,
                     TirBlock *copies, size_t first) {
    Arena *arena = maker->tir->arena;
    TirBlock out = {0};
    for (size_t i = 0; i < first; i++) {
        LIST_PUSH(arena, &out, copies->items[i]);
    }
    CHECK(copies->count == first + body->count);
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = copies->items[first + i];
        save_before(maker, log, at, body->items[i], &out);
        LIST_PUSH(arena, &out, stmt);
        TirBlock *from[2], *to[2];
        size_t count = tir_stmt_blocks(body->items[i], from);
        CHECK(tir_stmt_blocks(stmt, to) == count);
        for (size_t k = 0; k < count; k++) {
            log_save_inside(maker, log, at, from[k], to[k], 0);
        }
    }
    *copies = out;
}

void log_undo(Maker *maker, const Log *log, TirVar *at, TirBlock *block) {
    for (size_t k = 0; k < log->vars.count; k++) {
        const LogVar *var = &log->vars.items[k];
        for (size_t i = var->mode == LOG_PARTS ? var->parts.count : 0; i-- > 0;) {
            const LogPart *part = &var->parts.items[i];
            TirExpr *place = elements(maker, var, part, AT_SAVED, at);
            tir_set(maker->tir, block, place, entry(maker, part->entries, at), place->span);
        }
    }
}

void log_restore(Maker *maker, const Log *log, TirVar *at, TirBlock *block) {
    for (size_t k = 0; k < log->vars.count; k++) {
        const LogVar *var = &log->vars.items[k];
        if (var->mode == LOG_WHOLE) {
            maker_set(maker, block, var->own, entry(maker, var->entries, at));
        }
    }
    log_undo(maker, log, at, block);
}

void log_keep(Maker *maker, const Log *log) {
    Sweep *sweep = &maker->sweep;
    for (size_t k = 0; k < log->vars.count; k++) {
        TirVar *own = log->vars.items[k].own;
        if (log->vars.items[k].is_kept) {
            TirVar *kept = sweep_set(sweep, sweep->ahead, tir_read(maker->tir, own, own->span));
            maker_set(maker, sweep->back, own, tir_read(maker->tir, kept, own->span));
        }
    }
}
