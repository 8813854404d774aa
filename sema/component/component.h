// What the checker asks about components: their interface (L10.1), guards (L10.5) and optional
// values (L10.6).
#ifndef TMLC_SEMA_COMPONENT_COMPONENT_H
#define TMLC_SEMA_COMPONENT_COMPONENT_H

#include "sema/checker.h"

// In interface.c:

// Where Unit.interface has the namespace of that letter, or -1.
int check_space_index(char letter);
// `t`, `p` or `n`.
bool check_is_space_name(Name name);
// E0305 for the name of a namespace at the file level of a component.
void check_file_level_name(Checker *checker, const Unit *unit, Name name, Span span);
// Whether an expression is a name in a namespace here: `t.u`.
bool check_is_interface(const Checker *checker, const AstExpr *expr);
// What it names; NULL after an error.
TirInterface *check_find_interface(Checker *checker, const AstExpr *expr);
// The optional terminal without which a name, a variable's too, is absent; NULL: there is none.
const TirInterface *check_find_optional(Checker *checker, const AstExpr *expr);
// How messages call it: `t.u`.
const char *check_interface_text(Checker *checker, const TirInterface *item);
TirExpr *check_interface_read(Checker *checker, const AstExpr *expr);
// The output that is written; NULL after an error.
TirVar *check_interface_target(Checker *checker, const AstExpr *expr);
// Reports `n.count = 4` at file level, where nothing declares it, as a declaration without its
// type: uses of it stay silent. False for other statements.
bool check_report_untyped(Checker *checker, const AstStmt *stmt);
// Reports `if t.a?:`, where the guard `exists t.a:` is meant, and checks its blocks; false for
// other conditions.
bool check_report_guard(Checker *checker, const AstStmt *stmt);
void check_interface_declaration(Checker *checker, const AstStmt *stmt);

// Whether an expression names a property of type str, and its length.
bool check_names_text(Checker *checker, const AstExpr *expr, size_t *length);

// In option.c:

// The last of the texts of -D or --with that has this name; NULL when there is none.
SourceFile *check_find_option(const CheckTexts *texts, const char *name);
// The value of a -D as an expression; NULL after an error.
const AstExpr *check_parse_option(Checker *checker, SourceFile *option);
// The text that a -D gives a str: without quotes, all that stands behind the `=`.
bool check_unquoted_text(const SourceFile *option, Slice *text);
// Reports what -D and --with name that the component does not have (E0304).
void check_options_used(Checker *checker);

// In given.c:

// Gives a property or constant the value of its declaration, or the one that replaces it.
void check_give_value(Checker *checker, TirInterface *item, const AstExpr *ast);
// The value that an instance gives a property or constant: of an array of instances one of the
// elements, when these fit (L15.1). Poison after an error.
TirExpr *check_setting(Checker *checker, const TirInterface *item, const UseSetting *setting,
                       const ComponentUse *use);
// Whether an optional terminal exists: --with or the instance connects it.
bool check_is_connected(const Checker *checker, const TirInterface *item);

// In io.c (L16):

void check_io_declaration(Checker *checker, const AstStmt *stmt);
// E0302: hosts know hardware by the name that a terminal has.
void check_report_io_name(Checker *checker, Name name, Span span, Span first);
// `<-a[i]`
TirExpr *check_io_read(Checker *checker, const AstExpr *expr);
// The name `a`, which only `<-` and questions of its type may be before.
TirExpr *check_io_name(Checker *checker, const AstExpr *expr, Symbol *symbol);
// What `a <- e` writes; NULL after an error.
TirVar *check_io_target(Checker *checker, const AstExpr *name, Symbol *symbol);
// Behind effects_check: terminals of hardware become variables in instances, and with --io=mmio
// reads and writes accesses at addresses.
void check_place_hardware(Checker *checker);
// The name that `<-` stands before, or, after an error, NULL.
const AstExpr *check_io_bottom(Checker *checker, const AstExpr *expr);

// In guard.c:

bool check_guard(Checker *checker, const AstStmt *stmt);
// Checks a statement under the guard of one terminal, and emits it if that is present.
void check_guarded(Checker *checker, const TirInterface *terminal, const AstStmt *stmt,
                   void check(Checker *checker, const AstStmt *stmt));
// Whether a guard around, also around calls on the way here, says that the terminal is present.
bool check_is_guarded(Checker *checker, const TirInterface *terminal);
// False, after E0731, where a name that needs the terminal (NULL: none) is used without a guard.
bool check_is_present(Checker *checker, const TirInterface *terminal, const AstExpr *name,
                      bool is_written);
// Whether an instance serves a call under the guards here.
bool check_guards_fit(const Checker *checker, const Instance *instance);
// What the caller depends on because of a call.
void check_note_callee(Checker *checker, const Instance *callee);
void check_note_terminal(Checker *checker, const TirInterface *terminal);
bool check_has_terminal(const TerminalSet *set, const TirInterface *terminal);
void check_add_terminal(Checker *checker, TerminalSet *set, const TirInterface *terminal);
// Whether an instance was made for a guard around its call; of an `absent` terminal: only code that
// never runs can call it.
bool check_needs_guard(const Instance *instance, bool absent);

// In optional.c:

// An operand, which may be an optional value (L10.6): `t.a?`, or an operator on two of them.
typedef struct Operand {
    TirExpr *value; // poison after an error
    Span span;
    bool is_optional;
    bool is_missing;       // optional, and absent in this program: nothing of `value` is emitted
    TerminalSet terminals; // of an optional one: it is missing where all of these are absent
} Operand;

// An expression that may be optional. What it is otherwise is left open: it may be a text.
Operand check_operand(Checker *checker, const AstExpr *expr);
// The same for one that runs under a condition or never, as check_apart.
Operand check_operand_apart(Checker *checker, const AstExpr *expr, TirBlock *statements);
// The value of an operand that must not be optional; poison after E0735.
TirExpr *check_not_optional(Checker *checker, const Operand *operand);
// The operator on two operands, or, where one is missing, the other.
Operand check_apply_optional(Checker *checker, AstBinaryOp op, Span span, Span op_span,
                             const Operand *left, const Operand *right, bool compound);
// `x?` where only a type is asked for, or where check_operand has let it pass; else E0735.
TirExpr *check_mark(Checker *checker, const AstExpr *expr);
TirExpr *check_elvis(Checker *checker, const AstExpr *expr);
// The terminal that the target of `x? = e` needs; NULL after an error.
const TirInterface *check_optional_target(Checker *checker, const AstStmt *stmt);
// Whether a declaration has a `?` behind its name or in its type.
bool check_has_mark(const AstStmt *stmt);
// The terminal that such a declaration needs; NULL after an error.
const TirInterface *check_optional_type(Checker *checker, const AstStmt *stmt);

// In debug.c:

// Makes plain statements of the calls of `debug` or, unless their signals are wanted, takes them
// away. After effects_check.
void check_settle_debug(Checker *checker);

#endif
