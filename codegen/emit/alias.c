// Each variable of the state is an alias scope of its own; an access is in the scope of its
// variable and has no alias in those of the others. Scopes are named by strings, so they mean the
// same in every function, also after inlining: whatever state a pointer leads to, members of
// different names lie apart in it.
#include "codegen/emit/alias.h"

#include "codegen/gen.h"
#include "support/table.h"

#include <string.h>

enum { VARIABLE_LIMIT = 64 }; // the lists grow with its square

static LLVMMetadataRef text(Gen *gen, const char *chars) {
    return LLVMMDStringInContext2(gen->llvm, chars, strlen(chars));
}

static LLVMValueRef node(Gen *gen, LLVMMetadataRef *items, size_t count) {
    return LLVMMetadataAsValue(gen->llvm, LLVMMDNodeInContext2(gen->llvm, items, count));
}

static bool has_scope(const TirVar *var) {
    return var->storage == STORAGE_STATE && var->name != NULL;
}

// Makes the lists of all variables; none when there are too many, or nothing to tell apart.
static void create_scopes(Gen *gen) {
    const TirProgram *program = gen->program;
    gen->has_alias_scopes = true;
    if (program->globals.count < 2 || program->globals.count > VARIABLE_LIMIT) {
        return;
    }
    const char *owner = program->symbol == NULL ? gen->prefix : program->symbol;
    LLVMMetadataRef domain = text(gen, owner);
    domain = LLVMMDNodeInContext2(gen->llvm, &domain, 1);
    LLVMMetadataRef scopes[VARIABLE_LIMIT];
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        const char *name = arena_format(gen->arena, "%s.%u", owner, (unsigned)var->id);
        LLVMMetadataRef scope[] = {text(gen, name), domain};
        scopes[i] = LLVMMDNodeInContext2(gen->llvm, scope, 2);
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        LLVMMetadataRef others[VARIABLE_LIMIT];
        size_t count = 0;
        for (size_t k = 0; k < program->globals.count; k++) {
            if (k != i && has_scope(program->globals.items[k])) {
                others[count++] = scopes[k];
            }
        }
        if (has_scope(var) && count > 0) {
            table_set(gen->arena, &gen->alias_own, var, node(gen, &scopes[i], 1));
            table_set(gen->arena, &gen->alias_others, var, node(gen, others, count));
        }
    }
}

static void set_metadata(Gen *gen, LLVMValueRef access, const char *kind, LLVMValueRef list) {
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(gen->llvm, kind, (unsigned)strlen(kind)),
                    list);
}

void alias_mark(Gen *gen, LLVMValueRef access, const TirVar *var) {
    if (var == NULL || !has_scope(var) || gen->options->opt_level == 0) {
        return;
    }
    if (!gen->has_alias_scopes) {
        create_scopes(gen);
    }
    LLVMValueRef own = table_get(&gen->alias_own, var);
    if (own != NULL) {
        set_metadata(gen, access, "alias.scope", own);
        set_metadata(gen, access, "noalias", table_get(&gen->alias_others, var));
    }
}
