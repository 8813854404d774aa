// What the functions of a component do to its terminals, found on the TIR that checking has made:
// access rights (L10.2) and whether outputs have values where they are read and at the end of a
// step (L10.3). Functions are told by their id, outputs by their position among the outputs that
// are present. Only effects_check and effects_find_outputs are for others.
#ifndef TMLC_SEMA_COMPONENT_EFFECTS_H
#define TMLC_SEMA_COMPONENT_EFFECTS_H

#include "sema/checker.h"

// Reports E0721, E0722, E0723 and the warning `partial-output`, and sets `is_direct` of the
// outputs. For components, before any pass; the program's init, output and update are set.
void effects_check(Context *context, TirProgram *program);
// Sets `is_direct` again, after statements have gone.
void effects_find_outputs(Context *context, TirProgram *program);

typedef struct Terminal {
    TirInterface *interface;
    uint32_t output;  // position among the outputs, when it is one
    uint64_t all;     // all of an output's elements, see Gain
    bool has_message; // what it does wrong is reported: its values count as given
} Terminal;

// One use of a terminal in a statement.
typedef struct Access {
    Terminal *terminal;
    const TirExpr *place; // what of it: the variable, or a view of it
    Span span;            // of the name
    bool is_write;
    bool is_update; // the read of an `op=`
} Access;

typedef struct CallSite {
    const TirFunction *callee;
    Span span;
} CallSite;

// What a function does itself, in the order of its text.
typedef struct FunctionUses {
    LIST_OF(Access) accesses;
    LIST_OF(CallSite) calls;
} FunctionUses;

// How much of an output is assigned. Outputs of up to 64 scalars count them one by one, a bit each
// in row-major order; larger ones know only all (1) or not all (0). Gains grow along a path by `|`
// and join where paths meet by `&`, member by member.
typedef struct Gain {
    uint64_t elements;
    uint64_t touched; // 1: at least partial
} Gain;

// The state of code that is never reached.
#define GAIN_ALL ((Gain){UINT64_MAX, 1})

typedef enum EventKind {
    EVENT_READ_NONE, // the first read where this function has given the output nothing
    EVENT_READ_PART, // of the reads of what it has not given, the first that needs most
    EVENT_WRITE,     // the first assignment
    EVENT_KIND_COUNT,
} EventKind;

typedef struct Event {
    bool happens;
    bool is_update;
    bool after_write;          // an assignment stands before it in the function
    uint64_t needs;            // of a read: the elements
    Span span;                 // of the terminal's name, or of the call that leads to it
    const TirFunction *callee; // NULL: here
    EventKind inner;           // which event of the callee it is
} Event;

// What calling a function does to one output.
typedef struct OutputEffect {
    Terminal *terminal;
    Gain gain; // at its end
    Gain part; // where EVENT_READ_PART happens
    Event events[EVENT_KIND_COUNT];
} OutputEffect;

typedef struct FunctionEffect {
    OutputEffect *items;
    size_t count;
} FunctionEffect;

typedef struct Effects {
    Context *context;
    Arena *arena;
    TirProgram *program;
    Tir tir;
    Terminal **terminals; // by the id of their variable, NULL for others
    size_t terminals_size;
    Terminal **outputs;
    size_t output_count;
    FunctionUses *uses;      // by function
    FunctionEffect *effects; // by function; set by effects_flow
} Effects;

// In effects.c:

typedef void AccessVisitor(const Access *access, void *data);
// Visits the terminals that the statement itself uses, not those in nested blocks, in the order in
// which it uses them.
void effects_visit_stmt(const Effects *effects, TirStmt *stmt, AccessVisitor *visit, void *data);
// The terminal of a variable; NULL when it is none.
Terminal *effects_terminal(const Effects *effects, const TirVar *var);
// Whether it is an output that has a value in each cycle (L10.3); those of hardware keep theirs.
bool effects_keeps_rules(const TirInterface *interface);
// "t.y"
const char *effects_name(const Effects *effects, const Terminal *terminal);

// In effects_access.c:

// E0721. The terminals of the messages are marked.
void effects_check_access(Effects *effects);
// Warns, where there is no error, of inputs that init_fnc reads, which are zero there.
void effects_warn_of_inputs(Effects *effects);
// Sets `is_direct` of the outputs.
void effects_find_direct(Effects *effects);

// In effects_flow.c:

// Sums up what calling each function does to the outputs.
void effects_flow(Effects *effects);

// In effects_outputs.c:

// E0722, E0723 and the warning `partial-output`: runs the summaries of the entry functions in the
// order of a cycle.
void effects_check_outputs(Effects *effects);

// In effects_place.c:

// A loop around the current place of the walk.
typedef struct Loop {
    const TirVar *var; // of a `for` that constants prove to run; else NULL
    int64_t first, step, count;
    bool is_for;
    bool has_break;
    bool has_continue;
    Gain *breaks, *continues; // by slot, joined; NULL: none, or of no interest
    size_t pending;           // how many assignments waited for their loops when it began
} Loop;

// The elements that a terminal has.
uint64_t effects_all_elements(const Type *type);
// The elements that assigning to the place is known to reach when each iteration of
// loops[*outermost..loop_count) does it; 0 when that is not known.
uint64_t effects_reached(const TirExpr *place, const Loop *loops, size_t loop_count,
                         size_t *outermost);
// The first of these elements as text: "t.y[2]"; NULL for large outputs and for scalars.
const char *effects_element(const Effects *effects, const Terminal *terminal, uint64_t elements);

static inline Gain gain_add(Gain a, Gain b) {
    return (Gain){a.elements | b.elements, a.touched | b.touched};
}
static inline Gain gain_join(Gain a, Gain b) {
    return (Gain){a.elements & b.elements, a.touched & b.touched};
}
static inline bool gain_has(Gain gain, uint64_t elements) {
    return (gain.elements & elements) == elements;
}
static inline bool gain_is_full(const Terminal *terminal, Gain gain) {
    return gain_has(gain, terminal->all);
}

#endif
