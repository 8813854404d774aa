// See stack_bound.h. There is no recursion and no call through a pointer, so the bound of a
// function is its own frame and the greatest bound of those that it calls. With --threads the
// runtime calls what it is handed.
#include "codegen/target/stack_bound.h"

#include "codegen/codegen.h"
#include "codegen/module.h"
#include "codegen/target/frames.h"
#include "codegen/target/realign.h"
#include "codegen/target/target.h"
#include "codegen/unit/link_name.h"
#include "support/intern.h"
#include "support/table.h"

#include <ctype.h>
#include <string.h>

typedef struct Bound {
    uint64_t bytes;
    bool calls_libm;
} Bound;

typedef struct Walk {
    CodegenModule *module;
    const CodegenReport *report;
    Table bounds; // LLVM function to Bound
} Walk;

enum { ARGUMENT_SLOT = 8 }; // on the stack

typedef struct StackRules {
    uint64_t pushed;
    uint64_t align;
    unsigned register_args;
} StackRules;

// thumbv7em and its like, which have nothing that the stack would have to be aligned for.
static bool is_microcontroller(const char *triple) {
    static const char start[] = "thumbv";
    const char *m =
        text_begins_with(triple, start) ? strchr(triple + sizeof(start) - 1, 'm') : NULL;
    return m != NULL && m < triple + strcspn(triple, "-");
}

// Outside of x86 the return address is in a register, which the frame saves, and room for arguments
// on the stack is part of the frame.
static StackRules rules_of(const Target *target) {
    const Machine *has = target->has;
    unsigned align = is_microcontroller(target->triple) ? 2 * has->stack_align : has->stack_align;
    return (StackRules){has->pushed, align, has->register_args};
}

// The greatest alignment of what may be in a frame: arrays, and vectors that are saved there.
static uint64_t frame_align(Walk *walk, LLVMValueRef function) {
    uint64_t most = target_vector_bytes(&walk->module->target);
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAAllocaInst(at) != NULL && LLVMGetAlignment(at) > most) {
            most = LLVMGetAlignment(at);
        }
    }
    return most;
}

// A frame that is aligned further than the stack may begin with a gap, and is then rounded up: that
// with something in it that asks for it, and on x86 each that is marked, at least to the alignment
// of the stack, which saved registers disturb. The end of a frame on x86 is aligned like what is in
// it, by which others are told apart.
static uint64_t gap_bytes(uint64_t bytes, uint64_t align, bool is_marked, StackRules rules) {
    for (; align > rules.align; align /= 2) {
        bool is_aligned = rules.pushed == 0 || (bytes + rules.pushed) % align == 0;
        if (bytes > align && is_aligned) {
            break;
        }
    }
    return is_marked || align > rules.align ? 2 * align - rules.align : 0;
}

static uint64_t frame_bytes(Walk *walk, LLVMValueRef function, StackRules rules) {
    uint64_t bytes = frames_bytes(walk->module->frames, function);
    uint64_t gap = gap_bytes(bytes, frame_align(walk, function),
                             bytes > 0 && realign_is_marked(function), rules);
    return rules.pushed + bytes + gap;
}

static uint64_t argument_bytes(LLVMValueRef call, StackRules rules) {
    unsigned count = LLVMGetNumArgOperands(call);
    if (count <= rules.register_args) {
        return 0;
    }
    uint64_t bytes = (count - rules.register_args) * ARGUMENT_SLOT;
    return (bytes + 15) / 16 * 16;
}

// llvm.NAME.TYPE that became a call of NAME, or of NAMEf.
static bool is_libm_intrinsic(const CodegenReport *report, const char *intrinsic) {
    const char *name = intrinsic + strlen("llvm.");
    size_t len = strcspn(name, ".");
    for (size_t i = 0; i < report->externals.count; i++) {
        const char *external = report->externals.items[i];
        if (strncmp(external, name, len) == 0 &&
            (external[len] == '\0' || strcmp(external + len, "f") == 0)) {
            return true;
        }
    }
    return false;
}

static Bound bound_of(Walk *walk, LLVMValueRef function);

static void add_call(Walk *walk, LLVMValueRef call, StackRules rules, Bound *most) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAFunction(callee) == NULL) {
        return;
    }
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    LLVMValueRef handed = LLVMGetNumArgOperands(call) > 0 ? LLVMGetOperand(call, 0) : NULL;
    if (LLVMIsDeclaration(callee) && handed != NULL && LLVMIsAFunction(handed) != NULL) {
        Bound bound = bound_of(walk, handed);
        most->calls_libm = most->calls_libm || bound.calls_libm;
        bound.bytes += rules.pushed;
        most->bytes = bound.bytes > most->bytes ? bound.bytes : most->bytes;
        return;
    }
    if (LLVMIsDeclaration(callee)) {
        bool is_call = !text_begins_with(name, "llvm.") || is_libm_intrinsic(walk->report, name);
        uint64_t bytes = is_call ? rules.pushed : 0;
        most->calls_libm = most->calls_libm || is_call;
        most->bytes = bytes > most->bytes ? bytes : most->bytes;
        return;
    }
    Bound bound = bound_of(walk, callee);
    bound.bytes += argument_bytes(call, rules);
    most->calls_libm = most->calls_libm || bound.calls_libm;
    most->bytes = bound.bytes > most->bytes ? bound.bytes : most->bytes;
}

static Bound bound_of(Walk *walk, LLVMValueRef function) {
    const Bound *known = table_get(&walk->bounds, function);
    if (known != NULL) {
        return *known;
    }
    StackRules rules = rules_of(&walk->module->target);
    Bound *bound = ARENA_NEW(walk->module->arena, Bound);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (LLVMIsACallInst(at) != NULL) {
                add_call(walk, at, rules, bound);
            }
        }
    }
    bound->bytes += frame_bytes(walk, function, rules);
    table_set(walk->module->arena, &walk->bounds, function, bound);
    return *bound;
}

void stack_bound_report(CodegenModule *module, CodegenReport *report) {
    Walk walk = {.module = module, .report = report};
    for (LLVMValueRef at = LLVMGetFirstFunction(module->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        if (LLVMIsDeclaration(at) || LLVMGetLinkage(at) != LLVMExternalLinkage) {
            continue;
        }
        size_t len;
        Bound bound = bound_of(&walk, at);
        CodegenStack row = {link_host_name(module->arena, LLVMGetValueName2(at, &len)), bound.bytes,
                            bound.calls_libm};
        LIST_PUSH(module->arena, &report->stacks, row);
    }
}
