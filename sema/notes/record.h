// How the checker records notes. All of these do nothing when no notes are wanted.
#ifndef TMLC_SEMA_NOTES_RECORD_H
#define TMLC_SEMA_NOTES_RECORD_H

#include "sema/checker.h"
#include "sema/notes/notes.h"

// Built-ins that are written in TML are no source of the user's.
static inline bool notes_are_on(const Checker *checker) {
    return checker->options->notes != NULL && !checker->at.unit->trusted;
}

void notes_add_value(Checker *checker, const AstExpr *ast, const Type *type);

static inline void notes_value(Checker *checker, const AstExpr *ast, const Type *type) {
    if (notes_are_on(checker)) {
        notes_add_value(checker, ast, type);
    }
}

// The source names the symbol at `span`; or declares it, where it stands.
void notes_symbol(Checker *checker, const Symbol *symbol, Span span);
void notes_declared(Checker *checker, const Symbol *symbol);
// The same of a terminal, property or constant; `is_other`: of an instance.
void notes_interface(Checker *checker, const TirInterface *item, Span span, bool is_other);
// Of the variable of a macro, whose value has the span of the declaration.
void notes_macro(Checker *checker, Name name, const TirExpr *value, Span span);
// Of what has no symbol here, and no one type.
void notes_name(Checker *checker, NameRole role, Name name, Span declaration, Span span);
void notes_operands(Checker *checker, Span span, NoteForm form, const Type *left, const Type *right,
                    const ShapeFit *fit);
void notes_index(Checker *checker, const IndexNote *index);
// `instance` is NULL after an error.
void notes_call(Checker *checker, const FunctionDecl *decl, Span span, const Instance *instance,
                TirExpr *const *given, const size_t *size_from);
void notes_instance(Checker *checker, const Instance *instance);
void notes_file(Checker *checker, const AstFile *file);
// When all is checked.
void notes_end(Checker *checker);

#endif
