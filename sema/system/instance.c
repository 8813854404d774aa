// Declarations of instances (L15.1): which component each one has, with which constants. A
// component is checked once for each set of them; its tunable properties have values by instance.
#include "sema/system/system.h"

#include "parser/ast_visit.h"
#include "sema/check.h"
#include "sema/component/component.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/buffer.h"
#include "support/bug.h"
#include "support/path.h"
#include "support/suggest.h"
#include "tir/constant.h"
#include "tir/visit.h"

#include <stdlib.h>
#include <string.h>

// Notes.

// Whether an instance may have the name; if not, that is an error.
static bool is_free(Checker *checker, Name name, Span span) {
    if (!check_is_no_macro_variable(checker, name, span, DIAG_E0302)) {
        return false;
    }
    Symbol *old = scope_find_here(checker->at.scope, name);
    if (old != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, span, "`%s` is declared twice in one scope",
                                 name->text);
        diag_label(diag, old->span, "first declared here");
        return false;
    }
    check_file_level_name(checker, checker->at.unit, name, span);
    return !check_is_space_name(name);
}

static void note_part(Checker *checker, System *system, const AstStmt *stmt) {
    const AstName *ast = &stmt->instance.name;
    Name name = check_macro_name(checker, ast);
    if (name == NULL) {
        return;
    }
    if (!is_free(checker, name, ast->span)) {
        LIST_PUSH(checker->arena, &system->refused, name);
        return;
    }
    Part *part = ARENA_NEW(checker->arena, Part);
    *part = (Part){.ast = stmt, .macros = checker->at.macros, .name = name};
    part->is_array = stmt->instance.count != NULL;
    scope_add(checker->at.scope, SYMBOL_INSTANCE, name, ast->span)->part = part;
    notes_name(checker, NAME_INSTANCE, name, ast->span, ast->span);
    LIST_PUSH(checker->arena, &system->parts, part);
}

// `connect a.u =`, and the next line begins with `connect`, which stands there for a value.
static bool lacks_value(const AstStmt *stmt) {
    const AstExpr *value = stmt->connect.value;
    return value->kind == AST_NAME && strcmp(value->name.name->text, "connect") == 0;
}

void system_note(Checker *checker, const AstStmt *stmt) {
    const char *word = stmt->kind == AST_INSTANCE ? "instance" : "connect";
    Unit *unit = checker->at.unit;
    if (!checker->at.mode.at_file_level) {
        check_error(checker, DIAG_E0706, stmt->span, "`%s` stands at file level only", word);
        return;
    }
    CHECK(unit->index == 0 && unit->kind == FILE_COMPONENT);
    if (unit->system == NULL) {
        unit->system = ARENA_NEW(checker->arena, System);
    }
    if (stmt->kind == AST_INSTANCE) {
        note_part(checker, unit->system, stmt);
        return;
    }
    if (lacks_value(stmt)) {
        Diag *diag = check_error(checker, DIAG_E0201, stmt->connect.target->span,
                                 "this wire has no value: what stands behind `=` is the next one");
        diag_note(diag, "`connect %s = ...` is one wire",
                  check_expr_text(checker, stmt->connect.target->span, "a.u"));
        unit->system->is_broken = true;
        return;
    }
    Wire *wire = ARENA_NEW(checker->arena, Wire);
    *wire = (Wire){.ast = stmt, .macros = checker->at.macros, .span = stmt->connect.target->span};
    LIST_PUSH(checker->arena, &unit->system->wires, wire);
}

void system_note_broken(Checker *checker) {
    if (checker->at.unit->system != NULL) {
        checker->at.unit->system->is_broken = true;
    }
}

// Whether the block has instances and wires alone.
static bool has_only_wires(const AstBlock *block) {
    bool wires = block->count > 0;
    for (size_t k = 0; k < block->count; k++) {
        wires = wires &&
                (block->items[k]->kind == AST_CONNECT || block->items[k]->kind == AST_INSTANCE);
    }
    return wires;
}

bool system_report_block(Checker *checker, const AstStmt *stmt) {
    bool is_loop = stmt->kind == AST_FOR;
    bool is_choice =
        stmt->kind == AST_IF && stmt->branch.arm_count == 1 && !stmt->branch.has_otherwise;
    if (!(is_loop && has_only_wires(&stmt->for_loop.body)) &&
        !(is_choice && has_only_wires(&stmt->branch.arms[0].body))) {
        return false;
    }
    Span word = {stmt->span.start, stmt->span.start + (is_loop ? 3 : 2)};
    Diag *diag = check_error(checker, DIAG_E0701, word,
                             "instances and wires are there before anything runs");
    diag_help(diag, "`macro %s` %s them", is_loop ? "for" : "if", is_loop ? "repeats" : "chooses");
    diag_edit(diag, (Span){stmt->span.start, stmt->span.start}, "macro ");
    system_note_broken(checker);
    return true;
}

bool system_report_call(Checker *checker, const AstStmt *stmt) {
    const AstExpr *call = stmt->kind == AST_CALL_STMT ? stmt->call : NULL;
    if (call == NULL || call->call.callee->kind != AST_NAME ||
        strcmp(call->call.callee->name.name->text, "connect") != 0) {
        return false;
    }
    if (check_was_told(checker, DIAG_E0701, call->span, "a wire is no call")) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0701, call->span, "a wire is no call");
    diag_note(diag, "what takes the value comes first: `connect speed.r = t.ref`");
    system_note_broken(checker);
    return true;
}

// Components.

// What stands for a file that cannot be used.
static AstFile broken_file;

static void report_component_cycle(Checker *checker, Span span, const char *path) {
    check_error(checker, DIAG_E0704, span, "`%s` contains an instance of itself", path);
}

// Each message of a component says which instance brought it.
static void note_instance(Checker *checker, const Part *part, size_t before) {
    DiagList *diags = checker->context->diags;
    for (size_t k = before; k < diags->all.count; k++) {
        diag_note_at(diags->all.items[k], part->ast->instance.name.span,
                     "in the component of the instance `%s`", part->name->text);
    }
}

static AstFile *load_file(Checker *checker, const Part *part, const char *path) {
    Span span = part->ast->instance.path_span;
    size_t before = checker->context->diags->all.count;
    size_t errors = checker->context->diags->error_count;
    const char *error = NULL;
    AstFile *file = checker->options->load(checker->options->load_data, path, &error);
    if (file == NULL) {
        unit_report_unread(checker, span, path, error);
        return &broken_file;
    }
    if (checker->context->diags->error_count > errors) {
        note_instance(checker, part, before);
        return &broken_file;
    }
    if (file_kind(checker->arena, file) != FILE_COMPONENT) {
        Diag *diag = check_error(checker, DIAG_E0701, span, "`%s` is no component", path);
        diag_note(diag, "an instance is of a file with terminals, or with `init_fnc`, "
                        "`output_fnc` or `update_fnc`");
        return &broken_file;
    }
    return file;
}

// The file of a part's component; NULL after an error, its own or one of an instance before.
static AstFile *component_file(Checker *checker, const Part *part) {
    const AstStmt *stmt = part->ast;
    const char *path =
        path_from(checker->arena, checker->at.unit->file->source->path, stmt->instance.path);
    Name name = unit_identify(checker, path);
    for (const Checker *at = checker; at != NULL; at = at->outer) {
        if (at->file == name) {
            report_component_cycle(checker, stmt->instance.path_span, path);
            return NULL;
        }
    }
    AstFile *file = table_get(&checker->shared->files, name);
    if (file == NULL) {
        file = load_file(checker, part, path);
        table_set(checker->arena, &checker->shared->files, name, file);
    }
    return file == &broken_file ? NULL : file;
}

// A name for a file and what decides the code of an instance of it; with all settings, or without
// those that may be tunable.
static Name use_key(Checker *checker, const AstFile *file, const ComponentUse *use, bool all) {
    Buffer key = {0};
    buffer_format(&key, "%p%s;", (const void *)file, all ? " all" : "");
    for (size_t k = 0; k < use->setting_count; k++) {
        const UseSetting *setting = &use->settings[k];
        if (all || use->fixes_tunables || !setting->may_be_tunable) {
            system_describe_setting(&key, setting, use);
            buffer_text(&key, ";");
        }
    }
    for (size_t k = 0; k < use->connected_count; k++) {
        buffer_format(&key, "%s;", use->connected[k]->text);
    }
    Name name = names_intern(checker->context->names, key.data, key.len);
    buffer_free(&key);
    return name;
}

static bool is_tunable(const TirProgram *program, const UseSetting *setting) {
    size_t position;
    bool is_own = tir_find_interface(program, setting->space, setting->name, &position);
    return is_own && program->interface.items[position]->kind == INTERFACE_TUNABLE;
}

// Whether all settings that the short key leaves out are tunable in what is known by it.
static bool leaves_out_tunables(const ComponentUse *use, const TirProgram *program) {
    bool ok = true;
    for (size_t k = 0; k < use->setting_count && !use->fixes_tunables; k++) {
        const UseSetting *setting = &use->settings[k];
        ok = ok && (!setting->may_be_tunable || is_tunable(program, setting));
    }
    return ok;
}

// What may be meant by a setting that the component does not have: its name in the other namespace,
// a name that is near, or else any of them.
static void suggest_setting(Checker *checker, Diag *diag, const UseSetting *setting,
                            const TirProgram *program) {
    const char *known = "";
    const char *same = NULL;
    Suggestion suggestion = suggestion_for_name(setting->name);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->space == 't') {
            continue;
        }
        const char *text = arena_format(checker->arena, "%c.%s", item->space, item->name->text);
        known = arena_format(checker->arena, "%s%s`%s`", known, *known == '\0' ? "" : ", ", text);
        same = item->name == setting->name ? text : same;
        if (item->space == setting->space) {
            suggestion_try(&suggestion, item->name->text);
        }
    }
    if (same != NULL) {
        diag_help(diag, "did you mean `%s`?", same);
    } else if (suggestion.nearest != NULL) {
        diag_help(diag, "did you mean `%c.%s`?", setting->space, suggestion.nearest);
    } else if (*known != '\0') {
        diag_note(diag, "it has %s", known);
    }
}

// E0304 for what the component does not have.
static void report_settings(Checker *checker, const AstFile *file, const ComponentUse *use,
                            const TirProgram *program) {
    for (size_t k = 0; k < use->setting_count; k++) {
        const UseSetting *setting = &use->settings[k];
        if (setting->is_used) {
            continue;
        }
        Diag *diag = check_error(checker, DIAG_E0304, setting->span, "`%s` has no `%c.%s`",
                                 file->source->path, setting->space, setting->name->text);
        if (program != NULL) {
            suggest_setting(checker, diag, setting, program);
        }
    }
}

// Whether one of the messages is not about what the instance gives it.
static bool is_broken(const Checker *checker, size_t before) {
    const DiagList *diags = checker->context->diags;
    const SourceFile *own = checker->at.unit->file->source;
    for (size_t k = before; k < diags->all.count; k++) {
        uint32_t start = diags->all.items[k]->span.start;
        if (start < own->base || start > own->base + own->len) {
            return true;
        }
    }
    return false;
}

// The component with these constants, checked now if no instance before had them. NULL after an
// error.
static TirProgram *find_component(Checker *checker, const Part *part, AstFile *file,
                                  const ComponentUse *use) {
    CheckShared *shared = checker->shared;
    Name key = use_key(checker, file, use, false);
    TirProgram *program = table_get(&shared->by_use, key);
    if (program != NULL && !leaves_out_tunables(use, program)) {
        key = use_key(checker, file, use, true);
        program = table_get(&shared->by_use, key);
    }
    if (program != NULL) { // what it was given is in the key or tunable, so that it has all of it
        return program;
    }
    size_t before = checker->context->diags->all.count;
    size_t errors = checker->context->diags->error_count;
    program = check_component(checker, file, use);
    note_instance(checker, part, before);
    if (checker->context->diags->error_count == errors) {
        report_settings(checker, file, use, program);
    }
    if (program == NULL || checker->context->diags->error_count > errors) {
        if (is_broken(checker, before)) { // its other uses stay silent
            table_set(checker->arena, &shared->files, unit_identify(checker, file->source->path),
                      &broken_file);
        }
        return NULL;
    }
    program->symbol = arena_format(checker->arena, "%s.%zu", path_base(file->source->path),
                                   shared->components.count);
    if (!leaves_out_tunables(use, program)) {
        key = use_key(checker, file, use, true);
    }
    table_set(checker->arena, &shared->by_use, key, program);
    LIST_PUSH(checker->arena, &shared->components, program);
    return program;
}

// E0702 of what reads tunable properties and is given to a constant.
static bool require_constants(Checker *checker, const ComponentUse *use,
                              const TirProgram *program) {
    for (size_t k = 0; k < use->setting_count; k++) {
        const UseSetting *setting = &use->settings[k];
        if (setting->reads_tunables && !is_tunable(program, setting)) {
            return check_refuse(checker, DIAG_E0702, setting->value->span,
                                "the value of `%c.%s` must be a constant expression",
                                setting->space, setting->name->text);
        }
    }
    return true;
}

// What a tunable property of the instance starts with.
static TirExpr *tunable_value(Checker *checker, const TirInterface *item, const ComponentUse *use) {
    for (size_t k = 0; k < use->setting_count; k++) {
        const UseSetting *setting = &use->settings[k];
        if (setting->space != item->space || setting->name != item->name) {
            continue;
        }
        return check_setting(checker, item, setting, use);
    }
    return item->value;
}

static bool create_element(Checker *checker, Part *part, AstFile *file, ComponentUse *use,
                           uint32_t number) {
    use->element = number;
    TirProgram *component = find_component(checker, part, file, use);
    if (component == NULL || !require_constants(checker, use, component)) {
        return false;
    }
    TirInstance *tir = ARENA_NEW(checker->arena, TirInstance);
    *tir = (TirInstance){.name = part->name,
                         .is_element = part->is_array,
                         .element = number,
                         .count = part->count,
                         .span = part->ast->instance.name.span,
                         .component = component,
                         .every = part->every,
                         .offset = part->offset,
                         .by_hand = part->by_hand};
    size_t count = component->interface.count;
    for (size_t k = 0; k < count; k++) { // its outputs stay where they are from cycle to cycle
        TirInterface *item = component->interface.items[k];
        item->is_direct = item->kind == INTERFACE_OUTPUT && item->has_feedthrough;
    }
    tir->defaults = ARENA_ARRAY(checker->arena, TirExpr *, count);
    for (size_t k = 0; k < count; k++) {
        const TirInterface *item = component->interface.items[k];
        if (item->kind == INTERFACE_TUNABLE) {
            tir->defaults[k] = tunable_value(checker, item, use);
            if (type_is_poison(tir->defaults[k]->type)) {
                return false;
            }
        }
    }
    Element *element = &part->elements[number];
    element->tir = tir;
    element->vars = ARENA_ARRAY(checker->arena, TirVar *, count);
    element->next = ARENA_ARRAY(checker->arena, TirVar *, count);
    system_add_hardware(checker, element);
    LIST_PUSH(checker->arena, &checker->program->instances, tir);
    return true;
}

#define CYCLES "it counts cycles, not seconds: each second is `every 100` where `n.dt` is 0.01"

// A constant number of a declaration; false after E0414 or E0421. What it counts is said of a real.
static bool lower_number(Checker *checker, const AstExpr *ast, const char *what, const char *unit,
                         int64_t least, uint32_t *number) {
    enum { LIMIT = 1 << 20 };
    TirExpr *value = check_constant(checker, ast);
    int64_t integer;
    if (type_is_poison(value->type)) {
        return false;
    }
    if (!constant_integer(&checker->tir, value, &integer)) {
        Diag *diag =
            check_error(checker, DIAG_E0414, ast->span, "%s must be a constant `int`", what);
        if (value->type->root == ROOT_REAL) {
            diag_note(diag, "%s", unit);
        } else {
            check_note_not_constant(checker, diag, ast);
        }
        return false;
    }
    if (integer < least || integer > LIMIT) {
        return check_refuse(checker, least == 0 || integer < least ? DIAG_E0421 : DIAG_E0902,
                            ast->span, "%s must be from %lld to %d, this is %lld", what,
                            (long long)least, LIMIT, (long long)integer);
    }
    *number = (uint32_t)integer;
    return true;
}

static bool lower_numbers(Checker *checker, Part *part) {
    const AstStmt *stmt = part->ast;
    part->count = 1;
    part->every = 1;
    if (part->is_array) {
        TirExpr *value = check_constant(checker, stmt->instance.count);
        int64_t integer;
        if (type_is_poison(value->type)) {
            return false;
        }
        if (constant_integer(&checker->tir, value, &integer) && integer < 1) {
            return check_refuse(checker, DIAG_E0410, stmt->instance.count->span,
                                "an array has at least one instance, this is %lld",
                                (long long)integer);
        }
        if (!lower_number(checker, stmt->instance.count, "the length of an array",
                          "it counts instances", 1, &part->count)) {
            return false;
        }
    }
    if (stmt->instance.every != NULL &&
        !lower_number(checker, stmt->instance.every, "the cycles of `every`", CYCLES, 1,
                      &part->every)) {
        return false;
    }
    if (stmt->instance.offset != NULL &&
        !lower_number(checker, stmt->instance.offset, "the `offset`", CYCLES, 0, &part->offset)) {
        return false;
    }
    if (stmt->instance.offset != NULL && part->offset >= part->every) {
        return check_refuse(checker, DIAG_E0421, stmt->instance.offset->span,
                            "the `offset` %u is not below the %u of `every`", part->offset,
                            part->every);
    }
    return true;
}

// Adds an optional input to those that exist, in the order of their names.
static void connect_optional(const AstFile *file, Name name, ComponentUse *use) {
    if (!system_file_declares(file, name, AST_MODIFIER_OPTIONAL)) {
        return;
    }
    size_t at = use->connected_count;
    while (at > 0 && strcmp(use->connected[at - 1]->text, name->text) > 0) {
        at--;
    }
    if (at > 0 && use->connected[at - 1] == name) {
        return;
    }
    memmove(use->connected + at + 1, use->connected + at,
            (use->connected_count - at) * sizeof(*use->connected));
    use->connected[at] = name;
    use->connected_count++;
}

static bool is_instance(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_INSTANCE;
}

static bool declare_part(Checker *checker, Part *part) {
    const AstStmt *stmt = part->ast;
    AstFile *file = component_file(checker, part);
    part->file = file;
    HandUse hand = system_hand_use(checker, part);
    part->by_hand = !span_is_nowhere(hand.first);
    part->hand_span = hand.first;
    checker->at.unit->system->is_broken |= hand.is_wrong;
    if (!lower_numbers(checker, part) || file == NULL) {
        return false;
    }
    ComponentUse use = {.count = part->is_array ? part->count : 0};
    AstVisitor instances = {.stmt = is_instance};
    use.fixes_tunables = ast_visit_block(&file->statements, &instances);
    use.settings = ARENA_ARRAY(checker->arena, UseSetting, stmt->instance.setting_count);
    bool ok = true;
    for (size_t k = 0; k < stmt->instance.setting_count; k++) {
        ok = system_lower_setting(checker, file, &stmt->instance.settings[k], use.settings,
                                  use.setting_count, &use.settings[use.setting_count]) &&
             ok;
        use.setting_count += ok;
    }
    part->elements = ARENA_ARRAY(checker->arena, Element, part->count);
    for (uint32_t k = 0; ok && k < part->count; k++) {
        use.connected_count = 0;
        use.connected =
            ARENA_ARRAY(checker->arena, Name, hand.assigned.count + part->wires.count + 1);
        for (size_t i = 0; i < hand.assigned.count; i++) {
            connect_optional(file, hand.assigned.items[i], &use);
        }
        for (size_t i = 0; i < part->wires.count; i++) {
            const Wire *wire = part->wires.items[i];
            bool is_there = wire->forwards == NULL || wire->forwards->is_present;
            if (is_there && (wire->is_all || wire->element == k)) {
                connect_optional(file, wire->input, &use);
            }
        }
        ok = create_element(checker, part, file, &use, k);
    }
    return ok;
}

void system_declare(Checker *checker, System *system) {
    system->errors = checker->context->diags->error_count;
    system_find_targets(checker, system);
    MacroBinding *outside = checker->at.macros;
    for (size_t k = 0; k < system->parts.count; k++) {
        Part *part = system->parts.items[k];
        checker->at.macros = part->macros;
        part->failed = !declare_part(checker, part);
        part->is_known = true;
        for (uint32_t i = 0; !part->failed && i < part->count; i++) {
            system_start(checker, checker->at.block, &part->elements[i], part->ast->span);
        }
    }
    checker->at.macros = outside;
    system->start = checker->at.block;
    system->output = system_function(checker, "output_fnc");
    system->update = system_function(checker, "update_fnc");
    system_connect(checker, system);
}
