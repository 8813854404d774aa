// Names of instances (L15.2, L15.3): `speed.u` is a variable of this file that is the component's
// in that instance, `axis.u` is what these have for all elements of an array, and `speed.output()`
// runs a function of the component.
#include "sema/system/system.h"

#include "sema/component/component.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/bug.h"
#include "support/suggest.h"
#include "tir/constant.h"
#include "tir/visit.h"

#include <string.h>

// What `speed.u`, `axis[1].u` or `axis[1].p.kp` names.
typedef struct Member {
    Part *part;
    const AstExpr *owner; // the name of the instance
    const AstExpr *index; // of the element; NULL: none is written
    bool is_all;
    uint32_t element;
    char space; // 't' where none is written
    const AstName *name;
} Member;

// Names.

Part *system_part(const Checker *checker, const AstExpr *ast) {
    if (checker->at.unit->system == NULL || ast->kind != AST_NAME ||
        !check_knows_name((Checker *)checker, &ast->name)) {
        return NULL;
    }
    Name name = check_macro_name((Checker *)checker, &ast->name);
    const Symbol *symbol = name == NULL ? NULL : scope_find(checker->at.scope, name);
    return symbol == NULL || symbol->kind != SYMBOL_INSTANCE ? NULL : symbol->part;
}

// The instance before the dot, with or without an index.
static void find_owner(const Checker *checker, const AstExpr *ast, Member *member) {
    member->index = ast->kind == AST_INDEX ? ast : NULL;
    member->owner = member->index != NULL ? ast->index.object : ast;
    member->part = system_part(checker, member->owner);
}

static bool find_member(const Checker *checker, const AstExpr *ast, Member *member) {
    if (ast->kind != AST_ATTR) {
        return false;
    }
    const AstExpr *object = ast->attr.object;
    *member = (Member){.space = 't', .name = &ast->attr.name};
    find_owner(checker, object, member);
    if (member->part == NULL && object->kind == AST_ATTR &&
        check_is_space_name(object->attr.name.name)) {
        member->space = object->attr.name.name->text[0];
        find_owner(checker, object->attr.object, member);
    }
    return member->part != NULL;
}

bool system_is_member(const Checker *checker, const AstExpr *ast) {
    Member member;
    return checker->at.unit->system != NULL && find_member(checker, ast, &member);
}

bool system_has_refused(const Checker *checker, Name name) {
    const System *system = checker->at.unit->system;
    for (size_t k = 0; system != NULL && k < system->refused.count; k++) {
        if (system->refused.items[k] == name) {
            return true;
        }
    }
    return false;
}

bool system_is_refused(const Checker *checker, const AstExpr *ast) {
    if (ast->kind != AST_ATTR || check_is_interface(checker, ast)) {
        return false;
    }
    while (ast->kind == AST_ATTR || ast->kind == AST_INDEX) {
        ast = ast->kind == AST_ATTR ? ast->attr.object : ast->index.object;
    }
    return ast->kind == AST_NAME && system_has_refused(checker, ast->name.name);
}

const char *system_name(Checker *checker, const TirInstance *instance) {
    return instance->is_element ? arena_format(checker->arena, "%s[%u]", instance->name->text,
                                               (unsigned)instance->element)
                                : instance->name->text;
}

static bool find_element(Checker *checker, Member *member) {
    const Part *part = member->part;
    const char *name = part->name->text;
    member->is_all = part->is_array && member->index == NULL;
    if (member->index == NULL) {
        return true;
    }
    const AstExprs *indices = &member->index->index.indices;
    if (!part->is_array || indices->count != 1) {
        return check_refuse(
            checker, DIAG_E0602, member->index->span,
            part->is_array ? "`%s` has one index" : "`%s` is one instance and has no index", name);
    }
    if (indices->items[0]->kind == AST_RANGE || indices->items[0]->kind == AST_ELLIPSIS) {
        return check_refuse(checker, DIAG_E0414, member->index->span,
                            "an element of an array of instances is one of them: `%s[0]`", name);
    }
    TirExpr *index = check_constant(checker, indices->items[0]);
    int64_t value;
    if (type_is_poison(index->type)) {
        return false;
    }
    if (!constant_integer(&checker->tir, index, &value)) {
        Diag *diag = check_error(checker, DIAG_E0414, indices->items[0]->span,
                                 "an index of `%s` must be a constant", name);
        diag_note(diag, "`macro for` repeats what it holds for each instance");
        return false;
    }
    if (value < 0 || value >= part->count) {
        return check_refuse(checker, DIAG_E0603, indices->items[0]->span,
                            "index %lld is outside the %u instances of `%s`", (long long)value,
                            (unsigned)part->count, name);
    }
    member->element = (uint32_t)value;
    return true;
}

// Finds element and part; false when there is nothing to say of them, or after an error.
static bool resolve(Checker *checker, const AstExpr *ast, Member *member) {
    CHECK(find_member(checker, ast, member));
    notes_name(checker, NAME_INSTANCE, member->part->name, member->part->ast->instance.name.span,
               member->owner->span);
    if (!member->part->is_known) {
        return check_refuse(checker, DIAG_E0702, ast->span,
                            "a file-level value cannot use the instance `%s`",
                            member->part->name->text);
    }
    return find_element(checker, member) && !member->part->failed;
}

// Variables.

static TirVar *create_var(Checker *checker, const Element *element, const TirInterface *item,
                          TirVar *inner, const char *suffix) {
    TirVarRole role = item->kind == INTERFACE_TUNABLE ? VAR_TUNABLE : VAR_GLOBAL;
    const char *text = arena_format(checker->arena, "%s.%s%s%s", system_name(checker, element->tir),
                                    item->space == 't' ? "" : "p.", item->name->text, suffix);
    TirVar *var =
        tir_var_create(&checker->tir, NULL, role, names_intern_text(checker->context->names, text),
                       item->type, element->tir->span);
    var->instance = element->tir;
    var->inner = inner;
    var->published = inner == NULL ? item : NULL;
    LIST_PUSH(checker->arena, &checker->program->globals, var);
    return var;
}

TirVar *system_create_var(Checker *checker, const Element *element, const TirInterface *item,
                          TirVar *inner) {
    return create_var(checker, element, item, inner, "");
}

bool system_is_published(const TirInterface *item) {
    return item->kind == INTERFACE_OUTPUT && !item->has_feedthrough;
}

TirVar *system_var(Checker *checker, Element *element, size_t position) {
    const TirInterface *item = element->tir->component->interface.items[position];
    TirVar **var = &element->vars[position];
    if (*var == NULL) {
        *var = create_var(checker, element, item, system_is_published(item) ? NULL : item->var, "");
    }
    return *var;
}

TirVar *system_next(Checker *checker, Element *element, size_t position) {
    const TirInterface *item = element->tir->component->interface.items[position];
    TirVar **var = &element->next[position];
    if (*var == NULL) {
        *var = create_var(checker, element, item, item->var, ".next");
    }
    return *var;
}

// The component of the instance, or of the first one where all are meant: what properties decide
// may be another one in each.
static const TirProgram *component_of(const Member *member) {
    return member->part->elements[member->element].tir->component;
}

bool system_find_alike(const Element *element, const TirInterface *item, size_t *position) {
    const TirProgram *component = element->tir->component;
    return tir_find_interface(component, item->space, item->name, position) &&
           component->interface.items[*position]->kind == item->kind;
}

static bool has_item(const Member *member, Name name, size_t *position) {
    return tir_find_interface(component_of(member), member->space, name, position);
}

// The names of one kind in the namespace of a member, with `what` in front; empty: there are none.
static const char *list_kind(Checker *checker, const Member *member, bool outputs,
                             const char *what) {
    const TirProgram *component = component_of(member);
    const char *list = "";
    for (size_t k = 0; k < component->interface.count; k++) {
        const TirInterface *item = component->interface.items[k];
        if (item->space == member->space && (item->kind == INTERFACE_OUTPUT) == outputs) {
            list = arena_format(checker->arena, "%s%s`%s`", *list == '\0' ? what : list,
                                *list == '\0' ? "" : ", ", item->name->text);
        }
    }
    return list;
}

// The inputs and outputs of an instance, or its properties or constants.
static const char *list_items(Checker *checker, const Member *member) {
    bool is_terminal = member->space == 't';
    const char *inputs = list_kind(checker, member, false, is_terminal ? "inputs " : "");
    const char *outputs = list_kind(checker, member, true, "outputs ");
    const char *between = *inputs == '\0' || *outputs == '\0' ? "" : "; ";
    return arena_format(checker->arena, "%s%s%s", inputs, between, outputs);
}

static bool find_item(Checker *checker, const Member *member, size_t *position) {
    const TirProgram *component = component_of(member);
    Name name = check_macro_name(checker, member->name);
    if (name == NULL || has_item(member, name, position)) {
        return name != NULL;
    }
    bool is_terminal = member->space == 't';
    Diag *diag =
        check_error(checker, DIAG_E0301, member->name->span,
                    is_terminal ? "`%s` has no terminal `%s`%s" : "`%s` has no `%s%s`",
                    member->part->name->text,
                    is_terminal ? name->text : arena_format(checker->arena, "%c.", member->space),
                    is_terminal ? "" : name->text);
    Suggestion suggestion = suggestion_for_name(name);
    for (size_t k = 0; k < component->interface.count; k++) {
        const TirInterface *item = component->interface.items[k];
        if (item->space == member->space) {
            suggestion_try(&suggestion, item->name->text);
        }
    }
    const char *known = list_items(checker, member);
    if (suggestion.nearest != NULL) {
        bool is_free = member->name->macro_indices.count == 0 &&
                       !system_has_wire(checker, member->part->name->text, suggestion.nearest);
        diag_help(diag, "did you mean `%s`?", suggestion.nearest);
        if (is_free) {
            diag_edit(diag, member->name->span, "%s", suggestion.nearest);
        }
    } else if (*known != '\0') {
        diag_note(diag, "it has %s", known);
    }
    return false;
}

// The terminal or property that an expression names; NULL after an error.
static const TirInterface *find_terminal(Checker *checker, const AstExpr *ast, Member *member,
                                         size_t *position) {
    if (!resolve(checker, ast, member) || !find_item(checker, member, position)) {
        return NULL;
    }
    const TirInterface *item = component_of(member)->interface.items[*position];
    notes_interface(checker, item, member->name->span, true);
    return item;
}

const TirInterface *system_find_terminal(Checker *checker, Part *part, uint32_t element,
                                         const AstName *name) {
    Member member = {.part = part, .element = element, .space = 't', .name = name};
    size_t position;
    return find_item(checker, &member, &position) ? component_of(&member)->interface.items[position]
                                                  : NULL;
}

const TirInterface *system_terminal(const Checker *checker, const AstExpr *ast) {
    Member member;
    size_t position;
    bool found = find_member(checker, ast, &member) && member.part->elements != NULL &&
                 !member.part->failed && has_item(&member, member.name->name, &position);
    return found ? component_of(&member)->interface.items[position] : NULL;
}

// Reads.

static TirExpr *read_element(Checker *checker, const Member *member, uint32_t number,
                             size_t position, Span span) {
    Element *element = &member->part->elements[number];
    const TirInterface *item = element->tir->component->interface.items[position];
    if (item->kind == INTERFACE_CONSTANT) {
        TirExpr *copy = tir_copy_node(&checker->tir, item->value);
        copy->span = span;
        return copy;
    }
    if (item->kind == INTERFACE_TUNABLE && checker->at.mode.takes_defaults) {
        checker->defaults_read++;
        TirExpr *copy = tir_copy_node(&checker->tir, element->tir->defaults[position]);
        copy->span = span;
        return copy;
    }
    if (checker->at.wire != NULL && item->kind == INTERFACE_OUTPUT) {
        WireRead read = {.part = member->part, .element = element, .terminal = item, .span = span};
        LIST_PUSH(checker->arena, &checker->at.wire->reads, read);
    }
    return check_read(checker, system_var(checker, element, position), span);
}

static void report_input_read(Checker *checker, const AstExpr *ast, const Member *member,
                              const TirInterface *item) {
    Diag *diag = check_error(checker, DIAG_E0720, ast->span,
                             "`%s` is an input: this file gives its value and does not read it",
                             check_expr_text(checker, ast->span, item->name->text));
    const char *outputs = list_kind(checker, member, true, "outputs ");
    if (*outputs != '\0') {
        diag_note(diag, "`%s` has %s", member->part->name->text, outputs);
    }
    diag_note_at(diag, item->span, "it is declared here");
}

TirExpr *system_read(Checker *checker, const AstExpr *ast) {
    Member member;
    size_t position;
    const TirInterface *item = find_terminal(checker, ast, &member, &position);
    if (item == NULL) {
        return checker->poison;
    }
    const char *text = check_expr_text(checker, ast->span, member.name->name->text);
    if (item->kind == INTERFACE_INPUT) {
        report_input_read(checker, ast, &member, item);
        return checker->poison;
    }
    if (!item->is_present && item->space == 't') {
        Diag *diag = check_error(checker, DIAG_E0731, ast->span,
                                 "`%s` is optional, and instances have no optional outputs", text);
        diag_note_at(diag, item->span, "it is declared here");
        return checker->poison;
    }
    if (checker->at.mode.pure && checker->at.wire == NULL && item->kind != INTERFACE_CONSTANT &&
        !checker->at.mode.unevaluated && !checker->at.mode.takes_defaults) {
        return check_fail(checker, DIAG_E0702, ast->span,
                          "a file-level value cannot read an instance");
    }
    if (!member.is_all) {
        return read_element(checker, &member, member.element, position, ast->span);
    }
    uint32_t count = member.part->count;
    TirExpr **items = ARENA_ARRAY(checker->arena, TirExpr *, count);
    for (uint32_t k = 0; k < count; k++) {
        items[k] = system_find_alike(&member.part->elements[k], item, &position)
                       ? read_element(checker, &member, k, position, ast->span)
                       : NULL;
        if (items[k] == NULL || items[k]->type->root >= ROOT_CHAR ||
            items[k]->type != items[0]->type) {
            return check_fail(checker, DIAG_E0407, ast->span,
                              "`%s` has no value for all instances: name one, as in `%s[0]`", text,
                              member.part->name->text);
        }
    }
    const Type *type = type_tensor(checker->tir.types, items[0]->type, 1, &count);
    return check_built(checker, tir_literal(&checker->tir, type, items, count, ast->span));
}

// Targets.

// What is assigned is an input; else E0720.
static bool require_input(Checker *checker, const AstExpr *ast, const TirInterface *item) {
    if (item->kind == INTERFACE_INPUT) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0720, ast->span, "`%s` is %s and cannot be assigned to",
                             check_expr_text(checker, ast->span, item->name->text),
                             item->kind == INTERFACE_OUTPUT ? "an output of an instance"
                             : item->space == 'p'           ? "a property of an instance"
                                                            : "a constant of an instance");
    diag_note_at(diag, item->span, "it is declared here");
    if (item->kind == INTERFACE_TUNABLE) {
        diag_note(diag, "the declaration of the instance gives its value, and hosts replace it");
    }
    return false;
}

void system_report_read(Checker *checker, const AstExpr *ast) {
    Member member;
    size_t position;
    const TirInterface *item = find_terminal(checker, ast, &member, &position);
    if (item == NULL) {
        return;
    }
    if (require_input(checker, ast, item)) {
        report_input_read(checker, ast, &member, item);
    }
}

TirVar *system_target(Checker *checker, const AstExpr *ast) {
    Member member;
    size_t position;
    const TirInterface *item = find_terminal(checker, ast, &member, &position);
    if (item == NULL) {
        return NULL;
    }
    if (!require_input(checker, ast, item)) {
        return NULL;
    }
    if (member.is_all) {
        Diag *diag = check_error(
            checker, DIAG_E0202, ast->span, "`%s` is an input of each of %u instances",
            check_expr_text(checker, ast->span, item->name->text), (unsigned)member.part->count);
        diag_note(diag, "all of it can be assigned, or that of one: `%s[0].%s`",
                  member.part->name->text, item->name->text);
        return NULL;
    }
    return system_var(checker, &member.part->elements[member.element], position);
}

bool system_is_array_target(const Checker *checker, const AstExpr *ast) {
    Member member;
    return checker->at.unit->system != NULL && find_member(checker, ast, &member) &&
           member.part->is_array && member.index == NULL;
}

static TirExpr *one_of(Checker *checker, TirExpr *all, uint32_t number) {
    TirAxis at = {.axis = -1, .start = number};
    return check_built(checker, tir_row(&checker->tir, all->type->base, all, at));
}

// This input of all elements gets the elements of a value.
static void store_all(Checker *checker, Part *part, const TirInterface *item, TirExpr *value,
                      const char *what, Span span) {
    size_t *positions = ARENA_ARRAY(checker->arena, size_t, part->count);
    for (uint32_t k = 0; k < part->count; k++) {
        const Element *element = &part->elements[k];
        if (!system_find_alike(element, item, &positions[k]) ||
            element->tir->component->interface.items[positions[k]]->type != item->type) {
            system_report_unlike(checker, what, span);
            return;
        }
    }
    const Type *type = type_tensor(checker->tir.types, item->type, 1, &part->count);
    value = check_assignable(checker, type, value, what, item->span);
    if (type_is_poison(value->type)) {
        return;
    }
    value = value->is_constant ? value : check_into_temporary(checker, value);
    for (uint32_t k = 0; k < part->count; k++) {
        TirVar *var = system_var(checker, &part->elements[k], positions[k]);
        check_set_var(checker, var, one_of(checker, value, k), span);
    }
    checker->at.function->writes_globals = true;
}

void system_assign_array(Checker *checker, const AstStmt *stmt) {
    const AstExpr *target = stmt->assign.target;
    TirExpr *value = check_value(checker, stmt->assign.value);
    Member member;
    size_t position;
    const TirInterface *item = find_terminal(checker, target, &member, &position);
    if (item == NULL) {
        return;
    }
    if (require_input(checker, target, item)) {
        const char *text = check_expr_text(checker, target->span, item->name->text);
        store_all(checker, member.part, item, value, arena_format(checker->arena, "`%s`", text),
                  stmt->span);
    }
}

void system_report_unlike(Checker *checker, const char *what, Span span) {
    check_error(checker, DIAG_E0407, span, "%s differs from instance to instance: name one of them",
                what);
}

void system_store(Checker *checker, const Wire *wire, const TirInterface *item, TirExpr *value) {
    const char *what = arena_format(checker->arena, "`%s`",
                                    check_expr_text(checker, wire->span, item->name->text));
    if (wire->is_all) {
        store_all(checker, wire->part, item, value, what, wire->span);
        return;
    }
    Element *element = &wire->part->elements[wire->element];
    size_t position;
    CHECK(system_find_alike(element, item, &position));
    value = check_assignable(checker, item->type, value, what, item->span);
    check_set_var(checker, system_var(checker, element, position), value, wire->span);
}

// Calls.

TirExpr *system_call(Checker *checker, const AstExpr *ast) {
    const AstExpr *callee = ast->call.callee;
    Member member;
    if (!resolve(checker, callee, &member)) {
        return checker->poison;
    }
    TirPhase phase = TIR_INIT;
    while (phase <= TIR_UPDATE && strcmp(tir_phase_text(phase), member.name->name->text) != 0) {
        phase++;
    }
    if (phase > TIR_UPDATE || member.space != 't') {
        Diag *diag = check_error(checker, DIAG_E0301, callee->span, "an instance has no `%s()`",
                                 member.name->name->text);
        diag_note(diag, "it has `init()`, `output()` and `update()`");
        return checker->poison;
    }
    if (ast->call.args.count > 0 || ast->call.bang) {
        return check_fail(checker, DIAG_E0711, ast->span, "`%s()` has no arguments",
                          tir_phase_text(phase));
    }
    if (checker->at.mode.in_index) {
        return check_fail(checker, DIAG_E0604, ast->span,
                          "an index cannot run an instance: it has side effects");
    }
    if (checker->at.mode.pure) {
        return check_fail(checker, DIAG_E0702, ast->span, "%s cannot run an instance",
                          checker->at.wire != NULL ? "a wire" : "a file-level value");
    }
    check_spill_held(checker);
    for (uint32_t k = 0; k < member.part->count; k++) {
        if (!member.is_all && k != member.element) {
            continue;
        }
        Element *element = &member.part->elements[k];
        TirBlock *block = checker->at.block;
        if (phase == TIR_INIT) {
            system_start(checker, block, element, ast->span);
        } else {
            system_run(checker, system_when(checker, block, element->tir), element, phase,
                       ast->span);
        }
    }
    return check_nothing(checker, ast->span);
}

bool system_report_assignment(Checker *checker, const AstStmt *stmt) {
    const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.target : NULL;
    if (checker->at.unit->system == NULL || target == NULL || stmt->assign.compound ||
        !(check_is_interface(checker, target) || system_is_member(checker, target))) {
        return false;
    }
    static const char word[] = "connect ";
    Span before = {stmt->span.start - (uint32_t)strlen(word), stmt->span.start};
    bool has_word = checker->at.unit->system->is_broken && stmt->span.start >= strlen(word) &&
                    strcmp(check_expr_text(checker, before, ""), word) == 0;
    if (has_word) {
        return true; // the wire before took it for its value
    }
    Diag *diag =
        check_error(checker, DIAG_E0701, stmt->span, "a wire begins with `connect` at file level");
    diag_help(diag, "write `connect %s = ...`", check_expr_text(checker, target->span, "a.u"));
    diag_edit(diag, (Span){stmt->span.start, stmt->span.start}, "connect ");
    system_note_broken(checker);
    return true;
}
