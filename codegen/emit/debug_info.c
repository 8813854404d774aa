// Compile unit, files, functions, lines and variables.
//
// At -O0 -g nothing is promoted to registers, so every variable has a home for its whole function.
// What lives in the state or in the caller's memory is found through a slot of the frame that holds
// the pointer.
#include "codegen/emit/debug_info.h"

#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

enum {
    DWARF_VERSION = 4, // valgrind stops at forms that LLVM takes from 5
    DW_ATE_BOOLEAN = 0x02,
    DW_ATE_FLOAT = 0x04,
    DW_ATE_SIGNED = 0x05,
    DW_ATE_UNSIGNED = 0x07,
    DW_OP_DEREF = 0x06,
    DW_OP_PLUS_UCONST = 0x23,
};

static void add_flag(Gen *gen, const char *key, unsigned value) {
    LLVMAddModuleFlag(gen->module, LLVMModuleFlagBehaviorWarning, key, strlen(key),
                      LLVMValueAsMetadata(gen_i32(gen, value)));
}

// Directories are relative to where the debugger runs: objects do not depend on where they are
// made.
static LLVMMetadataRef file_of(Gen *gen, uint32_t index) {
    if (gen->debug_files[index] == NULL) {
        const char *path = sources_file(gen->context->sources, index)->path;
        gen->debug_files[index] = LLVMDIBuilderCreateFile(gen->debug, path, strlen(path), ".", 1);
    }
    return gen->debug_files[index];
}

// Runs side by side want places for what they cannot do, without a debugger too (debug_drop).
void debug_begin(Gen *gen) {
    uint32_t file_count = sources_count(gen->context->sources);
    if ((!gen->options->debug && gen->options->batch == 0) || file_count == 0) {
        return;
    }
    LLVMSetIsNewDbgInfoFormat(gen->module, true);
    add_flag(gen, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(gen, "Dwarf Version", DWARF_VERSION);
    gen->debug = LLVMCreateDIBuilder(gen->module);
    gen->debug_files = ARENA_ARRAY(gen->arena, LLVMMetadataRef, file_count);
    LLVMDIBuilderCreateCompileUnit(gen->debug, LLVMDWARFSourceLanguageC99, file_of(gen, 0), "tmlc",
                                   4, gen->options->opt_level > 0, "", 0, 0, "", 0,
                                   LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
}

void debug_end(Gen *gen) {
    if (gen->debug != NULL) {
        LLVMDIBuilderFinalize(gen->debug);
        LLVMDisposeDIBuilder(gen->debug);
        gen->debug = NULL;
    }
}

void debug_drop(Gen *gen) {
    if (!gen->options->debug && gen->options->batch > 0) {
        LLVMStripModuleDebugInfo(gen->module);
    }
}

static LLVMMetadataRef scalar_type(Gen *gen, Root root) {
    static const unsigned encodings[] = {
        [ROOT_BOOL] = DW_ATE_BOOLEAN,
        [ROOT_UINT] = DW_ATE_UNSIGNED,
        [ROOT_INT] = DW_ATE_SIGNED,
        [ROOT_REAL] = DW_ATE_FLOAT,
    };
    const char *name = root_text(root);
    return LLVMDIBuilderCreateBasicType(gen->debug, name, strlen(name),
                                        8 * gen_root_bytes(gen, root), encodings[root],
                                        LLVMDIFlagZero);
}

// All levels of a tensor are one array of its flat dims; it has the name that TML gives the type,
// by which share/gdb.py knows the levels.
static LLVMMetadataRef debug_type(Gen *gen, const Type *type) {
    LLVMMetadataRef result = table_get(&gen->debug_types, type);
    if (result != NULL) {
        return result;
    }
    result = scalar_type(gen, type->root);
    if (type_is_tensor(type)) {
        LLVMMetadataRef dims[TYPE_FLAT_LIMIT];
        for (size_t k = 0; k < type->flat_rank; k++) {
            dims[k] = LLVMDIBuilderGetOrCreateSubrange(gen->debug, 0, type->dims[k]);
        }
        result = LLVMDIBuilderCreateArrayType(gen->debug, 8 * gen_type_bytes(gen, type),
                                              8 * gen_type_align(gen, type), result, dims,
                                              type->flat_rank);
        const char *name = type_text(gen->arena, type);
        result = LLVMDIBuilderCreateTypedef(gen->debug, result, name, strlen(name), file_of(gen, 0),
                                            0, NULL, 0);
    }
    table_set(gen->arena, &gen->debug_types, type, result);
    return result;
}

static SourcePlace place_of(Gen *gen, Span span) {
    return sources_place(gen->context->sources, span.start);
}

static void begin_function(Gen *gen, const char *name, Span span, bool is_local,
                           LLVMDIFlags flags) {
    SourcePlace place = place_of(gen, span);
    LLVMMetadataRef file = file_of(gen, place.file == NULL ? 0 : place.file->index);
    LLVMMetadataRef none = NULL;
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(gen->debug, file, &none, 1, LLVMDIFlagZero);
    gen->debug_scope = LLVMDIBuilderCreateFunction(gen->debug, file, name, strlen(name), "", 0,
                                                   file, place.line, type, is_local, true,
                                                   place.line, flags, gen->options->opt_level > 0);
    LLVMSetSubprogram(gen->value, gen->debug_scope);
    gen->debug_file = file;
    gen->debug_variables.count = 0;
    gen->debug_at = (GenContext){0};
    debug_place(gen, span);
}

void debug_nowhere(Gen *gen) {
    if (gen->debug != NULL) {
        LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    }
}

void debug_function(Gen *gen, const TirFunction *function) {
    if (gen->debug != NULL) {
        begin_function(gen, function->name->text, function->span, true, LLVMDIFlagPrototyped);
    }
}

void debug_host_function(Gen *gen, const char *name, Span span) {
    if (gen->debug != NULL) {
        begin_function(gen, name, span, false, LLVMDIFlagPrototyped | LLVMDIFlagArtificial);
    }
}

void debug_place(Gen *gen, Span span) {
    if (gen->debug == NULL) {
        return;
    }
    SourcePlace place = place_of(gen, span);
    LLVMSetCurrentDebugLocation2(
        gen->builder, LLVMDIBuilderCreateDebugLocation(gen->llvm, place.line, place.column,
                                                       gen->debug_scope, NULL));
}

// A slot of the frame that holds a pointer.
static LLVMValueRef pointer_slot(Gen *gen, LLVMValueRef pointer) {
    LLVMValueRef slot = LLVMBuildAlloca(gen->at_entry, gen->pointer, "");
    LLVMBuildStore(gen->at_entry, pointer, slot);
    return slot;
}

// The slot with the address of the struct that such variables are in; NULL: they are in none.
static LLVMValueRef context_slot(Gen *gen, TirStorage storage) {
    LLVMValueRef *slot = NULL;
    LLVMValueRef address = NULL;
    switch (storage) {
    case STORAGE_NONE:
    case STORAGE_REGISTER:
    case STORAGE_STACK:
    case STORAGE_ELEMENT:
    case STORAGE_PART:
    case STORAGE_ARGUMENT: return NULL;
    case STORAGE_STATE:
        slot = &gen->debug_at.state;
        address = gen->at.state;
        break;
    case STORAGE_SCRATCH:
        slot = &gen->debug_at.host;
        address = gen->at.host;
        break;
    case STORAGE_INPUTS:
        slot = &gen->debug_at.inputs;
        address = gen->at.inputs;
        break;
    case STORAGE_OUTPUTS:
        slot = &gen->debug_at.outputs;
        address = gen->at.outputs;
        break;
    case STORAGE_PARAMS:
        slot = &gen->debug_at.params;
        address = gen->at.params;
        break;
    }
    if (*slot == NULL) {
        *slot = pointer_slot(gen, address);
    }
    return *slot;
}

void debug_variable(Gen *gen, const TirVar *var, LLVMValueRef address, unsigned number) {
    if (gen->debug == NULL || !gen->options->debug || var->name == NULL) {
        return;
    }
    GenDebugVariable variable = {.var = var, .slot = address, .number = number};
    LLVMValueRef slot = context_slot(gen, var->storage);
    if (slot != NULL) {
        uint64_t base = var->storage == STORAGE_STATE ? gen->layout.globals_at
                        : var->storage == STORAGE_SCRATCH
                            ? gen->layout.scratch_at + gen->program->scratch_at
                            : 0;
        variable.slot = slot;
        variable.offset = base + var->offset;
        variable.is_indirect = true;
    } else if (LLVMIsAArgument(address) != NULL) {
        variable.slot = pointer_slot(gen, address);
        variable.is_indirect = true;
    }
    LIST_PUSH(gen->arena, &gen->debug_variables, variable);
}

static void declare_variable(Gen *gen, const GenDebugVariable *variable, LLVMValueRef entry_end) {
    const TirVar *var = variable->var;
    SourcePlace place = place_of(gen, var->span);
    LLVMMetadataRef type = debug_type(gen, var->type);
    LLVMMetadataRef description =
        variable->number != 0
            ? LLVMDIBuilderCreateParameterVariable(
                  gen->debug, gen->debug_scope, var->name->text, var->name->len, variable->number,
                  gen->debug_file, place.line, type, false, LLVMDIFlagZero)
            : LLVMDIBuilderCreateAutoVariable(gen->debug, gen->debug_scope, var->name->text,
                                              var->name->len, gen->debug_file, place.line, type,
                                              false, LLVMDIFlagZero, 0);
    uint64_t path[] = {DW_OP_DEREF, DW_OP_PLUS_UCONST, variable->offset};
    size_t steps = !variable->is_indirect ? 0 : variable->offset == 0 ? 1 : 3;
    LLVMMetadataRef location = LLVMDIBuilderCreateDebugLocation(gen->llvm, place.line, place.column,
                                                                gen->debug_scope, NULL);
    LLVMDIBuilderInsertDeclareRecordBefore(gen->debug, variable->slot, description,
                                           LLVMDIBuilderCreateExpression(gen->debug, path, steps),
                                           location, entry_end);
}

void debug_end_function(Gen *gen, LLVMValueRef entry_end) {
    if (gen->debug == NULL) {
        return;
    }
    for (size_t i = 0; i < gen->debug_variables.count; i++) {
        declare_variable(gen, &gen->debug_variables.items[i], entry_end);
    }
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
}
