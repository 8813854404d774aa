// Systems: instances of components, the wires between them, and the order in which they run
// (L15.1). Instances and wires are noted where they stand and checked when all of the file level is
// known, so that their order in the text decides nothing but ties.
#ifndef TMLC_SEMA_SYSTEM_SYSTEM_H
#define TMLC_SEMA_SYSTEM_SYSTEM_H

#include "sema/checker.h"

// One instance, or one of an array.
typedef struct Element {
    TirInstance *tir;
    // By position in the interface of the component; NULL until something names them. Of an output
    // without feedthrough what others see of it, and what the component has for the next cycle.
    TirVar **vars;
    TirVar **next;
    TirFunction *runs[TIR_UPDATE + 1]; // by phase; NULL until called
} Element;

// A declaration of an instance, or of an array of them.
typedef struct Part {
    const AstStmt *ast;
    const AstFile *file;  // of its component; NULL: it is not known
    MacroBinding *macros; // around it
    Name name;
    uint32_t count;
    bool is_array;
    bool by_hand;   // else wired
    Span hand_span; // of the first statement that makes it so
    bool is_known;  // its components are; else uses of it are too early
    bool failed;    // uses of it stay silent
    uint32_t every, offset;
    Element *elements;
    LIST_OF(struct Wire *) wires; // to its inputs
} Part;

// A terminal that the right side of a wire reads.
typedef struct WireRead {
    const Part *part; // NULL: of this file
    const Element *element;
    const TirInterface *terminal;
    Span span;
    bool is_delayed;
} WireRead;

// A `connect`, or what is wanted of a `delay` in the next cycle.
typedef struct Wire {
    const AstStmt *ast; // NULL: of a delay
    MacroBinding *macros;
    Span span; // of the target
    bool failed;
    Part *part; // whose input it feeds, of `element` or of all; NULL: an output of this file
    uint32_t element;
    bool is_all;
    Name input;
    const TirInterface *output;   // of this file
    const TirInterface *forwards; // an optional terminal of this file that is its whole right side
    bool has_feedthrough;         // of the target
    bool takes_optional;          // the target is optional, too, and exists where `forwards` does
    LIST_OF(WireRead) reads;
    TirBlock block; // what it does
    size_t waits;   // for so many elements; of those that order.c sorts
    bool is_done;
} Wire;

typedef struct Delay {
    TirVar *var, *next; // now, and in the next cycle
    Wire wire;
} Delay;

// A counter of cycles for all instances that run every so many.
typedef struct Counter {
    uint32_t every;
    TirVar *var;
} Counter;

// A variable of hardware of an instance, and the terminal that this file has for it.
typedef struct Latch {
    const TirInterface *terminal;
    TirVar *var;
} Latch;

typedef struct System {
    LIST_OF(Part *) parts;
    LIST_OF(Name) refused; // names that instances were to have: what seems to be of them is silent
    LIST_OF(Wire *) wires;
    LIST_OF(Delay *) delays;
    LIST_OF(Counter) counters;
    LIST_OF(Latch) latches;
    TirBlock *start;              // takes what gives delays, inputs and outputs their first values
    TirFunction *output, *update; // run the system, and then the functions of the file
    size_t errors;                // before any of it was checked
    bool is_broken;               // a wire that is none, as `connect(a, b)`, was told
} System;

// instance.c: declarations, settings, components.

// Notes an `instance` or a `connect`.
void system_note(Checker *checker, const AstStmt *stmt);
// Tells of a call at file level when it is `connect(a, b)`; returns whether it is.
bool system_report_call(Checker *checker, const AstStmt *stmt);
// The same of `a.u = t.u`, a wire without its word, where the file has instances.
bool system_report_assignment(Checker *checker, const AstStmt *stmt);
// The same of a loop or a condition around instances and wires, where a macro is meant.
bool system_report_block(Checker *checker, const AstStmt *stmt);
// A mistake was told that leaves inputs without wires: they stay silent.
void system_note_broken(Checker *checker);
// Finds the components of all instances, and starts them where the checker stands.
void system_declare(Checker *checker, System *system);

// setting.c: what an instance gives its component.

// Whether a file may declare that name with this modifier, as far as its text tells: macros choose.
bool system_file_declares(const AstFile *file, Name name, AstModifier modifier);
// Computes a setting, of which there are `count` before; false after an error.
bool system_lower_setting(Checker *checker, const AstFile *file, const AstSetting *ast,
                          const UseSetting *before, size_t count, UseSetting *setting);
// Adds to the key of a component what this instance gives it: all of the value and, where that may
// be one for each element of an array, the element's own.
void system_describe_setting(Buffer *key, const UseSetting *setting, const ComponentUse *use);

// member.c: names of instances in expressions.

// The instance that a name is here; NULL when it is none.
Part *system_part(const Checker *checker, const AstExpr *name);
// Whether an expression is a terminal, property or function of an instance: `speed.u`,
// `axis[1].p.kp`.
bool system_is_member(const Checker *checker, const AstExpr *expr);
// Whether an instance was to have the name and could not, which was told; and whether an expression
// was to be a member of such.
bool system_has_refused(const Checker *checker, Name name);
bool system_is_refused(const Checker *checker, const AstExpr *expr);
TirExpr *system_read(Checker *checker, const AstExpr *expr);
// Says that a target which is read, too, is no such: E0720.
void system_report_read(Checker *checker, const AstExpr *expr);
// The input that is assigned; NULL after an error.
TirVar *system_target(Checker *checker, const AstExpr *expr);
// Whether a target is an input of all elements of an array, and the assignment to it.
bool system_is_array_target(const Checker *checker, const AstExpr *target);
void system_assign_array(Checker *checker, const AstStmt *stmt);
// `speed.output()`
TirExpr *system_call(Checker *checker, const AstExpr *call);
// The terminal of that element with this name; NULL after an error.
const TirInterface *system_find_terminal(Checker *checker, Part *part, uint32_t element,
                                         const AstName *name);
// Where an element of an array has what another one has; false: nowhere.
bool system_find_alike(const Element *element, const TirInterface *item, size_t *position);
// Says that elements of an array do not have the same.
void system_report_unlike(Checker *checker, const char *what, Span span);
// The one that an expression names; NULL when it names none.
const TirInterface *system_terminal(const Checker *checker, const AstExpr *expr);
// Whether it is an output that shows what it was given when it was last published.
bool system_is_published(const TirInterface *item);
// The variable of this file that the terminal, or a property, of an element is.
TirVar *system_var(Checker *checker, Element *element, size_t position);
// A variable of this file that is `inner` of the element's component.
TirVar *system_create_var(Checker *checker, const Element *element, const TirInterface *item,
                          TirVar *inner);
// Of an output without feedthrough: what it will be.
TirVar *system_next(Checker *checker, Element *element, size_t position);
// The statement that runs a phase of an element.
void system_run(Checker *checker, TirBlock *block, Element *element, TirPhase phase, Span span);
// Starts an element: its outputs show what its component gives them, and else zero.
void system_start(Checker *checker, TirBlock *block, Element *element, Span span);
// Outputs without feedthrough show what the component gave them since they were last published.
void system_publish(Checker *checker, TirBlock *block, Element *element, Span span);
// A block that runs in the cycles of the element: `block` itself, or that of an `if` in it.
TirBlock *system_when(Checker *checker, TirBlock *block, const TirInstance *instance);
// `axis[1]`
const char *system_name(Checker *checker, const TirInstance *instance);
// Stores the value of a wire in the input that it feeds.
void system_store(Checker *checker, const Wire *wire, const TirInterface *item, TirExpr *value);
// A name for a variable that the source does not have.
Name system_hidden_name(Checker *checker, const char *text);

// In hardware.c:

// Makes variables of this file of the hardware of an element's component, and terminals of it where
// this file is no instance itself.
void system_add_hardware(Checker *checker, const Element *element);
// Takes inputs of hardware, or shows outputs.
void system_latch(Checker *checker, const System *system, TirBlock *block, TirInterfaceKind kind);

// wire.c: what wires compute.

// Whether a wire waits for what an instance computes in this cycle: the reader's part, too.
static inline bool wire_read_waits(const WireRead *read) {
    return read->part != NULL && read->terminal->has_feedthrough && !read->is_delayed;
}
// Whether `part.input` is connected.
bool system_has_wire(const Checker *checker, const char *part, const char *input);
// Whether it reads what only the functions of this file compute.
bool system_is_late(const Wire *wire);
// Finds what each wire feeds. Before the components are known.
void system_find_targets(Checker *checker, System *system);
// Checks all wires; what they do is in their blocks.
void system_connect(Checker *checker, System *system);
// E0750 of outputs that functions of this file assign, too.
void system_check_outputs(Checker *checker, const System *system);
// A wire reads an input of this file.
void system_note_input(Checker *checker, const TirInterface *item, Span span);
// `delay(e, initial)` in a wire.
TirExpr *system_delay(Checker *checker, const AstExpr *call);
bool system_is_delay(const Checker *checker, const AstExpr *call);

// order.c: when what runs.

// A function that runs what the source only declares.
TirFunction *system_function(Checker *checker, const char *name);
// Fills the functions that run the system, around those of the file. E0753.
void system_finish(Checker *checker, System *system);

// In hand_use.c:

// What the functions of a file do with one instance.
typedef struct HandUse {
    Span first;             // that assigns an input of it or calls it; nowhere: none does
    bool is_wrong;          // some is told anyway: the instance may lack a wire
    LIST_OF(Name) assigned; // inputs
} HandUse;

// Of a part whose file is known, if it can be read.
HandUse system_hand_use(Checker *checker, const Part *part);

// In hand.c:

// E0722 and E0754 of instances by hand.
void system_check_by_hand(Checker *checker, System *system);

#endif
