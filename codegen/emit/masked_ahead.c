// See tir/lanes_rows.h for what is moved so. Lanes that are no turn read and write the row of the
// last turn. They come before that turn, so what it writes stays.
#include "codegen/emit/masked_ahead.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

// Some lanes may not write, so that all write one element after the other.
static void move_nothing_written(LanesRows *rows) {
    size_t count = 0;
    for (size_t i = 0; i < rows->reads.count; i++) {
        if (!lanes_rows_write(rows, lanes_array(rows->reads.items[i]))) {
            rows->reads.items[count++] = rows->reads.items[i];
        }
    }
    rows->reads.count = count;
    rows->writes.count = 0;
}

MaskedAhead masked_ahead_find(Gen *gen, TirStmt *loop) {
    MaskedAhead ahead = {.rows = lanes_rows(gen->arena, &gen->masked->body, loop)};
    if (gen->masked->lanes > TILE_LIMIT) {
        ahead.rows = (LanesRows){0};
    }
    if (gen->masked->conditions > 0 || gen->masked->has_jumps) {
        move_nothing_written(&ahead.rows);
    }
    ahead.reads = arena_alloc(gen->arena, ahead.rows.reads.count * sizeof(*ahead.reads) + 1);
    ahead.writes = arena_alloc(gen->arena, ahead.rows.writes.count * sizeof(*ahead.writes) + 1);
    return ahead;
}

// How many elements the row of a lane is behind that of the first lane of the part at hand.
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

// Where the row of a lane of the part at hand goes on; `first` is where that of the first one does,
// which may be outside.
static LLVMValueRef row_address(Gen *gen, const TirExpr *view, LLVMValueRef first, unsigned lane) {
    int64_t step;
    CHECK(lanes_step(&gen->masked->body, NULL, view, &step));
    LLVMValueRef offset = row_offset(gen, lane, step);
    LLVMTypeRef type = gen_memory_type(gen, view->type->root);
    return LLVMBuildGEP2(gen->builder, type, first, &offset, 1, "");
}

// Where the elements of the row of the first lane begin that so many turns move.
static LLVMValueRef first_address(Gen *gen, const LanesRows *rows, const TirExpr *view,
                                  unsigned count) {
    LLVMValueRef at = masked_address(gen, view);
    LLVMValueRef back = gen_i64(gen, rows->is_backward ? 1 - (int64_t)count : 0);
    LLVMTypeRef type = gen_memory_type(gen, view->type->root);
    return LLVMBuildGEP2(gen->builder, type, at, &back, 1, "");
}

// Which of so many elements a turn has.
static unsigned position(const LanesRows *rows, unsigned count, unsigned turn) {
    return rows->is_backward ? count - 1 - turn : turn;
}

// The rows of all lanes in memory.
typedef struct Source {
    const TirExpr *view;
    LLVMValueRef first; // first_address
} Source;

static LLVMValueRef load_part(Gen *gen, void *data, unsigned row, unsigned first, unsigned count) {
    const Source *source = data;
    Root root = source->view->type->root;
    LLVMValueRef start = row_address(gen, source->view, source->first, row);
    LLVMValueRef address = gen_offset(gen, root, start, gen_i64(gen, first));
    LLVMValueRef value = gen_load(gen, root, address, count);
    alias_mark(gen, value, lanes_array(source->view));
    return value;
}

static void read_part(Gen *gen, const LanesRows *of, const TirExpr *view, unsigned count,
                      Parts *turns) {
    const Masked *masked = gen->masked;
    LLVMValueRef rows[TILE_LIMIT];
    Source source = {view, first_address(gen, of, view, count)};
    TransposeLoads loads = {load_part, &source, masked->lanes,
                            (unsigned)gen_root_bytes(gen, view->type->root)};
    transpose_loads(gen, rows, &loads, count);
    for (unsigned turn = 0; turn < count; turn++) {
        turns[turn].of[masked->part] = rows[position(of, count, turn)];
    }
}

static void write_part(Gen *gen, const LanesRows *of, const TirExpr *view, unsigned count,
                       const Parts *turns) {
    const Masked *masked = gen->masked;
    LLVMValueRef first = first_address(gen, of, view, count);
    LLVMValueRef rows[TILE_LIMIT];
    for (unsigned turn = 0; turn < count; turn++) {
        rows[position(of, count, turn)] = turns[turn].of[masked->part];
    }
    transpose_vectors(gen, rows, count, masked->lanes);
    for (unsigned lane = masked->lanes; lane-- > 0;) {
        LLVMValueRef at = row_address(gen, view, first, lane);
        LLVMValueRef store = LLVMBuildStore(gen->builder, rows[lane], at);
        LLVMSetAlignment(store, (unsigned)gen_root_bytes(gen, view->type->root));
        alias_mark(gen, store, lanes_array(view));
    }
}

void masked_ahead_read(Gen *gen, const MaskedAhead *ahead, unsigned count) {
    Masked *masked = gen->masked;
    for (size_t i = 0; i < ahead->rows.reads.count; i++) {
        for (masked->part = 0; masked->part < masked->parts; masked->part++) {
            read_part(gen, &ahead->rows, ahead->rows.reads.items[i], count, ahead->reads[i]);
        }
    }
}

static void moves_are(Gen *gen, const LanesViews *views, Parts (*turns)[MASKED_AHEAD],
                      const unsigned *turn) {
    for (size_t i = 0; i < views->count; i++) {
        table_set(gen->arena, &gen->masked->ahead, views->items[i],
                  turn != NULL ? &turns[i][*turn] : NULL);
    }
}

void masked_ahead_begin(Gen *gen, const MaskedAhead *ahead, unsigned turn) {
    gen->masked->rows = &ahead->rows;
    moves_are(gen, &ahead->rows.reads, ahead->reads, &turn);
    moves_are(gen, &ahead->rows.writes, ahead->writes, &turn);
}

void masked_ahead_end(Gen *gen, const MaskedAhead *ahead) {
    gen->masked->rows = NULL;
    moves_are(gen, &ahead->rows.reads, ahead->reads, NULL);
    moves_are(gen, &ahead->rows.writes, ahead->writes, NULL);
}

bool masked_ahead_keep(Gen *gen, const TirExpr *place, LLVMValueRef value) {
    Masked *masked = gen->masked;
    Parts *kept = table_get(&masked->ahead, place);
    if (kept == NULL) {
        return false;
    }
    kept->of[masked->part] = value;
    for (size_t i = 0; i < masked->rows->reads.count; i++) { // what follows in the turn reads it
        const TirExpr *view = masked->rows->reads.items[i];
        if (lanes_array(view) == lanes_array(place)) {
            Parts *read = table_get(&masked->ahead, view);
            read->of[masked->part] = value;
        }
    }
    return true;
}

void masked_ahead_write(Gen *gen, const MaskedAhead *ahead, unsigned count) {
    Masked *masked = gen->masked;
    for (size_t i = 0; i < ahead->rows.writes.count; i++) {
        for (masked->part = masked->parts; masked->part-- > 0;) {
            write_part(gen, &ahead->rows, ahead->rows.writes.items[i], count, ahead->writes[i]);
        }
    }
}
