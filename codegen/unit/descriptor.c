// Each struct here has the members of its namesake in runtime/abi/model.h, in order; LLVM lays them
// out as the target's C compiler does.
#include "codegen/unit/descriptor.h"

#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/unit/link_name.h"
#include "runtime/abi/model.h"
#include "support/table.h"

#include <string.h>

_Static_assert((int)ROOT_BOOL == TML_BOOL && (int)ROOT_UINT == TML_UINT &&
                   (int)ROOT_INT == TML_INT && (int)ROOT_REAL == TML_REAL,
               "the runtime numbers scalar types as sema does");

static LLVMValueRef small(LLVMTypeRef type, uint64_t value) {
    return LLVMConstInt(type, value, false);
}

LLVMValueRef descriptor_struct(Gen *gen, LLVMValueRef *members, unsigned count) {
    return LLVMConstStructInContext(gen->llvm, members, count, false);
}

LLVMValueRef descriptor_array(Gen *gen, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                              size_t count) {
    if (count == 0) {
        return LLVMConstNull(gen->pointer);
    }
    LLVMValueRef array = LLVMConstArray2(type, items, count);
    return gen_constant(gen, name, array, LLVMABIAlignmentOfType(gen->target.layout, type));
}

static LLVMValueRef level_ranks(Gen *gen, const Type *type) {
    LLVMValueRef ranks[TYPE_DEPTH_LIMIT];
    size_t depth = 0;
    for (const Type *level = type; type_is_tensor(level); level = level->base) {
        ranks[depth++] = small(gen->i16, level->rank);
    }
    return descriptor_array(gen, "ranks", gen->i16, ranks, depth);
}

LLVMValueRef descriptor_type(Gen *gen, const Type *type) {
    LLVMValueRef table = table_get(&gen->type_tables, type);
    if (table != NULL) {
        return table;
    }
    LLVMValueRef dims[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < type->flat_rank; k++) {
        dims[k] = gen_i32(gen, type->dims[k]);
    }
    LLVMValueRef members[] = {
        small(gen->i8, (uint64_t)type->root),
        small(gen->i8, gen_root_bytes(gen, ROOT_REAL)),
        small(gen->i16, type->depth),
        small(gen->i16, type->flat_rank),
        level_ranks(gen, type),
        descriptor_array(gen, "dims", gen->i32, dims, type->flat_rank),
    };
    table = descriptor_struct(gen, members, 6);
    table = gen_constant(gen, "type", table,
                         LLVMABIAlignmentOfType(gen->target.layout, LLVMTypeOf(table)));
    table_set(gen->arena, &gen->type_tables, type, table);
    return table;
}

LLVMValueRef descriptor_variable(Gen *gen, const ModelRow *row, LLVMValueRef name,
                                 LLVMValueRef value) {
    LLVMValueRef members[] = {
        name,
        gen_string(gen, row->space, strlen(row->space)),
        small(gen->i8, (uint64_t)row->role),
        small(gen->i8, row->has_feedthrough),
        small(gen->i8, row->is_optional),
        row->type == NULL ? LLVMConstNull(gen->pointer) : descriptor_type(gen, row->type),
        gen_size(gen, row->offset),
        value,
    };
    return descriptor_struct(gen, members, sizeof(members) / sizeof(members[0]));
}

LLVMValueRef descriptor_port(Gen *gen, Slice name, bool is_output, const Type *type) {
    for (size_t i = 0; i < gen->ports.count; i++) {
        const GenPort *port = &gen->ports.items[i];
        if (port->is_output == is_output && port->name.len == name.len &&
            memcmp(port->name.data, name.data, name.len) == 0) {
            return port->text;
        }
    }
    GenPort port = {name, is_output, type, gen_string(gen, name.data, name.len)};
    LIST_PUSH(gen->arena, &gen->ports, port);
    return port.text;
}

size_t descriptor_text(Gen *gen, Slice text) {
    LIST_PUSH(gen->arena, &gen->texts, text);
    return gen->texts.count - 1;
}

const char *descriptor_symbol(Gen *gen) {
    bool has_model = gen->program->kind != PROGRAM_LIBRARY || gen->program->is_tested;
    if (!has_model || gen->options->no_table) {
        return NULL;
    }
    return link_name(gen->arena, arena_format(gen->arena, "%s_model", gen->prefix), gen->hash);
}
