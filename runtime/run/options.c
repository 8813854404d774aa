#include "runtime/run/options.h"

#include "runtime/abi/type.h"
#include "runtime/run/arguments.h"
#include "runtime/text/suggest.h"

static bool name_is(const tml_port *port, const char *name, size_t len) {
    return strlen(port->name) == len && memcmp(port->name, name, len) == 0;
}

// The name of a port of the same direction that is close to `name`, or NULL.
static const char *nearest_port(const tml_program *program, bool is_output, const char *name,
                                size_t len) {
    Suggestion suggestion = tml_suggestion_for(name, len);
    for (size_t i = 0; i < program->port_count; i++) {
        if (program->ports[i].is_output == is_output) {
            tml_suggestion_try(&suggestion, program->ports[i].name);
        }
    }
    return suggestion.nearest;
}

static void report_unknown_port(const tml_host *host, bool is_output, const char *name,
                                size_t len) {
    const char *direction = is_output ? "output" : "input";
    for (size_t i = 0; i < host->program->port_count; i++) {
        if (name_is(&host->program->ports[i], name, len)) {
            tml_host_report(host, "`%.*s` is an %s of this program; use `--%s`", (int)len, name,
                            is_output ? "input" : "output", is_output ? "in" : "out");
            return;
        }
    }
    const char *nearest = nearest_port(host->program, is_output, name, len);
    if (nearest) {
        tml_host_report(host, "this program has no %s `%.*s`; did you mean `%s`?", direction,
                        (int)len, name, nearest);
    } else {
        tml_host_report(host, "this program has no %s `%.*s`; see `%s --help`", direction, (int)len,
                        name, host->command);
    }
}

// Two outputs cannot go to one file.
static bool output_is_taken(const tml_host *host, const char *file) {
    for (size_t i = 0; i < host->program->port_count; i++) {
        if (host->program->ports[i].is_output && host->files[i] &&
            strcmp(host->files[i], file) == 0) {
            tml_host_report(host, "`%s` is given for two outputs", file);
            return true;
        }
    }
    return false;
}

// NAME=FILE after --in or --out.
static bool bind_port(tml_host *host, bool is_output, const char *binding) {
    const char *option = is_output ? "--out" : "--in";
    const char *equals = strchr(binding, '=');
    if (!equals || equals == binding || equals[1] == '\0') {
        tml_host_report(host, "`%s` needs NAME=FILE, found `%s`", option, binding);
        return false;
    }
    size_t len = (size_t)(equals - binding);
    for (size_t i = 0; i < host->program->port_count; i++) {
        const tml_port *port = &host->program->ports[i];
        if (port->is_output == is_output && name_is(port, binding, len)) {
            if (host->files[i]) {
                tml_host_report(host, "`%s %s` is given twice", option, port->name);
                return false;
            }
            if (is_output && output_is_taken(host, equals + 1)) {
                return false;
            }
            host->files[i] = equals + 1;
            return true;
        }
    }
    report_unknown_port(host, is_output, binding, len);
    return false;
}

// Every input port has a file, or a message lists those that have none.
static bool inputs_are_given(const tml_host *host) {
    bool all = true;
    for (size_t i = 0; i < host->program->port_count; i++) {
        const tml_port *port = &host->program->ports[i];
        if (!port->is_output && !host->files[i]) {
            char type[TML_TYPE_TEXT_BYTES];
            tml_host_report(host, "the input `%s` (%s) is missing; give `--in %s=FILE`", port->name,
                            tml_type_text(type, port->type), port->name);
            all = false;
        }
    }
    return all;
}

OptionsResult tml_options_parse(tml_host *host, int argc, char **argv) {
    for (int at = 1; at < argc; at++) {
        const char *argument = argv[at];
        const char *binding;
        bool is_output = false;
        if (strcmp(argument, "--help") == 0) {
            return OPTIONS_HELP;
        }
        if (!tml_take_option("--in", &at, argc, argv, &binding)) {
            is_output = true;
            if (!tml_take_option("--out", &at, argc, argv, &binding)) {
                tml_host_report(host, "%s `%s`; see `%s --help`",
                                argument[0] == '-' ? "unknown option" : "unexpected argument",
                                argument, host->command);
                return OPTIONS_WRONG;
            }
        }
        if (!binding) {
            tml_host_report(host, "`%s` needs NAME=FILE", argument);
            return OPTIONS_WRONG;
        }
        if (!bind_port(host, is_output, binding)) {
            return OPTIONS_WRONG;
        }
    }
    return inputs_are_given(host) ? OPTIONS_RUN : OPTIONS_WRONG;
}

static size_t count_ports(const tml_program *program, bool is_output) {
    size_t count = 0;
    for (size_t i = 0; i < program->port_count; i++) {
        count += program->ports[i].is_output == is_output;
    }
    return count;
}

static void list_ports(Writer *out, const tml_program *program, bool is_output) {
    size_t width = 0;
    for (size_t i = 0; i < program->port_count; i++) {
        size_t len = strlen(program->ports[i].name);
        width = len > width ? len : width;
    }
    for (size_t i = 0; i < program->port_count; i++) {
        const tml_port *port = &program->ports[i];
        if (port->is_output == is_output) {
            char type[TML_TYPE_TEXT_BYTES];
            tml_write_text(out, "  ");
            tml_write_text(out, port->name);
            for (size_t len = strlen(port->name); len < width + 2; len++) {
                tml_write_char(out, ' ');
            }
            tml_write_text(out, tml_type_text(type, port->type));
            tml_write_char(out, '\n');
        }
    }
}

void tml_options_help(tml_host *host) {
    Writer *out = &host->out;
    const tml_program *program = host->program;
    size_t inputs = count_ports(program, false);
    size_t outputs = count_ports(program, true);
    tml_write_text(out, "usage: ");
    tml_write_text(out, host->command);
    tml_write_text(out, inputs > 0 ? " --in NAME=FILE..." : "");
    tml_write_text(out, outputs > 0 ? " [--out NAME=FILE]..." : "");
    tml_write_char(out, '\n');
    if (inputs > 0) {
        tml_write_text(out, "\ninputs:\n");
        list_ports(out, program, false);
    }
    if (outputs > 0) {
        tml_write_text(out, "\noutputs:\n");
        list_ports(out, program, true);
    }
    if (inputs + outputs > 0) {
        tml_write_text(out,
                       "\nFILE is a NumPy array when it ends in .npy, else CSV; `-` is standard "
                       "input or output.\n");
    }
    if (outputs > 0) {
        tml_write_text(out, "Outputs that are not given are printed.\n");
    }
}
