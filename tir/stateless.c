// See stateless.h.
#include "tir/stateless.h"

#include "tir/uses.h"

static bool are_outputs_direct(const TirProgram *component) {
    for (size_t i = 0; i < component->interface.count; i++) {
        const TirInterface *item = component->interface.items[i];
        if (item->kind == INTERFACE_OUTPUT && !item->is_direct) {
            return false;
        }
    }
    return true;
}

bool tir_is_stateless_step(const TirProgram *program, const TirFunction *function) {
    bool is_step = function == program->output || function == program->past.output;
    if (program->kind != PROGRAM_COMPONENT || !is_step || program->update != NULL ||
        program->instances.count > 0 || !are_outputs_direct(program)) {
        return false;
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->role == VAR_GLOBAL && tir_block_writes(&function->body, var)) {
            return false;
        }
    }
    return true;
}
