// The two orders in which passes go through blocks and put statements where others are. Where
// a statement stands in its block, or what is around it, matters, passes have walks of their own.
#include "tir/rewrite.h"

#include "tir/visit.h"

void tir_rewrite_inner_first(Tir *tir, TirBlock *block, TirRewrite *rewrite, void *data) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            tir_rewrite_inner_first(tir, nested[k], rewrite, data);
        }
        if (!rewrite(block->items[i], &out, data)) {
            LIST_PUSH(tir->arena, &out, block->items[i]);
        }
    }
    *block = out;
}

void tir_rewrite_outer_first(Tir *tir, TirBlock *block, TirRewrite *rewrite, void *data) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        if (rewrite(block->items[i], &out, data)) {
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            tir_rewrite_outer_first(tir, nested[k], rewrite, data);
        }
        LIST_PUSH(tir->arena, &out, block->items[i]);
    }
    *block = out;
}
