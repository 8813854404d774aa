// The LLVM passes of each level of optimisation: those of LLVM's own pipelines that find something
// to do in our code, in LLVM's order. docs/decisions/llvm-passes.md says what was left out and why;
// above all what vectorises straight code, which has been wrong.
#include "codegen/target/pipeline.h"

#include "codegen/emit/calls.h"
#include "codegen/gen.h"
#include "codegen/options.h"
#include "codegen/target/carried.h"
#include "codegen/target/carried_turns.h"
#include "codegen/target/choices.h"
#include "codegen/target/extremes.h"
#include "codegen/target/guards.h"
#include "codegen/target/masks.h"
#include "codegen/target/odd_vectors.h"
#include "codegen/target/part_vectors.h"
#include "codegen/target/realign.h"
#include "codegen/target/sooner.h"
#include "codegen/target/turns.h"
#include "codegen/target/within.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

#define COMBINE "instcombine<no-verify-fixpoint>"
#define SIMPLIFY "simplifycfg<switch-range-to-icmp>"
#define LICM "loop-mssa(licm<allowspeculation>)"

// What puts variables into registers, and what is known of them into functions.
#define REGISTERS "function<eager-inv>(simplifycfg,sroa<modify-cfg>,early-cse<>),ipsccp"

// Functions become small before anything is inlined.
#define EARLY                                                \
    "function<eager-inv>(mem2reg," COMBINE "," SIMPLIFY ")," \
    "require<profile-summary>,"

// Callees before callers: a function is simplified, then inlined.
#define CALLS(INLINE, SIMPLIFICATION)                     \
    "cgscc(devirt<4>(" INLINE ",function-attrs,"          \
    "function<eager-inv;no-rerun>(" SIMPLIFICATION ")))," \
    "deadargelim,globalopt,globaldce,rpo-function-attrs,"

// `unswitch` is "nontrivial" where a loop may be copied for each side of a condition.
#define LOOPS(UNSWITCH)                                                       \
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>," \
    "loop-rotate<header-duplication>,licm<allowspeculation>,"                 \
    "simple-loop-unswitch<" UNSWITCH ";trivial>)," SIMPLIFY "," COMBINE ","   \
    "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"

#define SIMPLIFICATION_1                                                                    \
    "sroa<modify-cfg>,early-cse<memssa>," SIMPLIFY "," COMBINE                              \
    ",reassociate," LOOPS("no-nontrivial") "memcpyopt,sccp,bdce," COMBINE ",adce," SIMPLIFY \
                                           "," COMBINE

#define SIMPLIFICATION_2(UNSWITCH)                                                         \
    "sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation," SIMPLIFY   \
    "," COMBINE ",aggressive-instcombine,tailcallelim," SIMPLIFY ","                       \
    "reassociate,constraint-elimination," LOOPS(                                           \
        UNSWITCH) "gvn<>,sccp,bdce,jump-threading,correlated-propagation,adce,memcpyopt,"  \
                  "dse," LICM ","                                                          \
                  "simplifycfg<switch-range-to-icmp;hoist-common-insts;sink-common-insts>" \
                  "," COMBINE

// Loops that the source wrote element by element become vectors; what the compiler makes of arrays
// has them already. `VECTORIZE` depends on the level.
#define VECTORS(VECTORIZE)                                           \
    "function<eager-inv>("                                           \
    "loop(loop-rotate<header-duplication>,loop-deletion)," VECTORIZE \
    "infer-alignment,loop-load-elim,"                                \
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;"          \
    "switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts>," COMBINE ")"

// Of loops whose turns are counted here, `UNROLL` writes out as many as were chosen.
#define LATE(UNROLL)                                                                          \
    "always-inline,"                                                                          \
    "function<eager-inv>(loop-unroll<" UNROLL ">,sroa<preserve-cfg>,infer-alignment," COMBINE \
    "," LICM ",alignment-from-assumptions,loop-sink,instsimplify,div-rem-pairs,"              \
    "tailcallelim,simplifycfg<speculate-unpredictables>),"                                    \
    "globaldce,constmerge"
#define CHOSEN "no-partial;no-runtime"

// What runs before turns are chosen (turns.h), and what runs then.
typedef struct Passes {
    const char *early, *late;
} Passes;

static const Passes level_1 = {EARLY CALLS("inline", SIMPLIFICATION_1) VECTORS(""),
                               LATE("O1;" CHOSEN)};
static const Passes level_2 = {EARLY CALLS("inline", SIMPLIFICATION_2("nontrivial"))
                                   VECTORS("loop-vectorize,"),
                               LATE("O2;" CHOSEN)};
static const Passes level_3 = {EARLY CALLS("inline,argpromotion", SIMPLIFICATION_2("nontrivial"))
                                   VECTORS("loop-vectorize,"),
                               LATE("O3")};

// Less code than level 2: no vectors of loops. What is inlined, unrolled and copied follows from
// attributes of the functions.
static const Passes level_s = {EARLY CALLS("inline", SIMPLIFICATION_2("no-nontrivial")) VECTORS(""),
                               LATE("O2;" CHOSEN)};

// Runs side by side want what one of them does with scalars, and the same bits (codegen/runs/).
static const Passes level_3_runs = {
    EARLY CALLS("inline,argpromotion", SIMPLIFICATION_2("nontrivial")) VECTORS(""), LATE("O3")};

// At -O0 scalars still become registers, unless a debugger wants to find them in memory.
static Passes passes_of(const CodegenOptions *options) {
    bool is_run = options->batch > 0 && options->fp != FP_FAST;
    switch (options->opt_level) {
    case 0: return (Passes){.early = options->debug ? NULL : "function(mem2reg)"};
    case 1: return level_1;
    case 2: return options->size == SIZE_ANY && !is_run ? level_2 : level_s;
    default: return is_run ? level_3_runs : level_3;
    }
}

static void verify(Gen *gen) {
    char *message = NULL;
    if (LLVMVerifyModule(gen->module, LLVMReturnStatusAction, &message)) {
        BUG("invalid LLVM IR: %s", message);
    }
    LLVMDisposeMessage(message);
}

static void run_passes(Gen *gen, const char *passes) {
    if (passes == NULL) {
        return;
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(gen->module, passes, gen->target.machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error != NULL) {
        BUG("LLVM passes: %s", LLVMGetErrorMessage(error));
    }
}

// Whether it shifts 64 bits by what is not known.
static bool has_wide_shift(Gen *gen, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
            bool shifts = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
            if (shifts && LLVMTypeOf(at) == gen->i64 && !LLVMIsConstant(LLVMGetOperand(at, 1))) {
                return true;
            }
        }
    }
    return false;
}

// Back ends take `minsize` for leave to push constants beside the frame (x86) and to call functions
// for shifts of two registers: neither is in the bound of the stack or in what an object may need.
static void drop_minsize(Gen *gen) {
    const char *name = "minsize";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    const Machine *has = gen->target.has;
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        if (has->pushed > 0 || (!has->wide_integers && has_wide_shift(gen, at))) {
            LLVMRemoveEnumAttributeAtIndex(at, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                           kind);
        }
    }
}

// What only the last passes are to see. Passes make other functions of those that were emitted.
static void take_in_late(Gen *gen) {
    const LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const unsigned name_len = (unsigned)strlen(TAKEN_IN_LATE);
    unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        if (LLVMGetStringAttributeAtIndex(at, index, TAKEN_IN_LATE, name_len) != NULL) {
            LLVMRemoveStringAttributeAtIndex(at, index, TAKEN_IN_LATE, name_len);
            LLVMRemoveEnumAttributeAtIndex(at, index, noinline);
            gen_function_attribute(gen, at, "alwaysinline", 0);
        }
    }
}

void pipeline_run(Gen *gen) {
    Passes passes = passes_of(gen->options);
    verify(gen);
    if (gen->options->opt_level > 0) {
        run_passes(gen, REGISTERS);
        guards_hide(gen);
    }
    run_passes(gen, passes.early);
    part_vectors_restore(gen);
    if (passes.late != NULL) {
        take_in_late(gen);
    }
    if (gen->options->opt_level < 3 && gen->options->size == SIZE_ANY) {
        turns_choose(gen);
    }
    if (gen->options->opt_level > 0) {
        carried_join(gen);
        if (gen->options->size == SIZE_ANY) {
            carried_turns_choose(gen);
        }
    }
    run_passes(gen, passes.late);
    if (gen->options->opt_level > 0) {
        within_late(gen);
        sooner_late(gen);
        extremes_late(gen);
        odd_vectors_widen(gen);
        choices_late(gen);
        masks_late(gen);
    }
    drop_minsize(gen);
    realign_frames(gen);
}

// One return, one end of each loop, and a phi for what is used behind it (runs/diverge.c).
void pipeline_prepare_runs(Gen *gen) {
    verify(gen);
    run_passes(gen, "function(mergereturn,loop-simplify,lcssa)");
}

// What is uniform has been computed once per run in between, and stores of one block are next to
// each other; nothing here knows of reals what the first time did not.
void pipeline_finish(Gen *gen) {
    verify(gen);
    run_passes(gen, gen->options->opt_level == 0 ? passes_of(gen->options).early
                                                 : "function<eager-inv>(sroa<modify-cfg>," SIMPLIFY
                                                   ",early-cse<memssa>," COMBINE "," SIMPLIFY
                                                   ",gvn<>,dse," COMBINE ",adce," SIMPLIFY
                                                   "),globaldce");
    if (gen->options->opt_level > 0) {
        masks_late(gen);
    }
    drop_minsize(gen);
    realign_frames(gen);
}
