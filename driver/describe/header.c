// See header.h. The header needs <stddef.h> and <stdint.h> only, and compiles as C99 to C17 and as
// C++11 without warnings.
#include "driver/describe/header.h"

#include "support/bug.h"
#include "support/path.h"
#include "tir/print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The first comment begins with the file's name and this.
static const char marker[] = ": made by tmlc ";

static const char model_header[] = {
#include "model_header.inc"
    '\0'};

const char *header_model_text(void) {
    return model_header;
}

// Text of the user inside a comment: it must not end it, nor join lines.
static void print_quoted(Buffer *out, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        bool is_plain = (unsigned char)*at >= ' ' && *at != '\\' && *at != '?' && *at != 0x7f &&
                        (*at != '/' || at == text || at[-1] != '*') &&
                        (*at != '*' || at == text || at[-1] != '/');
        buffer_append(out, is_plain ? at : "_", 1);
    }
}

static void print_origin(const HostView *view, HeaderOrigin origin, Buffer *out) {
    buffer_text(out, "/* ");
    print_quoted(out, view->file);
    buffer_format(out, "%s" TMLC_VERSION ". Changes belong into the source.\n\n", marker);
    buffer_text(out, "   target     ");
    print_quoted(out, origin.triple);
    buffer_text(out, ", cpu ");
    print_quoted(out, origin.cpu[0] == '\0' ? "generic" : origin.cpu);
    buffer_format(out, ", real is %s\n", view->program->single ? "float" : "double");
}

static void print_externals(const Report *report, Buffer *out) {
    buffer_text(out, "   externals  ");
    for (size_t i = 0; i < report->code.externals.count; i++) {
        buffer_text(out, i == 0 ? "" : i % 8 == 0 ? "\n              " : " ");
        print_quoted(out, report->code.externals.items[i]);
    }
    buffer_text(out, report->code.externals.count == 0 ? "none" : "");
}

static const char *root_name(const HostView *view, Root root) {
    switch (root) {
    case ROOT_BOOL: return "uint8_t";
    case ROOT_UINT: return "uint32_t";
    case ROOT_INT: return "int32_t";
    case ROOT_REAL: return view->program->single ? "float" : "double";
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

static void print_dims(Buffer *out, const Type *type) {
    for (size_t k = 0; k < type->flat_rank; k++) {
        buffer_format(out, "[%" PRIu32 "]", type->dims[k]);
    }
}

static void print_address(const TirIo *io, Buffer *out) {
    buffer_format(out, " at 0x%" PRIx64 "%s%s%s", io->address, io->is_dma ? ", dma" : "",
                  io->range == NULL ? "" : ", ", io->range == NULL ? "" : io->range);
}

static void print_hardware(const HostView *view, Buffer *out) {
    const TirProgram *program = view->program;
    for (size_t i = 0; i < program->hardware.count; i++) {
        const TirInterface *item = program->hardware.items[i];
        buffer_text(out, i == 0 ? "\n   hardware   in place: " : "\n              ");
        buffer_format(out, "%s: ", item->io->name->text);
        type_print(out, item->type);
        buffer_format(out, ", %s", host_role(item->kind));
        print_address(item->io, out);
    }
}

static void print_description(const HostMember *member, HostStructKind in, Buffer *out) {
    const TirInterface *item = member->item;
    if (item != NULL && item->io != NULL) {
        buffer_format(out, "%s: ", item->io->name->text);
    } else if (item != NULL) {
        buffer_format(out, "%c.%s: ", item->space, item->name->text);
    }
    type_print(out, member->type);
    buffer_text(out, member->debug == NULL ? "" : ", debug signal");
    if (item == NULL) {
        return;
    }
    buffer_format(out, ", %s", host_role(item->kind));
    if (item->is_optional) {
        buffer_text(out, ", optional");
    }
    if (in == HOST_STATE) {
        buffer_text(out, ", until it is copied out");
    } else if (item->io != NULL) {
        print_address(item->io, out);
    } else if (item->kind != INTERFACE_TUNABLE) {
        buffer_text(out, item->has_feedthrough ? ", feedthrough" : ", no feedthrough");
    }
}

static void print_member(const HostView *view, const HostMember *member, HostStructKind in,
                         size_t depth, Buffer *out);

// A struct within, without a name of its own: that of an instance, or of a part of one.
static void print_inner(const HostView *view, const HostMember *member, size_t depth, Buffer *out) {
    buffer_text(out, "struct {\n");
    for (size_t i = 0; i < member->inner->members.count; i++) {
        print_member(view, &member->inner->members.items[i], member->inner->kind, depth + 1, out);
    }
    buffer_repeat(out, ' ', 4 * depth);
    buffer_format(out, "} %s", member->name);
    if (member->count > 0) {
        buffer_format(out, "[%" PRIu64 "]", member->count);
    }
    buffer_text(out, ";");
    if (depth == 1) {
        buffer_text(out, member->count > 0 ? " /* instances of " : " /* an instance of ");
        print_quoted(out, member->inner->name);
        buffer_text(out, " */");
    }
    buffer_text(out, "\n");
}

static void print_member(const HostView *view, const HostMember *member, HostStructKind in,
                         size_t depth, Buffer *out) {
    buffer_repeat(out, ' ', 4 * depth);
    if (member->inner != NULL) {
        print_inner(view, member, depth, out);
    } else if (member->type != NULL) {
        buffer_format(out, "%s %s", root_name(view, member->type->root), member->name);
        print_dims(out, member->type);
        buffer_text(out, "; /* ");
        print_description(member, in, out);
        buffer_text(out, " */\n");
    } else if (member->count > 0) {
        buffer_format(out, "uint64_t %s[%" PRIu64 "]; /* arrays in use during a call */\n",
                      member->name, member->count);
    } else {
        buffer_format(out, "tml_fault %s; /* the last trap */\n", member->name);
    }
}

static void print_struct(const HostView *view, HostStructKind kind, Buffer *out) {
    const HostStruct *of = &view->structs[kind];
    buffer_format(out, "typedef struct %s {\n", of->name);
    if (of->members.count == 0) {
        buffer_text(out, "    uint8_t none;\n");
    }
    for (size_t i = 0; i < of->members.count; i++) {
        print_member(view, &of->members.items[i], kind, 1, out);
    }
    buffer_format(out, "} %s;\n\n", of->name);
}

static void print_define(Buffer *out, const char *name, const char *symbol) {
    buffer_format(out, "#define %s %s\n", name, symbol);
}

// C++ tells functions and templates of structs apart by the names of these.
static void print_link_names(const HostView *view, Buffer *out) {
    buffer_text(out,
                "/* As linkers know them: the hash is that of the sources, the options and the "
                "compiler, so that\n   a header goes with its own object only. */\n");
    for (size_t i = 0; i < view->entries.count; i++) {
        print_define(out, view->entries.items[i].name, view->entries.items[i].symbol);
    }
    for (size_t i = 0; i < view->functions.count; i++) {
        print_define(out, view->functions.items[i].name, view->functions.items[i].symbol);
    }
    if (view->has_state) {
        buffer_text(out, "#ifdef __cplusplus\n");
        for (int kind = view->is_component ? HOST_PARAMS : HOST_STATE; kind < HOST_STRUCT_COUNT;
             kind++) {
            print_define(out, view->structs[kind].name, view->structs[kind].tag);
        }
        buffer_text(out, "#endif\n");
    }
    buffer_text(out, "\n");
}

// A text of C, in which nothing but letters, digits and blanks stands for itself.
static void print_literal(Buffer *out, Slice text) {
    buffer_text(out, "\"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        bool is_plain = byte == ' ' || byte == '_' || (byte >= '0' && byte <= '9') ||
                        ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
        buffer_format(out, is_plain ? "%c" : "\\%03o", byte);
    }
    buffer_text(out, "\"");
}

static void print_scalar(const HostView *view, Root root, TirScalar scalar, Buffer *out) {
    switch (root) {
    case ROOT_BOOL: buffer_text(out, scalar.boolean ? "1" : "0"); return;
    case ROOT_UINT: buffer_format(out, "%" PRIu32 "u", scalar.uint); return;
    case ROOT_INT:
        // The sign is no part of a literal of C, and the digits have to fit without it.
        buffer_format(out, scalar.integer == INT32_MIN ? "%" PRId32 " - 1" : "%" PRId32,
                      scalar.integer == INT32_MIN ? -INT32_MAX : scalar.integer);
        return;
    case ROOT_REAL:
        tir_print_real(out, scalar.real);
        buffer_text(out, view->program->single ? "f" : "");
        return;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// Whether C has a literal for it.
static bool is_known_in_c(const TirInterface *item) {
    return item->kind == INTERFACE_CONSTANT && type_is_scalar(item->type) &&
           (item->type->root != ROOT_REAL || isfinite(item->value->data[0].real));
}

static void print_constants(const HostView *view, Buffer *out) {
    bool any = false;
    for (size_t i = 0; i < view->program->interface.count; i++) {
        const TirInterface *item = view->program->interface.items[i];
        if (!is_known_in_c(item)) {
            continue;
        }
        buffer_text(out, any ? "" : "/* Constants of the source, compiled in. */\n");
        any = true;
        buffer_format(out, "#define %s_%c_%s ", view->prefix, item->space, item->name->text);
        if (item->type->root >= ROOT_CHAR) {
            print_literal(out, item->text);
        } else {
            buffer_text(out, "(");
            print_scalar(view, item->type->root, item->value->data[0], out);
            buffer_text(out, ")");
        }
        buffer_text(out, "\n");
    }
    buffer_text(out, any ? "\n" : "");
}

// A host that was compiled for another machine, or with other packing, is told so. C99 has no
// assertions; an array of -1 elements stands in for one.
static void print_assertions(const HostView *view, Buffer *out) {
    const char *prefix = view->prefix;
    buffer_format(out,
                  "#if defined(__cplusplus)\n"
                  "#define %s_layout(number, condition) static_assert(condition, \"made for "
                  "another layout\")\n"
                  "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
                  "#define %s_layout(number, condition) _Static_assert(condition, \"made for "
                  "another layout\")\n"
                  "#else\n"
                  "#define %s_layout(number, condition) \\\n"
                  "    typedef char %s_layout_##number[(condition) ? 1 : -1]\n"
                  "#endif\n",
                  prefix, prefix, prefix, prefix);
    unsigned number = 0;
    for (int kind = 0; kind < HOST_STRUCT_COUNT; kind++) {
        const HostStruct *of = &view->structs[kind];
        if (kind != HOST_STATE && !view->is_component) {
            continue;
        }
        buffer_format(out, "%s_layout(%u, sizeof(%s) == %" PRIu64 ");\n", prefix, number++,
                      of->name, of->bytes);
        for (size_t i = 0; i < of->members.count; i++) {
            const HostMember *member = &of->members.items[i];
            buffer_format(out, "%s_layout(%u, offsetof(%s, %s) == %" PRIu64 ");\n", prefix,
                          number++, of->name, member->name, member->offset);
        }
    }
    buffer_format(out, "#undef %s_layout\n\n", prefix);
}

// A declaration, which is freed, with its semicolon, over several lines where it is long.
static void print_wrapped(Buffer *out, Buffer *text) {
    enum { COLUMNS = 100 };
    size_t column = 0;
    for (const char *at = text->data; *at != '\0';) {
        const char *end = strstr(at, ", ");
        size_t len = end == NULL ? strlen(at) : (size_t)(end - at) + 1;
        if (column > 0 && column + 1 + len > COLUMNS) {
            buffer_text(out, "\n    ");
            column = 4;
        } else if (column > 0) {
            buffer_text(out, " ");
            column++;
        }
        buffer_append(out, at, len);
        column += len;
        at += end == NULL ? len : len + 1;
    }
    buffer_text(out, ";\n");
    buffer_free(text);
}

static void print_batch(const HostView *view, Buffer *out) {
    const char *p = view->prefix;
    buffer_format(
        out,
        "\n/* %u instances side by side. Memory of %s_lanes structs each, at a multiple of "
        "64 bytes. What\n   is at byte b of a struct is there once for each instance, "
        "from byte b * %s_lanes on: element i of\n   an array is at i * %s_lanes + lane "
        "there. Else than TML_OK, nothing in it is of use: TML_E_APART\n   says that an "
        "instance would trap. */\n"
        "enum { %s_lanes = %u };\n"
        "tml_status %s_init_batch(void *s, const void *p);\n",
        view->lanes, p, p, p, p, view->lanes, p);
    Buffer text = {0};
    buffer_format(&text,
                  "tml_status %s_step_n_batch(void *s, const void *p, size_t n, const void *u, "
                  "void *y)",
                  p);
    print_wrapped(out, &text);
}

static void print_entries(const HostView *view, Buffer *out) {
    const char *p = view->prefix;
    if (!view->is_component) {
        buffer_format(out,
                      "/* Gives the variables their first values; whatever was in the state is "
                      "gone. */\n"
                      "tml_status %s_init(%s_state *s);\n",
                      p, p);
        return;
    }
    buffer_format(out, "extern const %s_params %s_defaults; /* as in the source */\n", p, p);
    if (view->has_input_defaults) {
        buffer_format(out,
                      "extern const %s_inputs %s_inputs_defaults; /* 0 where the source has no "
                      "default */\n",
                      p, p);
    }
    buffer_format(out,
                  "\n/* Once: first values and init_fnc; whatever was in the state is gone. */\n"
                  "tml_status %s_init(%s_state *s, const %s_params *p);\n",
                  p, p, p);
    static const struct {
        const char *name, *count, *comment;
    } calls[] = {
        {"output", "", "The first half of a step: the outputs, from the state and the inputs."},
        {"update", "", "The second half: the next state. The outputs stay as they are."},
        {"step", "", "Both halves."},
        {"step_n", "size_t n, ", "n steps: from u[0] to y[0] and so on."},
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        Buffer text = {0};
        buffer_format(out, "/* %s */\n", calls[i].comment);
        buffer_format(&text,
                      "tml_status %s_%s(%s_state *s, const %s_params *p, %sconst %s_inputs *u, "
                      "%s_outputs *y)",
                      p, calls[i].name, p, p, calls[i].count, p, p);
        print_wrapped(out, &text);
    }
    if (view->lanes > 0) {
        print_batch(view, out);
    }
    if (view->has_table) {
        buffer_format(out,
                      "\n/* All of the above as data. */\n"
                      "extern const tml_model %s_model;\n",
                      p);
    }
}

static void print_array_note(Buffer *out, const Type *type) {
    if (type_is_tensor(type)) {
        buffer_text(out, " /* ");
        print_dims(out, type);
        buffer_text(out, " */");
    }
}

static void print_param(const HostView *view, const TirVar *param, const char *name, Buffer *out) {
    bool is_written = param->role != VAR_PARAM;
    bool is_array = type_is_tensor(param->type);
    buffer_format(out, "%s%s %s%s", is_array && !is_written ? "const " : "",
                  root_name(view, param->type->root), is_array || is_written ? "*" : "", name);
    print_array_note(out, param->type);
}

static void print_function(const HostView *view, const HostFunction *host, Buffer *out) {
    const TirFunction *function = host->function;
    const char *comma = "";
    Buffer text = {0};
    buffer_format(&text, "tml_status %s(", host->name);
    if (host->needs_state) {
        buffer_format(&text, "%s_state *s", view->prefix);
        comma = ", ";
    }
    for (size_t i = 0; i < function->param_count; i++, comma = ", ") {
        buffer_text(&text, comma);
        print_param(view, function->params[i], host->params[i], &text);
    }
    for (size_t i = 0; i < function->results.count; i++, comma = ", ") {
        buffer_text(&text, comma);
        print_param(view, function->results.items[i], host->results[i], &text);
    }
    buffer_text(&text, comma[0] == '\0' ? "void)" : ")");
    print_wrapped(out, &text);
}

static void print_functions(const HostView *view, Buffer *out) {
    if (view->functions.count == 0) {
        return;
    }
    buffer_text(out, "/* Functions of the source. Arrays are row-major, dims in brackets; what is "
                     "written overlaps\n   nothing else that is passed. */\n");
    for (size_t i = 0; i < view->functions.count; i++) {
        print_function(view, &view->functions.items[i], out);
    }
}

void header_print(const HostView *view, const Report *report, HeaderOrigin origin, Buffer *out) {
    print_origin(view, origin, out);
    report_print(report, "   ", out);
    print_externals(report, out);
    print_hardware(view, out);
    buffer_text(out, " */\n\n");
    buffer_text(out, model_header);
    buffer_format(out, "\n#ifndef %s\n#define %s\n", view->guard, view->guard);
    buffer_format(
        out,
        "#ifdef %s_TML_H\n"
        "#error \"two variants of %s in one file: `--prefix=NAME` gives one of them names "
        "of its own\"\n"
        "#else\n#define %s_TML_H\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
        view->prefix, view->prefix, view->prefix);
    if (view->entries.count + view->functions.count > 0) {
        print_link_names(view, out);
    }
    print_constants(view, out);
    if (view->is_component) {
        print_struct(view, HOST_PARAMS, out);
        print_struct(view, HOST_INPUTS, out);
        print_struct(view, HOST_OUTPUTS, out);
    }
    if (view->has_state) {
        print_struct(view, HOST_STATE, out);
        print_assertions(view, out);
        print_entries(view, out);
        buffer_text(out, "\n");
    }
    print_functions(view, out);
    buffer_text(out, view->functions.count > 0 ? "\n" : "");
    buffer_text(out, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n#endif\n");
}

bool header_is_ours(const char *text) {
    const char *found = strncmp(text, "/* ", 3) == 0 ? strstr(text, marker) : NULL;
    return found != NULL && found < text + strcspn(text, "\n");
}

bool header_hides_one_of_c(const char *path) {
    static const char *const names[] = {
        "assert",    "complex", "ctype",   "errno",  "fenv",   "float",  "inttypes",    "iso646",
        "limits",    "locale",  "math",    "memory", "setjmp", "signal", "stdalign",    "stdarg",
        "stdatomic", "stdbool", "stddef",  "stdint", "stdio",  "stdlib", "stdnoreturn", "string",
        "strings",   "tgmath",  "threads", "time",   "uchar",  "unistd", "wchar",       "wctype",
    };
    const char *name = path_base(path);
    size_t len = (size_t)(path_suffix(name) - name);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strlen(names[i]) == len && strncmp(names[i], name, len) == 0) {
            return strcmp(name + len, ".h") == 0;
        }
    }
    return false;
}
