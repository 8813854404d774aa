// What the files of the checker share. The checker walks the syntax tree and emits TIR as it goes;
// docs/architecture.md tells the story, and what is walked more than once.
#ifndef TMLC_SEMA_CHECKER_H
#define TMLC_SEMA_CHECKER_H

#include "parser/ast.h"
#include "sema/file_kind.h"
#include "sema/options.h"
#include "sema/scope.h"
#include "support/context.h"
#include "support/table.h"
#include "tir/build.h"
#include "tir/visit.h"
#include "types/shape.h"

typedef struct MacroBinding MacroBinding;

enum { INTERFACE_SPACES = 3, PROPERTY_SPACE = 1, CONSTANT_SPACE = 2 }; // t, p, n

// One source file of the program.
typedef struct Unit {
    AstFile *file;
    FileKind kind;
    uint32_t index;                     // 0 is the main file
    Scope *scope;                       // functions and file-level variables
    Scope *imported;                    // those of imported files; the parent of `scope`
    Scope *interface[INTERFACE_SPACES]; // constants in every file, the others in a component
    Scope *imported_constants;          // the parent of the scope of constants
    bool has_constants;                 // of its own, or imported ones
    LIST_OF(FunctionDecl *) functions;
    LIST_OF(struct Unit *) imports;
    AstBlock tests;          // which stand in the source, and not in `file`
    AstBlock outside;        // what --interface declares for it
    NameSet *file_level;     // every name that file level assigns or declares
    NameSet *function_names; // every name that occurs in the body of a function
    bool lacks_interface;    // E0301 has told of terminals that no file declares
    bool trusted;            // the built-in library: its indices need no checks
    bool lacks_names;        // those that are not known may be of an import, or of a macro's body
    bool loading;            // its imports are being read: another import of it is a cycle
    Span import_span;        // the import that brought it
    struct System *system;   // instances and wires (sema/system/); NULL: none
} Unit;

// A terminal that is present where the checker stands, because of a guard around (L10.5).
typedef struct GuardFact {
    const TirInterface *terminal;
    const struct GuardFact *outer;
} GuardFact;

// What a function needed to know of the guards around its call.
typedef struct GuardQuestion {
    const TirInterface *terminal;
    bool is_guarded;
} GuardQuestion;

typedef LIST_OF(const TirInterface *) TerminalSet;

// One set of sizes of a function, and of guards where it depends on them; other functions have one
// instance.
typedef struct Instance {
    FunctionDecl *decl;
    uint32_t *sizes; // decl->sizes.count of them
    Root root;       // where decl->has_root: of the tensors that are given
    TirFunction *tir;
    TirExpr **defaults;      // by parameter, constants of its type; NULL where it has none
    Scope *scope;            // holds the sizes
    bool has_while;          // it or a function that it calls
    bool has_debug;          // the same of `debug`, which counts as a side effect
    struct Instance *caller; // the instance whose call made this one
    Span call_span;
    const GuardFact *guards;      // around the call that made it
    LIST_OF(GuardQuestion) asked; // calls with the same answers share the instance
    TerminalSet used;             // the terminals that it and what it calls name
} Instance;

struct FunctionDecl {
    AstStmt *ast;
    Name name;            // with macro indices resolved
    MacroBinding *macros; // those around its declaration
    Unit *unit;
    bool is_entry;          // main_fnc, init_fnc, output_fnc, update_fnc
    bool signature_failed;  // its types have errors: calls stay silent
    bool is_being_checked;  // an instance of it is: a call is recursion
    LIST_OF(AstName) sizes; // size parameters, in order
    bool has_root;          // of the library: its arguments say what `any` stands for in it
    bool takes_scalars;     // of the library: a vector of size 0 is a scalar in it
    LIST_OF(Instance *) instances;
};

// A loop around what is checked, on the stack of who checks its body.
typedef struct LoopFrame {
    struct LoopFrame *outer;
    bool saw_break;
    TirVar *broken; // where the loop is unrolled: the flag that `break` sets
} LoopFrame;

// A call of a function that contains a `while`, where a value of the file level is checked: it has
// to be in a constant that is wanted (L10.9).
typedef struct EndlessCall {
    const char *name; // NULL: none
    Span span;
} EndlessCall;

// What holds where the checker stands, kept and set back as a whole.
typedef struct CheckMode {
    bool in_index;       // side effects are E0604
    bool in_debug;       // so they are in the value of a debug signal: messages say that
    bool at_file_level;  // directly in the file, outside every block
    bool left_is_target; // of the operator that is applied: it is that of an `op=`
    bool pure;           // in the initialiser of a declaration that must be pure (E0702)
    bool is_pruned;      // constants keep this code from running: it cannot trap
    bool unevaluated;    // only a type or constant value is asked for
    bool takes_defaults; // a tunable property stands for its default (L15.1)
} CheckMode;

// Where the checker stands; saved and replaced while another function is checked.
typedef struct CheckPlace {
    Unit *unit;
    Instance *instance; // NULL at file level
    TirFunction *function;
    Scope *scope;
    TirBlock *block; // takes the statements that are emitted
    LoopFrame *loop; // the innermost
    CheckMode mode;
    MacroBinding *macros;         // variables of the macros around, the innermost first
    const GuardFact *guards;      // those around, the innermost first
    TerminalSet *used;            // takes the terminals that are named; or NULL
    const AstExpr *io_name;       // of hardware, that `<-` reads or writes
    const AstExpr *optional_read; // the name that is read though it may be absent
    EndlessCall endless;          // in the value that is checked
    struct WindowStore *stores;   // of windows of the target that is checked (sema/window.h)
    struct Wire *wire;            // whose right side is checked (sema/system/); NULL: none
    // What blocks declared that have ended: messages tell it from what was never there.
    LIST_OF(const Symbol *) ended;
    // Operands already built whose statement is not finished: what a call could change is spilled.
    LIST_OF(TirExpr **) held;
} CheckPlace;

static inline const char *check_place_text(const CheckMode *mode) {
    return mode->in_debug ? "a debug signal" : "an index";
}

// What an instance gives its component (L15.1): a constant, or a text, of any type.
typedef struct UseSetting {
    char space;
    Name name;
    TirExpr *value;
    Slice text;
    bool is_text;
    Name content;        // the same for the same type and value
    bool may_be_tunable; // as far as the text of the component tells
    bool reads_tunables; // the value, whose defaults stand in it
    bool is_used;        // the component has a property or constant of that name
    Span span;           // of the name
} UseSetting;

// How a component is used as an instance.
typedef struct ComponentUse {
    UseSetting *settings;
    size_t setting_count;
    Name *connected; // optional inputs that exist
    size_t connected_count;
    uint32_t element; // of an array of `count` instances; of no array, which has count 0
    uint32_t count;
    bool fixes_tunables; // its own instances may have values that depend on tunable ones
} ComponentUse;

// What the checkers of a system's components have in common.
typedef struct CheckShared {
    TypeTable *types;
    Table files;  // AstFile by the name of a component's file; of one with errors `broken`
    Table by_use; // TirProgram by file and use
    Table warned; // files whose warnings have been given
    LIST_OF(TirProgram *) components;
} CheckShared;

typedef struct Checker {
    Context *context;
    struct Checker *outer; // of the file that holds the instance; NULL: of the program
    CheckShared *shared;
    const ComponentUse *use; // of this component; NULL: of the program
    Arena *arena;
    Tir tir;
    TirProgram *program;
    const CheckOptions *options;
    LIST_OF(Unit *) units;
    Table units_by_file;    // by the name that CheckOptions.identify gives
    Table file_names;       // of paths in normal form
    Name file;              // of the main file, by that name
    LIST_OF(Slice) strings; // values of ROOT_STR constants
    Unit *library;          // functions written in TML; NULL until one is used
    TirExpr *poison;
    Table global_constants;          // of file-level variables, their first values if constant
    const TirFunction *not_constant; // why the latest constant that was wanted is none; or NULL
    Table shown;                     // by TirInterface: what tests see of outputs (sema/test.h)
    TirExpr *near[2];                // what the latest call of `near` compares; or NULL
    TirFunction *cycle;              // that tests call; NULL until one does
    TirVars debug_signals;           // in the order of checking (L10.11)
    struct Warn *warn;               // what sema/warn/ has seen; NULL when no warnings are wanted
    unsigned derivatives;            // that have been checked: names of their functions
    unsigned defaults_read;          // of tunable properties, so far (CheckMode.takes_defaults)
    unsigned repeats;                // copies of bodies of `macro for` and unrolled loops so far
    bool too_deep;                   // E0901 was reported
    CheckPlace at;
} Checker;

// Whether it stands in the body of a test (L19).
static inline bool check_in_test(const Checker *checker) {
    return checker->at.instance != NULL && checker->at.instance->decl->ast->kind == AST_TEST;
}

// Messages: like those of diag.h, and with where an instance was called.

// Whether what is checked is checked again with other sizes or for another turn of a macro: lengths
// and numbers of now are no cure then.
bool check_is_one_of_many(const Checker *checker);
// "`n` = 3, `m` = 2".
const char *check_sizes_text(Checker *checker, const Instance *instance);
// Whether an error says so already, of the function that is checked or, at file level, of the file:
// what is missing there is missing once. If that error has an edit of what it points at, the same
// one is made at `span`, unless that is nowhere.
bool check_was_told(const Checker *checker, DiagCode code, Span span, const char *message);
// The same of the file, whatever is checked.
bool check_file_was_told(const Checker *checker, DiagCode code, Span span, const char *message);
// An error at `span`, with a note that names the call when a sized instance is being checked.
Diag *check_error(Checker *checker, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Diag *check_warning(Checker *checker, Warning warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same as the result of who gives up after it: poison, and false.
#define check_fail(checker, ...) (check_error(checker, __VA_ARGS__), checker->poison)
#define check_refuse(checker, ...) (check_error(checker, __VA_ARGS__), false)
// Nesting that the syntax tree does not bound by itself: arms of an `if`, calls of functions that
// are checked on the way. False, after one E0901, when it is too deep to go on.
bool check_has_room(Checker *checker, Span span);
const char *check_type_text(Checker *checker, const Type *type);
// How messages call an expression: its source text when short, else `fallback`.
const char *check_expr_text(Checker *checker, Span span, const char *fallback);

// One call on the way to a place.
typedef struct CallStep {
    const TirFunction *caller; // NULL: none
    const TirFunction *callee;
    Span span;
} CallStep;

typedef LIST_OF(CallStep) CallPath;

// A note for each call of the path that is in the source, the outermost first. Of long paths the
// middle is counted.
void check_note_path(Diag *diag, const CallPath *path);

// unit.c: files of the program (L4).

// A file of the program; `import_span` is the import that brought it.
Unit *unit_create(Checker *checker, AstFile *file, Span import_span);
// Imports first, then functions by name, then file-level statements in order, then functions that
// nothing called, unless it is the main file.
void unit_check_main(Checker *checker, Unit *unit);
// The name of the file at a path, whatever leads to it (L4.5).
Name unit_identify(Checker *checker, const char *path);
// E0705 of a file that the text at `span` names, with the nearest name in its folder.
void unit_report_unread(Checker *checker, Span span, const char *path, const char *error);
void unit_check_uncalled(Checker *checker, Unit *unit);

#endif
