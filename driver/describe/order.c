// See order.h. Reads what the checker has put in order (sema/system/order.c).
#include "driver/describe/order.h"

#include "support/path.h"

#include <string.h>

static void print_name(Buffer *out, const TirInstance *instance) {
    buffer_text(out, instance->name->text);
    if (instance->is_element) {
        buffer_format(out, "[%u]", (unsigned)instance->element);
    }
}

// Text.

static void print_instance(Buffer *out, const TirInstance *instance, size_t number) {
    if (number > 0) {
        buffer_format(out, "    %zu ", number);
    } else {
        buffer_text(out, "    - ");
    }
    print_name(out, instance);
    buffer_format(out, "  %s", path_base(instance->component->path));
    if (instance->every > 1) {
        buffer_format(out, ", every %u", (unsigned)instance->every);
        if (instance->offset > 0) {
            buffer_format(out, " offset %u", (unsigned)instance->offset);
        }
    }
    buffer_text(out, "\n");
}

// Text of the source on one line.
static void print_slice(Buffer *out, Slice text) {
    bool was_blank = false;
    for (size_t i = 0; i < text.len; i++) {
        bool is_blank = text.data[i] == ' ' || text.data[i] == '\n' || text.data[i] == '\t' ||
                        text.data[i] == '\r';
        if (!is_blank) {
            buffer_append(out, &text.data[i], 1);
        } else if (!was_blank) {
            buffer_text(out, " ");
        }
        was_blank = is_blank;
    }
}

static void print_wire(Buffer *out, const char *indent, const TirWire *wire) {
    buffer_text(out, indent);
    if (wire->to == NULL) {
        buffer_text(out, "t");
    } else if (wire->is_all) {
        buffer_text(out, wire->to->name->text);
    } else {
        print_name(out, wire->to);
    }
    buffer_format(out, ".%s = ", wire->terminal->text);
    print_slice(out, wire->value);
    buffer_text(out, "\n");
}

static void print_wires(Buffer *out, const TirProgram *program, bool to_inputs, bool feedthrough) {
    for (size_t i = 0; i < program->wires.count; i++) {
        const TirWire *wire = program->wires.items[i];
        if ((wire->to != NULL) == to_inputs && wire->has_feedthrough == feedthrough) {
            print_wire(out, "    ", wire);
        }
    }
}

// The wires that an instance waits for. Those of arrays stand at their first instance.
static void print_inputs(Buffer *out, const TirProgram *program, const TirInstance *instance) {
    for (size_t i = 0; i < program->wires.count; i++) {
        const TirWire *wire = program->wires.items[i];
        if (wire->to == instance && wire->has_feedthrough) {
            print_wire(out, "        ", wire);
        }
    }
}

static bool has_by_hand(const TirProgram *program) {
    return program->order.count < program->instances.count;
}

static void print_by_hand(Buffer *out, const TirProgram *program) {
    if (!has_by_hand(program)) {
        return;
    }
    buffer_text(out, "  by hand\n");
    for (size_t i = 0; i < program->instances.count; i++) {
        if (program->instances.items[i]->by_hand) {
            print_instance(out, program->instances.items[i], 0);
        }
    }
}

static bool has_function(const TirFunction *system, const char *name) {
    for (size_t i = 0; i < system->body.count; i++) {
        const TirStmt *stmt = system->body.items[i];
        if (stmt->kind == STMT_CALL && strcmp(stmt->call.function->name->text, name) == 0) {
            return true;
        }
    }
    return false;
}

static void print_own(Buffer *out, const TirFunction *system, const char *name) {
    if (has_function(system, name)) {
        buffer_format(out, "    %s\n", name);
    }
}

static void print_component(Buffer *out, const TirProgram *program) {
    buffer_format(out, "%s\n  output\n", path_base(program->path));
    for (size_t i = 0; i < program->order.count; i++) {
        print_instance(out, program->order.items[i], i + 1);
        print_inputs(out, program, program->order.items[i]);
    }
    print_own(out, program->output, "output_fnc");
    print_wires(out, program, false, true);
    buffer_text(out, "  update\n");
    print_wires(out, program, true, false);
    size_t number = 0;
    for (size_t i = 0; i < program->instances.count; i++) {
        if (!program->instances.items[i]->by_hand) {
            print_instance(out, program->instances.items[i], ++number);
        }
    }
    print_own(out, program->update, "update_fnc");
    print_wires(out, program, false, false);
    print_by_hand(out, program);
}

void order_print(Buffer *out, const TirProgram *program) {
    for (size_t i = 0; i < program->components.count; i++) {
        if (program->components.items[i]->instances.count > 0) {
            print_component(out, program->components.items[i]);
            buffer_text(out, "\n");
        }
    }
    if (program->instances.count > 0) {
        print_component(out, program);
    } else {
        buffer_format(out, "%s\n  has no instances\n", path_base(program->path));
    }
}

// Graph.

static void print_node(Buffer *out, const TirInstance *instance) {
    buffer_text(out, "\"");
    print_name(out, instance);
    buffer_text(out, "\"");
}

// An end of a wire: an instance, or a terminal of this file.
static void print_end(Buffer *out, const TirInstance *instance, Name terminal) {
    if (instance == NULL) {
        buffer_format(out, "\"t.%s\"", terminal->text);
    } else {
        print_node(out, instance);
    }
}

static void print_edges(Buffer *out, const TirWire *wire) {
    for (size_t i = 0; i < wire->from.count; i++) {
        const TirWireEnd *end = &wire->from.items[i];
        buffer_text(out, "  ");
        print_end(out, end->instance, end->terminal);
        buffer_text(out, " -> ");
        print_end(out, wire->to, wire->terminal);
        const char *from = end->instance == NULL ? "" : end->terminal->text;
        const char *to = wire->to == NULL ? "" : wire->terminal->text;
        bool is_later = end->is_delayed || (wire->to != NULL && !wire->has_feedthrough);
        buffer_format(out, " [label=\"%s%s%s\"%s", from, *from != '\0' && *to != '\0' ? " > " : "",
                      to, is_later ? ", style=dashed" : "");
        buffer_text(out, "];\n");
    }
}

void order_print_dot(Buffer *out, const TirProgram *program) {
    buffer_text(out,
                "digraph system {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
                "  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->space == 't' && item->is_present) {
            buffer_format(out, "  \"t.%s\" [shape=plaintext];\n", item->name->text);
        }
    }
    for (size_t i = 0; i < program->instances.count; i++) {
        const TirInstance *instance = program->instances.items[i];
        buffer_text(out, "  ");
        print_node(out, instance);
        buffer_text(out, " [label=\"");
        print_name(out, instance);
        buffer_format(out, "\\n%s", path_base(instance->component->path));
        if (instance->every > 1) {
            buffer_format(out, "\\nevery %u", (unsigned)instance->every);
        }
        buffer_format(out, "\"%s];\n", instance->by_hand ? ", style=rounded" : "");
    }
    for (size_t i = 0; i < program->wires.count; i++) {
        print_edges(out, program->wires.items[i]);
    }
    buffer_text(out, "}\n");
}
