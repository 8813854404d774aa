// See struct_layout.h.
#include "tir/struct_layout.h"

#include "support/bug.h"
#include "types/memory.h"

uint64_t bytes_sum(uint64_t a, uint64_t b) {
    uint64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        BUG("the variables of a program pass 2^64 bytes");
    }
    return sum;
}

Growing struct_begin(uint64_t *bytes, uint64_t *align) {
    *bytes = 0;
    *align = 1;
    return (Growing){bytes, align};
}

uint64_t struct_append(const Growing *to, uint64_t bytes, uint64_t align) {
    uint64_t offset = align_up(*to->bytes, align);
    *to->bytes = bytes_sum(offset, bytes);
    *to->align = align > *to->align ? align : *to->align;
    return offset;
}

void interface_lay_out(const Tir *tir, TirProgram *program) {
    Growing inputs = struct_begin(&program->inputs_bytes, &program->inputs_align);
    Growing outputs = struct_begin(&program->outputs_bytes, &program->outputs_align);
    Growing params = struct_begin(&program->params_bytes, &program->params_align);
    for (size_t i = 0; i < program->interface.count; i++) {
        TirInterface *item = program->interface.items[i];
        if (item->var == NULL || !item->is_present) {
            continue;
        }
        const Growing *to = item->kind == INTERFACE_INPUT    ? &inputs
                            : item->kind == INTERFACE_OUTPUT ? &outputs
                                                             : &params;
        item->offset = struct_append(to, type_bytes(item->type, tir->single),
                                     root_bytes(item->type->root, tir->single));
    }
}
