// Components (L4.1, L10): terminals, tunable properties, state, functions that touch them, and the
// three entry functions.
#include "tests/random/generator.h"

#include <stdio.h>
#include <string.h>

// Where a statement stands: what may be read and written there (L10.2).
typedef enum Phase {
    PHASE_FILE,     // values of file-level variables
    PHASE_ANYWHERE, // a function that every entry may call
    PHASE_INIT,
    PHASE_OUTPUT,          // outputs have no value yet
    PHASE_OUTPUT_FUNCTION, // called when they have
    PHASE_UPDATE,          // and functions for it
} Phase;

typedef struct Access {
    bool reads, writes;
} Access;

static Access access(FuzzRole role, Phase phase) {
    bool at_file = phase == PHASE_FILE;
    bool updates = phase == PHASE_UPDATE;
    switch (role) {
    case FUZZ_PLAIN: return (Access){true, true};
    case FUZZ_INPUT: return (Access){!at_file, false};
    case FUZZ_LATE_INPUT: return (Access){updates || phase == PHASE_INIT, false};
    case FUZZ_OUTPUT:
        return (Access){updates || phase == PHASE_OUTPUT_FUNCTION, phase == PHASE_OUTPUT_FUNCTION};
    case FUZZ_LATE_OUTPUT:
        return (Access){updates || phase == PHASE_OUTPUT || phase == PHASE_OUTPUT_FUNCTION,
                        updates};
    case FUZZ_TUNABLE:
    case FUZZ_CONSTANT: return (Access){true, false};
    case FUZZ_OPTIONAL_INPUT:
    case FUZZ_OPTIONAL_OUTPUT: return (Access){false, false};
    }
    __builtin_unreachable();
}

static void enter_phase(Fuzz *fuzz, Phase phase) {
    for (unsigned i = 0; i < fuzz->var_count; i++) {
        FuzzVar *var = &fuzz->vars[i];
        Access allowed = access(var->role, phase);
        var->is_hidden = !allowed.reads;
        var->is_read_only = !allowed.writes;
    }
}

// Declarations.

static const char *const heads[] = {
    [FUZZ_INPUT] = "in",        [FUZZ_LATE_INPUT] = "not feedthrough in",
    [FUZZ_OUTPUT] = "out",      [FUZZ_LATE_OUTPUT] = "not feedthrough out",
    [FUZZ_TUNABLE] = "tunable",
};

static void set_role(FuzzVar *var, FuzzRole role) {
    var->role = role;
    var->is_global = true;
}

// A constant value: literals and casts of them.
static void write_constant(Fuzz *fuzz, const FuzzType *type) {
    unsigned visible = fuzz->var_count;
    fuzz_text(fuzz, " = ");
    fuzz->var_count = 0;
    fuzz_leaf(fuzz, type, PREC_ANY);
    fuzz->var_count = visible;
}

static void declare_terminal(Fuzz *fuzz, FuzzRole role) {
    if (fuzz_percent(fuzz, 15)) {
        unsigned before = fuzz->var_count;
        FuzzVar *vars = fuzz_terminal_family(fuzz, heads[role]);
        for (unsigned i = 0; vars && before + i < fuzz->var_count; i++) {
            set_role(&vars[i], role);
        }
        return;
    }
    FuzzType type = fuzz_random_type(fuzz);
    if (fuzz->var_count > 0 && fuzz_percent(fuzz, 60)) {
        type = fuzz->vars[fuzz_below(fuzz, fuzz->var_count)].type;
    }
    char name[FUZZ_NAME] = {0};
    char full[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'u', name);
    snprintf(full, sizeof(full), "t.%.8s", name);
    buffer_format(fuzz->out, "%s ", heads[role]);
    fuzz_type_text(&type, fuzz->out);
    buffer_format(fuzz->out, " %s", full);
    if ((role == FUZZ_INPUT || role == FUZZ_LATE_INPUT) && fuzz_percent(fuzz, 30)) {
        write_constant(fuzz, &type);
    }
    fuzz_text(fuzz, "\n");
    set_role(fuzz_add_var(fuzz, full, &type), role);
}

static void declare_terminals(Fuzz *fuzz, FuzzRole role, unsigned most) {
    for (unsigned i = fuzz_below(fuzz, most + 1); i > 0; i--) {
        declare_terminal(fuzz, role);
    }
}

static void declare_property(Fuzz *fuzz, FuzzRole role) {
    FuzzType type = fuzz_random_type(fuzz);
    char name[FUZZ_NAME] = {0};
    char full[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'c', name);
    snprintf(full, sizeof(full), "%c.%.8s",
             role == FUZZ_CONSTANT && fuzz_percent(fuzz, 50) ? 'n' : 'p', name);
    fuzz_text(fuzz, role == FUZZ_TUNABLE ? "tunable " : "");
    fuzz_type_text(&type, fuzz->out);
    buffer_format(fuzz->out, " %s", full);
    write_constant(fuzz, &type);
    fuzz_text(fuzz, "\n");
    set_role(fuzz_add_var(fuzz, full, &type), role);
}

static void declare_interface(Fuzz *fuzz) {
    for (unsigned i = fuzz_below(fuzz, 3); i > 0; i--) {
        declare_property(fuzz, FUZZ_TUNABLE);
    }
    // Constants in the wrong place are errors, not traps.
    for (unsigned i = fuzz->risk == 0 ? fuzz_below(fuzz, 3) : 0; i > 0; i--) {
        declare_property(fuzz, FUZZ_CONSTANT);
    }
    declare_terminals(fuzz, FUZZ_INPUT, 3);
    declare_terminals(fuzz, FUZZ_LATE_INPUT, 1);
    fuzz_declare_optional(fuzz);
}

static void declare_state(Fuzz *fuzz) {
    enter_phase(fuzz, PHASE_FILE);
    fuzz->is_file_level = true;
    for (unsigned i = 1 + fuzz_below(fuzz, 5); i > 0; i--) {
        if (fuzz_percent(fuzz, 10)) {
            fuzz_declare_family(fuzz, true, 2);
        } else {
            fuzz_declare(fuzz, true, 2);
        }
    }
    fuzz->is_file_level = false;
}

// Entry functions.

// `for` over a text: its copies of the body differ in what the characters decide (L10.8).
static void loop_over_text(Fuzz *fuzz) {
    char index[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'i', index);
    fuzz_line(fuzz, "for %s = 0:p.signs.len:", index);
    fuzz->indent++;
    fuzz->loop_depth++;
    fuzz_line(fuzz, "if p.signs[%s] == '+':", index);
    fuzz->indent++;
    fuzz_plain_statement(fuzz, 1);
    fuzz->indent--;
    fuzz_line(fuzz, "else:");
    fuzz->indent++;
    fuzz_plain_statement(fuzz, 1);
    fuzz->indent--;
    fuzz_line(fuzz, "end");
    fuzz->loop_depth--;
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

static void statements(Fuzz *fuzz, unsigned count) {
    fuzz_statements(fuzz, count, 2);
    if (fuzz_percent(fuzz, 8)) {
        loop_over_text(fuzz);
    }
}

// A value of a part, which leaves the rest as it was; reading that is only a warning.
static void assign_part(Fuzz *fuzz, const FuzzVar *var) {
    fuzz_indent(fuzz);
    fuzz_text(fuzz, var->name);
    FuzzType type = fuzz_brackets(fuzz, &var->type, true, 1);
    fuzz_text(fuzz, " = ");
    fuzz_assignable(fuzz, &type, 2);
    fuzz_text(fuzz, "\n");
}

static void maybe_leave(Fuzz *fuzz) {
    if (fuzz_percent(fuzz, 20)) {
        FuzzType boolean = fuzz_scalar(FUZZ_BOOL);
        fuzz_indent(fuzz);
        fuzz_text(fuzz, "if ");
        fuzz_argument(fuzz, &boolean, 1);
        fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? ":\n" : " and true:\n");
        fuzz->indent++;
        fuzz_line(fuzz, fuzz_percent(fuzz, 50) ? "break" : "continue");
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    }
}

// A loop per dim around an assignment of one element: some of these give the output all of its
// value, some leave out elements.
static void assign_in_loops(Fuzz *fuzz, const FuzzVar *var) {
    const FuzzLevel *level = &var->type.levels[0];
    FuzzType element = fuzz_base(&var->type);
    char names[FUZZ_RANK][FUZZ_NAME] = {0};
    for (unsigned k = 0; k < level->rank; k++) {
        fuzz_new_name(fuzz, 'i', names[k]);
        unsigned first = fuzz_percent(fuzz, 10) ? 1 : 0;
        unsigned last = level->dims[k] - (fuzz_percent(fuzz, 10) ? 1 : 0);
        fuzz_line(fuzz, "for %s = %u:%u:%u:", names[k], first, last,
                  fuzz_percent(fuzz, 90) ? 1 : 2);
        fuzz->indent++;
        fuzz->loop_depth++;
        maybe_leave(fuzz);
    }
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s[", var->name);
    for (unsigned k = 0; k < level->rank; k++) {
        buffer_format(fuzz->out, k > 0 ? ", %s" : "%s", names[k]);
    }
    fuzz_text(fuzz, "] = ");
    fuzz_assignable(fuzz, &element, 1);
    fuzz_text(fuzz, "\n");
    for (unsigned k = 0; k < level->rank; k++) {
        maybe_leave(fuzz);
        fuzz->loop_depth--;
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    }
}

// Gives each output of the role its value; from then on it may be read and written.
static void assign_outputs(Fuzz *fuzz, FuzzRole role, unsigned percent) {
    unsigned count = fuzz->var_count;
    for (unsigned i = 0; i < count; i++) {
        FuzzVar *var = &fuzz->vars[i];
        if (var->role != role || !fuzz_percent(fuzz, percent)) {
            continue;
        }
        bool has_part = var->type.depth > 0 && fuzz_percent(fuzz, 25);
        if (has_part) {
            assign_part(fuzz, var);
            if (fuzz_percent(fuzz, 60)) {
                assign_in_loops(fuzz, var);
            }
            var->is_hidden = false;
            var->is_read_only = false;
        }
        if (!has_part || fuzz_percent(fuzz, 50)) {
            fuzz_assign_whole(fuzz, var, 3);
        }
        var->is_hidden = false;
        var->is_read_only = false;
    }
}

static void begin_entry(Fuzz *fuzz, Buffer *text, const char *name, Phase phase) {
    fuzz->out = text;
    fuzz_line(fuzz, "fn %s():", name);
    fuzz->indent++;
    enter_phase(fuzz, phase);
}

static void end_entry(Fuzz *fuzz, unsigned var_count) {
    fuzz->indent--;
    fuzz_line(fuzz, "end");
    fuzz->var_count = var_count;
    fuzz_drop_families(fuzz);
}

static void write_init(Fuzz *fuzz, Buffer *text) {
    unsigned count = fuzz->var_count;
    begin_entry(fuzz, text, "init_fnc", PHASE_INIT);
    statements(fuzz, fuzz_below(fuzz, 3));
    assign_outputs(fuzz, FUZZ_LATE_OUTPUT, 100);
    assign_outputs(fuzz, FUZZ_OUTPUT, 25);
    statements(fuzz, fuzz_below(fuzz, 4));
    fuzz_line(fuzz, "pass");
    end_entry(fuzz, count);
}

static void write_functions(Fuzz *fuzz, Buffer *text, Phase phase, unsigned most) {
    fuzz->out = text;
    enter_phase(fuzz, phase);
    fuzz_write_short_functions(fuzz);
    for (unsigned i = fuzz_below(fuzz, most + 1); i > 0; i--) {
        fuzz_write_function(fuzz);
    }
}

static void write_output(Fuzz *fuzz, Buffer *text, Buffer *functions) {
    unsigned count = fuzz->var_count;
    unsigned general = fuzz->function_count;
    write_functions(fuzz, functions, PHASE_OUTPUT_FUNCTION, 2);
    unsigned all = fuzz->function_count;
    fuzz->function_count = general;
    begin_entry(fuzz, text, "output_fnc", PHASE_OUTPUT);
    statements(fuzz, fuzz_below(fuzz, 5));
    assign_outputs(fuzz, FUZZ_OUTPUT, 100);
    fuzz_assign_optional(fuzz);
    fuzz->function_count = all;
    statements(fuzz, fuzz_below(fuzz, 4));
    fuzz_line(fuzz, "pass");
    end_entry(fuzz, count);
    fuzz->function_count = general;
}

static void write_update(Fuzz *fuzz, Buffer *text, Buffer *functions) {
    unsigned count = fuzz->var_count;
    write_functions(fuzz, functions, PHASE_UPDATE, 2);
    begin_entry(fuzz, text, "update_fnc", PHASE_UPDATE);
    statements(fuzz, 2 + fuzz_below(fuzz, 7));
    fuzz_line(fuzz, "pass");
    end_entry(fuzz, count);
}

void fuzz_component(Fuzz *fuzz) {
    enum { PARTS = 6 };
    Buffer parts[PARTS] = {0};
    Buffer *out = fuzz->out;
    fuzz->is_component = true;
    fuzz_text(fuzz, "str p.signs = \"+-+\"\n");
    declare_interface(fuzz);
    declare_state(fuzz);
    declare_terminals(fuzz, FUZZ_LATE_OUTPUT, 2);
    declare_terminal(fuzz, FUZZ_OUTPUT);
    declare_terminals(fuzz, FUZZ_OUTPUT, 2);
    write_functions(fuzz, &parts[0], PHASE_ANYWHERE, 2);
    write_init(fuzz, &parts[1]);
    write_output(fuzz, &parts[2], &parts[3]);
    write_update(fuzz, &parts[4], &parts[5]);
    unsigned first = fuzz_below(fuzz, PARTS); // functions stand in any order
    for (unsigned i = 0; i < PARTS; i++) {
        Buffer *part = &parts[(first + i) % PARTS];
        buffer_append(out, part->len > 0 ? part->data : "", part->len);
        buffer_free(part);
    }
    fuzz->out = out;
}
