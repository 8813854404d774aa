// Reads a part of an array from an index on that is computed where that part lies.
//
//     for k = 0:64:                  # checking's for frame = x[i:i + 64]
//         %8[k] = x[i + k]
//     y[i] = sum(%8 * w)             # reads x
//
// The loop stays as it is; its variable gets no memory (STORAGE_PART), and code generation takes
// the address of the first element instead of copying. That is the same as long as nobody writes
// the array while the variable is used, and as what is copied lies in memory as the copy would.
// Where only its rows do, as those of x[i:i + 8, j:j + 8] in x of 24 by 24, a variable of 8 by 24
// takes its place, the first 8 of each row of which are read. Reads any valid TIR.
//
// A variable that is an array in another shape, as after `m = reshape(x, 8, 8)`, lies there, too,
// unless that is written behind.
//
// Parts only in loops, where it pays; and there the array is not written in the whole block, so
// that code generation may run its statements together as it likes.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/visit.h"

// Rows of so many are read in vectors; of others those of a copy are, over their ends.
enum { REALS = 8, INTEGERS = 4 };

typedef struct Slicer {
    Tir *tir;
    TirFunction *function;
    const TirUses *uses; // of the function's variables
} Slicer;

// The loops around the `set` that copies, and their variables.
typedef struct Copy {
    TirStmt *set;
    const TirVar *counters[TYPE_FLAT_LIMIT];
    uint64_t turns[TYPE_FLAT_LIMIT];
    size_t count;
} Copy;

static bool find_copy(Tir *tir, TirStmt *stmt, Copy *copy) {
    *copy = (Copy){0};
    while (stmt->kind == STMT_FOR) {
        ConstantTurns turns;
        if (copy->count == TYPE_FLAT_LIMIT || stmt->for_loop.body.count != 1 ||
            !constant_turns(tir, stmt, &turns) || turns.first != 0 || turns.step != 1 ||
            turns.count == 0) {
            return false;
        }
        copy->counters[copy->count] = stmt->for_loop.var;
        copy->turns[copy->count++] = (uint64_t)turns.count;
        stmt = stmt->for_loop.body.items[0];
    }
    copy->set = stmt;
    return copy->count > 0 && stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VIEW &&
           stmt->set.value->kind == EXPR_VIEW && stmt->set.place->view.operand->kind == EXPR_VAR &&
           stmt->set.value->view.operand->kind == EXPR_VAR;
}

// What moves along a dim of one of the two sides: a loop, or a dim of the `set`; or nothing does.
typedef enum MoverKind { MOVER_NONE, MOVER_LOOP, MOVER_DIM, MOVER_OTHER } MoverKind;

typedef struct Mover {
    MoverKind kind;
    size_t number;
    bool from_start; // at the first element
} Mover;

static bool reads_counter(const Copy *copy, const TirExpr *expr) {
    for (size_t i = 0; i < copy->count; i++) {
        if (tir_expr_reads(expr, copy->counters[i]) > 0) {
            return true;
        }
    }
    return false;
}

// Of an index that is a counter, or a sum of one and of what no counter is in.
static Mover index_mover(const Copy *copy, const TirExpr *index) {
    if (!reads_counter(copy, index)) {
        return (Mover){.kind = MOVER_NONE};
    }
    bool is_sum = index->kind == EXPR_MAP && index->map.op == OP_ADD;
    for (size_t i = 0; i < copy->count; i++) {
        if (index->kind == EXPR_VAR && index->var == copy->counters[i]) {
            return (Mover){MOVER_LOOP, i, true};
        }
        for (unsigned k = 0; k < 2 && is_sum; k++) {
            const TirExpr *side = index->map.args[k];
            if (side->kind == EXPR_VAR && side->var == copy->counters[i] &&
                !reads_counter(copy, index->map.args[1 - k])) {
                return (Mover){MOVER_LOOP, i, false};
            }
        }
    }
    return (Mover){.kind = MOVER_OTHER};
}

static Mover mover_of(const Copy *copy, const TirAxis *axis) {
    if (axis->index != NULL) {
        return axis->unchecked ? index_mover(copy, axis->index) : (Mover){.kind = MOVER_OTHER};
    }
    if (axis->axis < 0 || axis->step == 0) {
        return (Mover){.kind = MOVER_NONE};
    }
    bool is_row = axis->step == 1;
    return (Mover){is_row ? MOVER_DIM : MOVER_OTHER, (size_t)axis->axis, axis->start == 0};
}

static uint64_t mover_count(const Copy *copy, Mover mover) {
    return mover.kind == MOVER_LOOP ? copy->turns[mover.number]
                                    : copy->set->set.place->type->dims[mover.number];
}

// Whether all of a dim of the copy, so long, is written, from its start on as it moves in the
// array.
static bool moves_along(const Copy *copy, const TirAxis *from, const TirAxis *to, uint32_t length) {
    Mover source = mover_of(copy, from);
    Mover target = mover_of(copy, to);
    return (source.kind == MOVER_LOOP || source.kind == MOVER_DIM) && target.kind == source.kind &&
           target.number == source.number && target.from_start &&
           mover_count(copy, source) == length;
}

// Whether all elements of the copy are written, and follow each other in the array as in the copy.
static bool lies_as_copied(const Copy *copy) {
    const TirExpr *place = copy->set->set.place;
    const TirExpr *value = copy->set->set.value;
    const Type *to = place->view.operand->type;
    const Type *from = value->view.operand->type;
    size_t left = to->flat_rank; // dims of the copy, from the last on
    bool is_whole = true;        // so far all of each dim is copied
    for (size_t k = from->flat_rank; k-- > 0;) {
        Mover source = mover_of(copy, &value->view.axes[k]);
        if (source.kind == MOVER_NONE) {
            is_whole = is_whole && from->dims[k] == 1;
            continue;
        }
        if (left == 0 || !is_whole) {
            return false;
        }
        left--;
        if (!moves_along(copy, &value->view.axes[k], &place->view.axes[left], to->dims[left])) {
            return false;
        }
        is_whole = source.from_start && to->dims[left] == from->dims[k];
    }
    return left == 0 && place->type->root == value->type->root;
}

// What of the array is around a copy whose rows lie in it as they do in the copy: as many rows,
// planes and so on, each as long as there. NULL: they do not.
static const Type *frame_of(Tir *tir, const Copy *copy) {
    const TirExpr *place = copy->set->set.place;
    const TirExpr *value = copy->set->set.value;
    const Type *to = place->view.operand->type;
    const Type *from = value->view.operand->type;
    if (to->flat_rank < 2 || from->flat_rank < to->flat_rank ||
        place->type->root != value->type->root ||
        to->dims[to->flat_rank - 1] % (to->root == ROOT_REAL ? REALS : INTEGERS) != 0) {
        return NULL;
    }
    size_t first = from->flat_rank - to->flat_rank; // the first dim that something moves along
    uint32_t dims[TYPE_FLAT_LIMIT] = {to->dims[0]};
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &value->view.axes[k];
        if (k < first
                ? mover_of(copy, axis).kind != MOVER_NONE
                : !moves_along(copy, axis, &place->view.axes[k - first], to->dims[k - first])) {
            return NULL;
        }
        if (k > first) {
            dims[k - first] = from->dims[k];
        }
    }
    return type_tensor(tir->types, type_scalar(tir->types, to->root), to->flat_rank, dims);
}

// Whether all reads of the copy follow in the block, which does not write the array.
static bool stays_while_used(const Slicer *slicer, const TirBlock *block, size_t at,
                             const TirVar *copy, const TirVar *array) {
    uint32_t reads = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (tir_stmt_writes(stmt, array) || tir_any_stmt(&(TirBlock){.items = &stmt, .count = 1},
                                                         tir_is_handed_over, (void *)copy)) {
            return false;
        }
        reads += i > at ? tir_stmt_reads(stmt, copy) : 0;
    }
    const TirUses *uses = &slicer->uses[copy->id];
    return uses->reads == reads && uses->writes == 0 && uses->updates == 1;
}

static bool has_memory(const TirVar *array) {
    switch (array->role) {
    case VAR_LOCAL:
    case VAR_TEMP: return array->storage != STORAGE_ELEMENT;
    case VAR_GLOBAL: return array->instance == NULL;
    case VAR_PARAM:
    case VAR_RESULT:
    case VAR_INPUT:
    case VAR_TUNABLE: return true;
    case VAR_INOUT:
    case VAR_LOOP:
    case VAR_OUTPUT: return false;
    }
    UNREACHABLE();
}

// What stands for the copy: a variable of the frame, of which it is the beginning of each row.
static TirVar *frame_for(const Slicer *slicer, const TirBlock *block, size_t at, const Copy *copy,
                         const Type *frame) {
    Tir *tir = slicer->tir;
    TirExpr *place = tir_copy_node(tir, copy->set->set.place);
    const TirVar *part = place->view.operand->var;
    TirVar *var = tir_var_create(tir, slicer->function, VAR_TEMP, part->name, frame, part->span);
    place->view.operand = tir_read(tir, var, place->span);
    copy->set->set.place = place;
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (int32_t k = 0; k < frame->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = k, .step = 1};
    }
    TirExpr *rows = tir_view(tir, part->type, tir_read(tir, var, part->span), axes, part->span);
    for (size_t i = at + 1; i < block->count; i++) {
        tir_replace_in(tir, block->items[i], part, rows);
    }
    return var;
}

static void slice_at(const Slicer *slicer, const TirBlock *block, size_t at) {
    Copy copy;
    if (!find_copy(slicer->tir, block->items[at], &copy)) {
        return;
    }
    bool is_whole = lies_as_copied(&copy);
    const Type *frame = is_whole ? NULL : frame_of(slicer->tir, &copy);
    TirVar *part = copy.set->set.place->view.operand->var;
    TirVar *array = copy.set->set.value->view.operand->var;
    if ((is_whole || frame != NULL) && tir_var_is_local(part) && part != array &&
        part->storage == STORAGE_NONE && has_memory(array) &&
        stays_while_used(slicer, block, at, part, array)) {
        part = is_whole ? part : frame_for(slicer, block, at, &copy, frame);
        part->storage = STORAGE_PART;
        part->part_of = array;
    }
}

// Whether all reads of the variable follow in the block, which does not write the array then.
static bool is_shape_of(const Slicer *slicer, const TirBlock *block, size_t at, const TirVar *var,
                        const TirVar *array) {
    TirBlock behind = {.items = &block->items[at + 1], .count = block->count - at - 1};
    uint32_t reads = tir_block_reads(&behind, var);
    const TirUses *uses = &slicer->uses[var->id];
    return reads > 0 && uses->reads == reads && uses->writes == 1 && uses->updates == 0 &&
           !tir_block_writes(&behind, array) &&
           !tir_any_stmt(&behind, tir_is_handed_over, (void *)var);
}

// A variable that is an array in another shape has that one's memory.
static void reshape_at(const Slicer *slicer, const TirBlock *block, size_t at) {
    const TirStmt *set = block->items[at];
    if (set->set.place->kind != EXPR_VAR || set->set.value->kind != EXPR_RESHAPE ||
        set->set.value->operand->kind != EXPR_VAR) {
        return;
    }
    TirVar *var = set->set.place->var;
    TirVar *array = set->set.value->operand->var;
    if (tir_var_is_local(var) && !type_is_scalar(var->type) && var->storage == STORAGE_NONE &&
        has_memory(array) && is_shape_of(slicer, block, at, var, array)) {
        var->storage = STORAGE_PART;
        var->part_of = array;
    }
}

static void slice_block(const Slicer *slicer, TirBlock *block, bool in_loop) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (in_loop && stmt->kind == STMT_FOR) {
            slice_at(slicer, block, i);
        } else if (stmt->kind == STMT_SET) {
            reshape_at(slicer, block, i);
        }
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        TirBlock *nested[2];
        size_t count =
            stmt->kind == STMT_FOR && stmt->for_loop.has_lanes ? 0 : tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            slice_block(slicer, nested[k], in_loop || is_loop);
        }
    }
}

void pass_slices(Tir *tir, TirFunction *function) {
    Slicer slicer = {tir, function, tir_count_uses(tir->arena, function)};
    slice_block(&slicer, &function->body, false);
}
