// See description.h. Builds JSON from the view that hosts have of a file (host_view.h) and from its
// report, and prints it at once: types with the dims of each level, values of constants row by row,
// nan and infinities as texts.
#include "driver/describe/description.h"

#include "support/bug.h"
#include "support/json.h"
#include "tir/visit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Dims level by level: tensor<tensor<real, 3>, 2> is [[2], [3]].
static json_t *levels_json(const Type *type) {
    json_t *levels = json_array();
    for (const Type *level = type; type_is_tensor(level); level = level->base) {
        json_t *dims = json_array();
        for (size_t k = 0; k < level->rank; k++) {
            json_add(dims, json_count(level->dims[k]));
        }
        json_add(levels, dims);
    }
    return levels;
}

static void describe_type(json_t *object, const Type *type) {
    Buffer text = {0};
    type_print(&text, type);
    json_set(object, "type", json_text(text.data, text.len));
    buffer_free(&text);
    json_set(object, "root", json_string(root_text(type->root)));
    json_set(object, "dims", levels_json(type));
}

// JSON has no numbers for nan and the infinities: they are texts.
static json_t *real_json(double value) {
    if (isfinite(value)) {
        return json_real(value);
    }
    return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static json_t *scalar_json(Root root, TirScalar scalar) {
    switch (root) {
    case ROOT_BOOL: return json_boolean(scalar.boolean);
    case ROOT_UINT: return json_count(scalar.uint);
    case ROOT_INT: return json_integer(scalar.integer);
    case ROOT_REAL: return real_json(scalar.real);
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// Row-major over the flat dims; a scalar stands alone.
static json_t *value_json(const TirExpr *value) {
    if (type_is_scalar(value->type)) {
        return scalar_json(value->type->root, value->data[0]);
    }
    json_t *items = json_array();
    for (uint32_t i = 0; i < value->type->numel; i++) {
        json_add(items, scalar_json(value->type->root, value->data[i]));
    }
    return items;
}

static json_t *interface_json(const TirInterface *item) {
    json_t *object = json_object();
    json_set(object, "role", json_string(host_role(item->kind)));
    json_set(object, "space", json_stringn(&item->space, 1));
    json_set(object, "name", json_word(item->name->text));
    describe_type(object, item->type);
    if (item->kind == INTERFACE_INPUT || item->kind == INTERFACE_OUTPUT) {
        json_set(object, "feedthrough", json_boolean(tir_may_feed_through(item)));
        json_set(object, "optional", json_boolean(item->is_optional));
        json_set(object, "present", json_boolean(item->is_present));
    }
    if (item->io != NULL) {
        json_t *io = json_object();
        json_set(io, "address", json_count(item->io->address));
        json_set(io, "range", item->io->range == NULL ? json_null() : json_word(item->io->range));
        json_set(io, "dma", json_boolean(item->io->is_dma));
        json_set(object, "io", io);
    }
    bool is_text = item->type->root == ROOT_STR || item->type->root == ROOT_CHAR;
    if (is_text) {
        json_set(object, "value", json_text(item->text.data, item->text.len));
    } else if (item->value != NULL) {
        json_set(object, "value", value_json(item->value));
    }
    return object;
}

static json_t *members_json(const HostStruct *of);

static json_t *member_json(const HostMember *member) {
    json_t *object = json_object();
    json_set(object, "member", json_word(member->name));
    json_set(object, "offset", json_count(member->offset));
    if (member->item != NULL) {
        json_set(object, "space", json_stringn(&member->item->space, 1));
        json_set(object, "name", json_word(member->item->name->text));
    }
    if (member->debug != NULL) {
        json_set(object, "debug", json_text(member->debug, strlen(member->debug)));
    }
    if (member->inner != NULL) {
        json_set(object, "component", json_word(member->inner->name));
        json_set(object, "count", json_count(member->count == 0 ? 1 : member->count));
        if (member->stride > 0) {
            json_set(object, "stride", json_count(member->stride));
        }
        json_set(object, "members", members_json(member->inner));
    } else if (member->type != NULL) {
        describe_type(object, member->type);
    } else if (member->count > 0) {
        json_set(object, "words", json_count(member->count));
    }
    return object;
}

static json_t *members_json(const HostStruct *of) {
    json_t *members = json_array();
    for (size_t i = 0; i < of->members.count; i++) {
        json_add(members, member_json(&of->members.items[i]));
    }
    return members;
}

static json_t *struct_json(const HostStruct *of) {
    json_t *object = json_object();
    json_set(object, "name", json_word(of->name));
    json_set(object, "bytes", json_count(of->bytes));
    json_set(object, "members", members_json(of));
    return object;
}

static json_t *value_of_type(const char *name, const Type *type) {
    json_t *object = json_object();
    json_set(object, "name", json_word(name));
    describe_type(object, type);
    return object;
}

static json_t *function_json(const HostFunction *host) {
    const TirFunction *function = host->function;
    json_t *object = json_object();
    json_set(object, "name", json_word(function->name->text));
    json_set(object, "symbol", json_word(host->symbol));
    json_set(object, "takes_state", json_boolean(host->needs_state));
    json_t *params = json_array();
    for (size_t i = 0; i < function->param_count; i++) {
        json_t *param = value_of_type(host->params[i], function->params[i]->type);
        json_set(param, "is_var", json_boolean(function->params[i]->role == VAR_INOUT));
        json_add(params, param);
    }
    json_set(object, "params", params);
    json_t *results = json_array();
    for (size_t i = 0; i < function->results.count; i++) {
        json_add(results, value_of_type(host->results[i], function->results.items[i]->type));
    }
    json_set(object, "results", results);
    return object;
}

static const char *kind_text(TirProgramKind kind) {
    switch (kind) {
    case PROGRAM_SCRIPT: return "script";
    case PROGRAM_MAIN: return "program";
    case PROGRAM_LIBRARY: return "library";
    case PROGRAM_COMPONENT: return "component";
    }
    UNREACHABLE();
}

// What the numbers in a fault stand for.
static void describe_faults(json_t *object, const HostView *view) {
    json_t *files = json_array();
    for (size_t i = 0; i < view->files.count; i++) {
        json_add(files, json_word(view->files.items[i]));
    }
    json_set(object, "files", files);
    json_t *texts = json_array();
    for (size_t i = 0; i < view->texts.count; i++) {
        json_add(texts, json_text(view->texts.items[i].data, view->texts.items[i].len));
    }
    json_set(object, "texts", texts);
}

static void describe_host(json_t *object, const HostView *view) {
    if (view->has_state) {
        describe_faults(object, view);
        char hash[17];
        snprintf(hash, sizeof(hash), "%016" PRIx64, view->layout);
        json_set(object, "layout", json_string(hash));
        json_t *structs = json_object();
        static const char *const keys[] = {"params", "inputs", "outputs", "state"};
        for (int kind = view->is_component ? HOST_PARAMS : HOST_STATE; kind < HOST_STRUCT_COUNT;
             kind++) {
            json_set(structs, keys[kind], struct_json(&view->structs[kind]));
        }
        json_set(object, "structs", structs);
        json_t *symbols = json_object();
        for (size_t i = 0; i < view->entries.count; i++) {
            const HostEntry *entry = &view->entries.items[i];
            json_set(symbols, entry->what, json_word(entry->symbol));
        }
        json_set(object, "symbols", symbols);
    }
    json_t *functions = json_array();
    for (size_t i = 0; i < view->functions.count; i++) {
        json_add(functions, function_json(&view->functions.items[i]));
    }
    json_set(object, "functions", functions);
}

void description_print(const HostView *view, const Report *report, HeaderOrigin origin,
                       Buffer *out) {
    const TirProgram *program = view->program;
    json_t *object = json_object();
    json_set(object, "version", json_integer(1));
    json_set(object, "tmlc", json_string(TMLC_VERSION));
    json_set(object, "file", json_word(view->file));
    json_set(object, "kind", json_string(kind_text(program->kind)));
    json_set(object, "prefix", json_word(view->prefix));
    json_set(object, "target", json_word(origin.triple));
    json_set(object, "cpu", json_word(origin.cpu));
    json_set(object, "real_bytes", json_integer(program->single ? 4 : 8));
    json_t *interface = json_array();
    for (size_t i = 0; i < program->interface.count; i++) {
        json_add(interface, interface_json(program->interface.items[i]));
    }
    json_set(object, "interface", interface);
    json_t *hardware = json_array(); // accessed in place
    for (size_t i = 0; i < program->hardware.count; i++) {
        json_add(hardware, interface_json(program->hardware.items[i]));
    }
    json_set(object, "hardware", hardware);
    describe_host(object, view);
    json_set(object, "report", report_json(report));
    json_finish(object, out);
}
