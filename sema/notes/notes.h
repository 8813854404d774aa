// What the checker tells, on request (CheckOptions.notes), of the source that it has checked: the
// types of expressions, how operands are aligned, what names stand for. Also where there are
// errors: what could not be checked is poison, or has no note.
//
// A function with size parameters has its notes once for each set of sizes, what stands in a macro
// or in a loop over a string once for each copy: several notes have one place then.
#ifndef TMLC_SEMA_NOTES_NOTES_H
#define TMLC_SEMA_NOTES_NOTES_H

#include "parser/ast.h"
#include "tir/tir.h"
#include "types/shape.h"

typedef enum NameRole {
#define NAME_ROLE(ROLE, text) NAME_##ROLE,
#include "sema/notes/notes.def"
} NameRole;

const char *name_role_text(NameRole role);

// A name in the source: where it is declared, and each place that uses it. What it names is told by
// where that is declared, `declaration`, which may be in another file: variables of TIR differ from
// instance to instance.
typedef struct NameNote {
    Span span; // `x`, `t.x`, `x{i}`; of what belongs to an instance of a component: `x` alone
    Span declaration;
    NameRole role;
    char space;    // 't', 'p', 'n'; 0: none
    bool declares; // it stands where it is declared
    bool is_other; // a terminal or property of an instance, so of another component
    Name name;
    const Type *type;     // NULL: it has none, or not for all calls the same
    const TirExpr *value; // of a constant, size or macro; the default of a tunable; or NULL
    const TirInterface *interface; // NULL: it is no terminal, property or constant
    const TirFunction *function;   // where it stands; at file level the entry
} NameNote;

// What stands before its name: "t.", or "".
const char *note_space_text(const NameNote *note);

// The type of an expression.
typedef struct ValueNote {
    const AstExpr *ast;
    const Type *type;
    const TirFunction *function;
} ValueNote;

// How the dims of two operands meet.
typedef enum NoteForm {
    NOTE_BROADCAST, // L5.2
    NOTE_STRICT,    // L5.4
    NOTE_DOT,       // L5.5
} NoteForm;

// The operands of an operator, or of a built-in that aligns two: their own types, before they are
// converted and stretched, and what the shape algebra says of them.
typedef struct OperandNote {
    Span span; // of the operator itself; of all of a call
    NoteForm form;
    const Type *left, *right;
    ShapeFit fit;
    const TirFunction *function;
} OperandNote;

// A bracket: what it stands behind, and the index of each dim of that (":" where `...` stands).
typedef struct IndexNote {
    const AstExpr *ast;
    const Type *object;
    const char *const *texts;
    size_t count;
    ShapeFit fit;
    const TirFunction *function;
} IndexNote;

// A call of a function of the program, by parameter.
typedef struct CallNote {
    Span span;
    const AstStmt *declaration;
    const TirFunction *callee; // its instance, with the types of parameters; NULL after an error
    const Type *const *given;  // of the arguments; NULL where the default holds
    const size_t *size_from;   // by size: the argument that told it
    const TirFunction *caller;
} CallNote;

// One set of sizes of a function.
typedef struct InstanceNote {
    const TirFunction *function;
    const AstStmt *declaration;
    const AstName *sizes;
    const uint32_t *values;
    size_t count;
    Span call; // the first with these
} InstanceNote;

typedef struct Notes {
    LIST_OF(const AstFile *) files; // the main one, and those that it imports or has instances of
    LIST_OF(NameNote) names;        // of each list: in the order of checking
    LIST_OF(ValueNote) values;
    LIST_OF(OperandNote) operands;
    LIST_OF(IndexNote) indices;
    LIST_OF(CallNote) calls;
    LIST_OF(InstanceNote) instances;
    LIST_OF(const AstStmt *) unchecked; // functions of which no call gives the sizes
} Notes;

// NULL: the function is none.
const InstanceNote *notes_find_instance(const Notes *notes, const TirFunction *function);

#endif
