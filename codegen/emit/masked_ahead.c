// See tir/lanes_rows.h for what is read so.
#include "codegen/emit/masked_ahead.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

MaskedAhead masked_ahead_find(Gen *gen, TirStmt *loop) {
    MaskedAhead ahead = {.rows = lanes_rows(gen->arena, &gen->masked->body, loop)};
    if (gen->masked->lanes > TILE_LIMIT) {
        ahead.rows.views.count = 0;
    }
    ahead.turns = arena_alloc(gen->arena, ahead.rows.views.count * sizeof(*ahead.turns) + 1);
    return ahead;
}

// How many elements the row of a lane is behind that of the first lane of the part at hand. Lanes
// that are no turn read the row of the last one.
static LLVMValueRef row_offset(Gen *gen, unsigned lane, int64_t step) {
    const Masked *masked = gen->masked;
    LLVMValueRef turn = gen_i64(gen, lane);
    if (!masked->is_full) {
        LLVMValueRef first =
            gen_index_add(gen, masked->counter, gen_i64(gen, masked->part * masked->lanes));
        LLVMValueRef left = LLVMBuildNSWSub(gen->builder, masked->last, first, "");
        LLVMValueRef args[] = {turn, LLVMBuildNSWSub(gen->builder, left, gen_i64(gen, 1), "")};
        turn = gen_intrinsic(gen, "llvm.smin", &gen->i64, 1, args, 2);
    }
    return LLVMBuildMul(gen->builder, turn, gen_i64(gen, step), "");
}

static void read_part(Gen *gen, const TirExpr *view, unsigned count, Parts *turns) {
    const Masked *masked = gen->masked;
    int64_t step;
    CHECK(lanes_step(&masked->body, NULL, view, &step));
    Root root = view->type->root;
    LLVMTypeRef type = gen_memory_type(gen, root);
    LLVMValueRef first = masked_address(gen, view); // which may be outside
    LLVMValueRef rows[TILE_LIMIT];
    for (unsigned lane = 0; lane < masked->lanes; lane++) {
        LLVMValueRef offset = row_offset(gen, lane, step);
        LLVMValueRef at = LLVMBuildGEP2(gen->builder, type, first, &offset, 1, "");
        rows[lane] = gen_load(gen, root, at, count);
        alias_mark(gen, rows[lane], masked_array(view));
    }
    if (count == 1) {
        turns[0].of[masked->part] = lanes_collect(gen, rows, masked->lanes);
        return;
    }
    transpose_vectors(gen, rows, masked->lanes, count);
    for (unsigned turn = 0; turn < count; turn++) {
        turns[turn].of[masked->part] = rows[turn];
    }
}

void masked_ahead_read(Gen *gen, const MaskedAhead *ahead, unsigned count) {
    Masked *masked = gen->masked;
    for (size_t i = 0; i < ahead->rows.views.count; i++) {
        for (masked->part = 0; masked->part < masked->parts; masked->part++) {
            read_part(gen, ahead->rows.views.items[i], count, ahead->turns[i]);
        }
    }
}

void masked_ahead_begin(Gen *gen, const MaskedAhead *ahead, unsigned turn) {
    for (size_t i = 0; i < ahead->rows.views.count; i++) {
        table_set(gen->arena, &gen->masked->ahead, ahead->rows.views.items[i],
                  &ahead->turns[i][turn]);
    }
}

void masked_ahead_end(Gen *gen, const MaskedAhead *ahead) {
    for (size_t i = 0; i < ahead->rows.views.count; i++) {
        table_set(gen->arena, &gen->masked->ahead, ahead->rows.views.items[i], NULL);
    }
}
