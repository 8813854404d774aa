// See sources.h. The files of runtime/fmi are put one behind the other, without what includes them
// in one another; a model's code is one statement of assembly.
#include "driver/fmu/sources.h"

#include "driver/describe/header.h"

#include <string.h>

static const char fault_header[] = {
#include "fmi_fault_h.inc"
    '\0'};
static const char instance_header[] = {
#include "fmi_instance_h.inc"
    '\0'};
static const char instance_code[] = {
#include "fmi_instance_c.inc"
    '\0'};
static const char snapshot_code[] = {
#include "fmi_snapshot_c.inc"
    '\0'};
static const char header_2[] = {
#include "fmi_fmi2_h.inc"
    '\0'};
static const char code_2[] = {
#include "fmi_fmi2_c.inc"
    '\0'};
static const char header_3[] = {
#include "fmi_fmi3_h.inc"
    '\0'};
static const char code_3[] = {
#include "fmi_fmi3_c.inc"
    '\0'};

// What a file includes of ours stands before it.
static void print_without_includes(Buffer *out, const char *text) {
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        len += line[len] == '\n';
        if (strncmp(line, "#include \"", strlen("#include \"")) != 0) {
            buffer_append(out, line, len);
        }
        line += len;
    }
}

const char *fmu_table_symbol(Arena *arena, const FmuModel *model) {
    return arena_format(arena, "%s_tml_fmi_model", model->identifier);
}

void fmu_print_prefix(const FmuModel *model, Buffer *out) {
    int version = model->version;
    buffer_format(
        out,
        "// Functions have the prefix of the standard, so that several models fit into one\n"
        "// program; in a library they have none, with FMI%d_OVERRIDE_FUNCTION_PREFIX.\n"
        "#ifndef FMI%d_FUNCTION_PREFIX\n"
        "#define FMI%d_FUNCTION_PREFIX %s_\n"
        "#endif\n\n",
        version, version, version, model->identifier);
}

void fmu_print_functions(Arena *arena, const FmuModel *model, Buffer *out) {
    const char *table = fmu_table_symbol(arena, model);
    buffer_text(out, header_model_text());
    buffer_format(out,
                  "\nextern const tml_model %s;\n\n"
                  "static const tml_model *tml_models(size_t *count) {\n"
                  "    *count = 1;\n"
                  "    return &%s;\n"
                  "}\n\n"
                  "static const double tml_fmi_step = %a;\n"
                  "static const char tml_fmi_token[] = \"%s\";\n"
                  "#define TML_FMU_LOCAL static\n\n",
                  table, table, model->step, model->token);
    bool is_old = model->version == 2;
    const char *const texts[] = {fault_header,  instance_header, is_old ? header_2 : header_3,
                                 instance_code, snapshot_code,   is_old ? code_2 : code_3};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        print_without_includes(out, texts[i]);
    }
}

void fmu_begin_code(Buffer *out) {
    buffer_text(out, "// The model as tmlc compiled it, for each machine of the FMU.\n"
                     "#if 0\n");
}

// A line of assembly as a text of C, without trigraphs.
static void print_line(Buffer *out, const char *line, size_t len) {
    buffer_text(out, "    \"");
    for (size_t i = 0; i < len; i++) {
        bool is_second = i > 0 && line[i] == '?' && line[i - 1] == '?';
        if (line[i] == '"' || line[i] == '\\' || is_second) {
            buffer_text(out, "\\");
        }
        if (line[i] == '\t') {
            buffer_text(out, "\\t");
        } else {
            buffer_append(out, line + i, 1);
        }
    }
    buffer_text(out, "\\n\"\n");
}

void fmu_add_code(const FmuModel *model, const FmuPlatform *platform, const Buffer *assembly,
                  const char *table, Buffer *out) {
    buffer_format(out, "#elif defined(%s) && defined(__linux__)\n__asm__(\n", platform->macro);
    for (size_t at = 0; at < assembly->len;) {
        const char *line = assembly->data + at;
        const char *end = memchr(line, '\n', assembly->len - at);
        size_t len = end == NULL ? assembly->len - at : (size_t)(end - line);
        print_line(out, line, len);
        at += len + 1;
    }
    buffer_format(out,
                  "    \"\\t.globl\\t%s_tml_fmi_model\\n\"\n"
                  "    \"\\t.set\\t%s_tml_fmi_model, %s\\n\"\n);\n",
                  model->identifier, model->identifier, table);
}

void fmu_finish_code(Buffer *out) {
    buffer_text(out,
                "#else\n#error \"this FMU has no code of its model for this machine\"\n#endif\n");
}
