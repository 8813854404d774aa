// Lanes that are no turn read and write the row of the last turn. They come before that turn, so
// what it writes stays.
#include "codegen/emit/masked_rows.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/masked_value.h"
#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "support/bug.h"
#include "tir/same.h"
#include "tir/uses.h"

enum { WOVEN_LIMIT = 3 }; // scalars of a row, of which 4 are turned with as few shuffles

// One of the statements.
typedef struct Move {
    const TirExpr *here; // the scalar that gets it, or what is written
    const TirExpr
        *there; // the view [..., i, constants...] of an array; NULL: it is no such statement
    bool is_read;
    Root root;
    size_t dim;       // that of `i`; what is before it is the same in all turns
    int64_t step;     // from turn to turn
    int64_t position; // in the row
} Move;

// False: it is not at the loop's variable and constants.
static bool find_position(const Masked *masked, const TirExpr *view, Move *move) {
    const Type *type = view->view.operand->type;
    bool found = false;
    for (size_t k = 0; k < type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (found) {
            if (axis->index != NULL) {
                return false;
            }
            move->step *= type->dims[k];
            move->position = move->position * type->dims[k] + axis->start;
        } else if (axis->index != NULL && lanes_varies(&masked->body, axis->index)) {
            if (axis->index->kind != EXPR_VAR || axis->index->var != masked->body.counter) {
                return false;
            }
            found = true;
            move->dim = k;
            move->step = 1;
        }
    }
    return found && move->step > 1;
}

static Move move_of(const Masked *masked, const TirStmt *stmt) {
    Move move = {.there = NULL};
    if (stmt->kind != STMT_SET) {
        return move;
    }
    const TirExpr *place = stmt->set.place;
    const TirExpr *value = stmt->set.value;
    move.is_read = place->kind == EXPR_VAR;
    move.here = move.is_read ? place : value;
    const TirExpr *there = move.is_read ? value : place;
    bool is_move = type_is_scalar(there->type) && there->type->root != ROOT_BOOL &&
                   there->kind == EXPR_VIEW && there->view.operand->kind == EXPR_VAR &&
                   (move.is_read ? table_get(&masked->body.written, place->var) != NULL
                                 : tir_expr_reads(value, there->view.operand->var) == 0) &&
                   find_position(masked, there, &move);
    move.root = there->type->root;
    move.there = is_move ? there : NULL;
    return move;
}

// Whether they are in the same part of one array.
static bool are_beside(const Move *a, const Move *b) {
    bool are = lanes_array(a->there) == lanes_array(b->there) && a->dim == b->dim;
    for (size_t k = 0; are && k < a->dim; k++) {
        const TirAxis *x = &a->there->view.axes[k], *y = &b->there->view.axes[k];
        are = x->index == NULL || y->index == NULL ? x->index == y->index && x->start == y->start
                                                   : tir_same_value(x->index, y->index);
    }
    return are;
}

// Those behind `first` that go on where it is.
static size_t count_moves(const Masked *masked, const TirBlock *block, size_t first) {
    Move begin = move_of(masked, block->items[first]);
    size_t count = 1;
    for (; begin.there != NULL && first + count < block->count; count++) {
        Move next = move_of(masked, block->items[first + count]);
        if (next.there == NULL || next.is_read != begin.is_read || !are_beside(&begin, &next) ||
            next.position != begin.position + (int64_t)count) {
            break;
        }
    }
    return begin.there == NULL ? 0 : count;
}

bool masked_has_rows(const Masked *masked, const TirBlock *body) {
    for (size_t i = 0; i < body->count; i++) {
        if (count_moves(masked, body, i) > 1) {
            return true;
        }
    }
    return false;
}

// The turn of a lane of the part at hand, or the last one.
static LLVMValueRef turn_of(Gen *gen, unsigned lane) {
    Masked *masked = gen->masked;
    unsigned number = masked->part * masked->lanes + lane;
    if (masked->row_turns[number] == NULL) {
        LLVMValueRef counter = gen_index_add(gen, masked->counter, gen_i64(gen, number));
        LLVMValueRef last = LLVMBuildNSWSub(gen->builder, masked->last, gen_i64(gen, 1), "");
        LLVMValueRef args[] = {counter, last};
        masked->row_turns[number] = gen_intrinsic(gen, "llvm.smin", &gen->i64, 1, args, 2);
    }
    return masked->row_turns[number];
}

// Where the array begins in the dims from that of the turns on.
static LLVMValueRef part_address(Gen *gen, const Move *move) {
    CHECK(move->there != NULL);
    const Type *type = move->there->view.operand->type;
    LLVMValueRef at = gen_i64(gen, 0);
    for (size_t k = 0; k < move->dim; k++) {
        const TirAxis *axis = &move->there->view.axes[k];
        LLVMValueRef index =
            axis->index != NULL ? masked_first(gen, axis->index) : gen_i64(gen, axis->start);
        at = gen_index_add(gen, gen_index_mul(gen, at, type->dims[k]), index);
    }
    at = gen_index_mul(gen, at, (uint64_t)move->step * type->dims[move->dim]);
    return gen_offset(gen, move->root, masked_array_address(gen, move->there), at);
}

// Where the row of a lane of the part at hand has the element `first` behind the one that moves.
static LLVMValueRef row_address(Gen *gen, const Move *move, unsigned lane, unsigned first) {
    LLVMValueRef at =
        gen_index_add(gen, gen_index_mul(gen, turn_of(gen, lane), (uint64_t)move->step),
                      gen_i64(gen, move->position + first));
    return gen_offset(gen, move->root, part_address(gen, move), at);
}

static LLVMTypeRef row_type(Gen *gen, const Move *move, unsigned count) {
    LLVMTypeRef scalar = gen_memory_type(gen, move->root);
    return count == 1 ? scalar : LLVMVectorType(scalar, count);
}

static void mark(Gen *gen, const Move *move, LLVMValueRef access) {
    LLVMSetAlignment(access, (unsigned)gen_root_bytes(gen, move->root));
    alias_mark(gen, access, lanes_array(move->there));
}

// Whether rows without gaps are read and written as the vectors that they fill.
static bool are_woven(const Masked *masked, const Move *first, unsigned count) {
    return count <= WOVEN_LIMIT && first->step == count &&
           (masked->is_full || masked->has_mask_registers);
}

// One of the `count` vectors of all rows of the part at hand.
typedef struct Piece {
    LLVMValueRef address;
    LLVMValueRef is_row; // a bit for each lane; NULL: all are
} Piece;

static Piece piece_of(Gen *gen, const Move *move, unsigned count, unsigned number) {
    Masked *masked = gen->masked;
    LLVMValueRef counter =
        gen_index_add(gen, masked->counter, gen_i64(gen, masked->part * masked->lanes));
    LLVMValueRef at = gen_index_add(gen, gen_index_mul(gen, counter, count),
                                    gen_i64(gen, number * masked->lanes));
    LLVMValueRef address = gen_offset(gen, move->root, part_address(gen, move), at);
    if (masked->is_full) {
        return (Piece){address, NULL};
    }
    LLVMValueRef left = LLVMBuildNSWSub(gen->builder, masked->last, counter, "");
    LLVMValueRef elements[LANES_LIMIT];
    for (unsigned i = 0; i < masked->lanes; i++) {
        elements[i] = gen_i64(gen, number * masked->lanes + i);
    }
    LLVMValueRef end = lanes_splat(gen, gen_index_mul(gen, left, count), masked->lanes);
    return (Piece){address, LLVMBuildICmp(gen->builder, LLVMIntSLT,
                                          LLVMConstVector(elements, masked->lanes), end, "")};
}

static LLVMValueRef load_piece(Gen *gen, const Move *move, const Piece *piece) {
    LLVMTypeRef type = lanes_type(gen_memory_type(gen, move->root), gen->masked->lanes);
    if (piece->is_row == NULL) {
        LLVMValueRef value = LLVMBuildLoad2(gen->builder, type, piece->address, "");
        mark(gen, move, value);
        return value;
    }
    LLVMTypeRef types[] = {type, gen->pointer};
    LLVMValueRef args[] = {piece->address, gen_i32(gen, (int64_t)gen_root_bytes(gen, move->root)),
                           piece->is_row, LLVMConstNull(type)};
    LLVMValueRef value = gen_intrinsic(gen, "llvm.masked.load", types, 2, args, 4);
    alias_mark(gen, value, lanes_array(move->there));
    return value;
}

static void store_piece(Gen *gen, const Move *move, const Piece *piece, LLVMValueRef value) {
    if (piece->is_row == NULL) {
        mark(gen, move, LLVMBuildStore(gen->builder, value, piece->address));
        return;
    }
    LLVMTypeRef types[] = {LLVMTypeOf(value), gen->pointer};
    LLVMValueRef args[] = {value, piece->address,
                           gen_i32(gen, (int64_t)gen_root_bytes(gen, move->root)), piece->is_row};
    alias_mark(gen, gen_intrinsic(gen, "llvm.masked.store", types, 2, args, 4),
               lanes_array(move->there));
}

static void read_woven(Gen *gen, TirStmt *const *stmts, unsigned count) {
    LLVMValueRef values[TILE_LIMIT];
    Move first = move_of(gen->masked, stmts[0]);
    for (unsigned k = 0; k < count; k++) {
        Piece piece = piece_of(gen, &first, count, k);
        values[k] = load_piece(gen, &first, &piece);
    }
    unweave_vectors(gen, values, count);
    for (unsigned k = 0; k < count; k++) {
        masked_assign(gen, stmts[k]->set.place->var, values[k], NULL);
    }
}

static void write_woven(Gen *gen, TirStmt *const *stmts, unsigned count) {
    LLVMValueRef values[TILE_LIMIT];
    Move first = move_of(gen->masked, stmts[0]);
    for (unsigned k = 0; k < count; k++) {
        values[k] = masked_lanes(gen, move_of(gen->masked, stmts[k]).here);
    }
    weave_vectors(gen, values, count);
    for (unsigned k = 0; k < count; k++) {
        Piece piece = piece_of(gen, &first, count, k);
        store_piece(gen, &first, &piece, values[k]);
    }
}

static LLVMValueRef load_row(Gen *gen, void *data, unsigned row, unsigned first, unsigned count) {
    const Move *move = data;
    LLVMValueRef address = row_address(gen, move, row, first);
    LLVMValueRef value = LLVMBuildLoad2(gen->builder, row_type(gen, move, count), address, "");
    mark(gen, move, value);
    return value;
}

static void read_rows(Gen *gen, TirStmt *const *stmts, unsigned count) {
    LLVMValueRef rows[TILE_LIMIT];
    Move first = move_of(gen->masked, stmts[0]);
    TransposeLoads loads = {load_row, &first, gen->masked->lanes,
                            (unsigned)gen_root_bytes(gen, first.root)};
    transpose_loads(gen, rows, &loads, count);
    for (unsigned k = 0; k < count; k++) {
        masked_assign(gen, stmts[k]->set.place->var, rows[k], NULL);
    }
}

static void write_rows(Gen *gen, TirStmt *const *stmts, unsigned count) {
    LLVMValueRef rows[TILE_LIMIT];
    Move first = move_of(gen->masked, stmts[0]);
    unsigned lanes = gen->masked->lanes;
    for (unsigned k = 0; k < count; k++) {
        rows[k] = masked_lanes(gen, move_of(gen->masked, stmts[k]).here);
    }
    transpose_vectors(gen, rows, count, lanes);
    for (unsigned lane = lanes; lane-- > 0;) {
        LLVMValueRef address = row_address(gen, &first, lane, 0);
        mark(gen, &first, LLVMBuildStore(gen->builder, rows[lane], address));
    }
}

size_t masked_rows(Gen *gen, const TirBlock *block, size_t first) {
    Masked *masked = gen->masked;
    if (block != masked->values.body || masked->has_jumps || masked->lanes > TILE_LIMIT) {
        return 0; // not for all turns
    }
    size_t count = count_moves(masked, block, first);
    if (count < 2) {
        return 0;
    }
    Move begin = move_of(masked, block->items[first]);
    bool is_read = begin.is_read;
    bool is_woven = are_woven(masked, &begin, (unsigned)count);
    for (unsigned p = masked->parts; p-- > 0;) {
        masked->part = p;
        if (is_woven) {
            (is_read ? read_woven : write_woven)(gen, block->items + first, (unsigned)count);
            continue;
        }
        for (size_t done = 0; done < count; done += masked->lanes) {
            size_t left = count - done;
            unsigned now = left < masked->lanes ? (unsigned)left : masked->lanes;
            (is_read ? read_rows : write_rows)(gen, block->items + first + done, now);
        }
    }
    return count;
}
