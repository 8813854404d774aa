// See description.h. Value references follow the table of the model as runtime/fmi does: in FMI 3
// variable i has i + 1, and 0 is the time; in FMI 2 each scalar has one, from 1 on.
#include "driver/fmu/description.h"

#include "support/bug.h"
#include "support/xml.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// FMI 3: the name of the independent variable.
static const char TIME[] = "time";

// A row that is listed.
typedef struct Entry {
    const ModelRow *row;
    const char *name;
    uint64_t reference; // of it, or of its first scalar
    uint64_t index;     // FMI 2: of its first scalar in the list, from 1
    uint64_t count;     // scalars; 1 for a text
} Entry;

typedef struct Entries {
    Arena *arena;
    const FmuModel *model;
    LIST_OF(Entry) all;
} Entries;

static bool is_listed(const FmuModel *model, const ModelRow *row) {
    bool is_local = row->role == TML_VARIABLE || row->role == TML_DEBUG;
    return (model->has_locals || !is_local);
}

// Whether another variable of the interface has the name, or in FMI 3 the time.
static bool is_taken(const FmuModel *model, const ModelRow *by, const char *name) {
    for (size_t i = 0; i < model->rows.count; i++) {
        const ModelRow *row = &model->rows.items[i];
        if (row != by && row->space[0] != '\0' && strcmp(row->name, name) == 0) {
            return true;
        }
    }
    return model->version == 3 && strcmp(name, TIME) == 0;
}

// Names are those of the source. Where several of the interface have one, those of their namespaces
// stand with them; what is private never changes how the interface is called, and stands in quotes,
// which no name of TML has.
static const char *entry_name(Arena *arena, const FmuModel *model, const ModelRow *row) {
    if (!is_taken(model, row, row->name)) {
        return row->name;
    }
    return row->space[0] == '\0' ? arena_format(arena, "'%s'", row->name)
                                 : arena_format(arena, "%s.%s", row->space, row->name);
}

static Entries list_entries(Arena *arena, const FmuModel *model) {
    Entries entries = {.arena = arena, .model = model};
    uint64_t scalars = 1, index = 1;
    for (size_t i = 0; i < model->rows.count; i++) {
        const ModelRow *row = &model->rows.items[i];
        uint64_t count = row->type == NULL ? 1 : row->type->numel;
        if (is_listed(model, row)) {
            Entry entry = {.row = row,
                           .name = entry_name(arena, model, row),
                           .reference = model->version == 3 ? i + 1 : scalars,
                           .index = index,
                           .count = count};
            LIST_PUSH(arena, &entries.all, entry);
            index += count;
        }
        scalars += count;
    }
    return entries;
}

// Values.

// The shortest of three forms that is read back as the same number.
static void print_real(Buffer *out, double value) {
    if (!isfinite(value)) {
        buffer_text(out, isnan(value) ? "NaN" : value > 0 ? "INF" : "-INF");
        return;
    }
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    buffer_text(out, text);
}

static void print_scalar(Buffer *out, Root root, const TirScalar *scalar) {
    switch (root) {
    case ROOT_BOOL: buffer_text(out, scalar->boolean ? "true" : "false"); return;
    case ROOT_UINT: buffer_format(out, "%" PRIu32, scalar->uint); return;
    case ROOT_INT: buffer_format(out, "%" PRId32, scalar->integer); return;
    case ROOT_REAL: print_real(out, scalar->real); return;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// Scalars [first, first + count) of what a variable starts with; inputs without a default start
// with 0.
static void print_start(Buffer *out, const ModelRow *row, uint64_t first, uint64_t count) {
    buffer_text(out, " start=\"");
    for (uint64_t i = first; i < first + count; i++) {
        const TirScalar *value = row->value == NULL ? &(TirScalar){0} : &row->value->data[i];
        buffer_text(out, i > first ? " " : "");
        print_scalar(out, row->type->root, value);
    }
    buffer_text(out, "\"");
}

// As the source has it: `p.k`.
static const char *source_name(Arena *arena, const ModelRow *row) {
    return row->space[0] == '\0' ? row->name : arena_format(arena, "%s.%s", row->space, row->name);
}

static bool has_start(const ModelRow *row) {
    return row->role == TML_INPUT || row->role == TML_PARAM || row->role == TML_CONSTANT;
}

// What FMI 2 has not, with the name of the variable to come; NULL: it has the value.
static const char *unwritable_value(const ModelRow *row, const TirScalar *scalar) {
    if (row->type->root == ROOT_UINT && scalar->uint > INT32_MAX) {
        return "FMI 2 has no whole numbers beyond 2147483647, and `%s` has one; with `--fmi=3` "
               "it is a UInt32";
    }
    bool is_refused = row->type->root == ROOT_REAL && has_start(row) && !isfinite(scalar->real);
    return is_refused ? "FMI 2 writes no nan and nothing infinite, and `%s` is; FMI 3 does "
                        "(`--fmi=3`)"
                      : NULL;
}

static const char *unwritable_text(Arena *arena, const ModelRows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        const ModelRow *row = &rows->items[i];
        if (row->type == NULL && !xml_has(row->text.data, row->text.len)) {
            return arena_format(arena,
                                "`%s` has bytes that are no UTF-8, or characters that XML has not; "
                                "FMUs have texts in XML",
                                source_name(arena, row));
        }
    }
    return NULL;
}

const char *fmu_unwritable(Arena *arena, const FmuModel *model) {
    const char *fault = unwritable_text(arena, &model->rows);
    if (fault != NULL) {
        return fault;
    }
    bool has_variables = model->version != 2; // there time is one
    for (size_t i = 0; i < model->rows.count && model->version == 2; i++) {
        const ModelRow *row = &model->rows.items[i];
        bool has_values = row->type != NULL && row->value != NULL;
        has_variables = has_variables || is_listed(model, row);
        for (uint32_t k = 0; has_values && k < row->type->numel; k++) {
            const char *format = unwritable_value(row, &row->value->data[k]);
            if (format != NULL) {
                return arena_format(arena, format, source_name(arena, row));
            }
        }
    }
    return has_variables
               ? NULL
               : "FMI 2 has no model without variables; leave out `--fmi-locals=none`, or "
                 "use `--fmi=3`";
}

// Variables.

// What both versions say of a variable in the same attributes. Nothing changes between two steps.
static void print_causality(Buffer *out, tml_role role) {
    static const char *const texts[] = {
        [TML_INPUT] = "causality=\"input\" variability=\"discrete\"",
        [TML_OUTPUT] = "causality=\"output\" variability=\"discrete\" initial=\"calculated\"",
        [TML_PARAM] = "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"",
        [TML_CONSTANT] = "causality=\"local\" variability=\"constant\" initial=\"exact\"",
        [TML_VARIABLE] = "causality=\"local\" variability=\"discrete\" initial=\"calculated\"",
        [TML_DEBUG] = "causality=\"local\" variability=\"discrete\" initial=\"calculated\"",
    };
    buffer_format(out, " %s", texts[role]);
}

// The declared type, whose levels FMI has no word for.
static void print_about(const Entries *entries, const Entry *entry, Buffer *out) {
    Buffer text = {0};
    const ModelRow *row = entry->row;
    buffer_format(&text, "%s: ", source_name(entries->arena, row));
    if (row->type == NULL) {
        buffer_text(&text, row->is_char ? "char" : "str");
    } else {
        type_print(&text, row->type);
    }
    if (row->debug != NULL && row->debug[0] != '\0') {
        buffer_format(&text, ", %s", row->debug);
    }
    xml_attribute(out, "description", text.data);
    buffer_free(&text);
}

static const char *element_of(const FmuModel *model, const Type *type, bool is_single) {
    bool is_old = model->version == 2;
    if (type == NULL) {
        return "String";
    }
    switch (type->root) {
    case ROOT_BOOL: return "Boolean";
    case ROOT_UINT: return is_old ? "Integer" : "UInt32";
    case ROOT_INT: return is_old ? "Integer" : "Int32";
    case ROOT_REAL: return is_old ? "Real" : is_single ? "Float32" : "Float64";
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

static void print_text_start(Buffer *out, const ModelRow *row, const char *name) {
    buffer_format(out, " %s=\"", name);
    xml_value(out, row->text.data, row->text.len);
    buffer_text(out, "\"");
}

static void print_variable_3(const Entries *entries, const Entry *entry, Buffer *out) {
    const ModelRow *row = entry->row;
    const char *element = element_of(entries->model, row->type, entries->model->is_single);
    buffer_format(out, "    <%s", element);
    xml_attribute(out, "name", entry->name);
    buffer_format(out, " valueReference=\"%" PRIu64 "\"", entry->reference);
    print_about(entries, entry, out);
    print_causality(out, row->role);
    if (row->type != NULL && has_start(row)) {
        print_start(out, row, 0, entry->count);
    }
    if (row->type != NULL && row->type->flat_rank == 0) {
        buffer_text(out, "/>\n");
        return;
    }
    buffer_text(out, ">\n");
    for (size_t k = 0; row->type != NULL && k < row->type->flat_rank; k++) {
        buffer_format(out, "      <Dimension start=\"%u\"/>\n", (unsigned)row->type->dims[k]);
    }
    if (row->type == NULL) {
        buffer_text(out, "      <Start");
        print_text_start(out, row, "value");
        buffer_text(out, "/>\n");
    }
    buffer_format(out, "    </%s>\n", element);
}

// `y[1,2]`, from 1, for the scalar at a row-major place.
static const char *scalar_name(Arena *arena, const Entry *entry, uint64_t at) {
    const Type *type = entry->row->type;
    const char *indices = "";
    for (size_t k = type == NULL ? 0 : type->flat_rank; k-- > 0;) {
        indices = arena_format(arena, "%" PRIu64 "%s%s", at % type->dims[k] + 1,
                               indices[0] == '\0' ? "" : ",", indices);
        at /= type->dims[k];
    }
    return indices[0] == '\0' ? entry->name : arena_format(arena, "%s[%s]", entry->name, indices);
}

static void print_variable_2(const Entries *entries, const Entry *entry, uint64_t at, Buffer *out) {
    const ModelRow *row = entry->row;
    buffer_text(out, "    <ScalarVariable");
    xml_attribute(out, "name", scalar_name(entries->arena, entry, at));
    buffer_format(out, " valueReference=\"%" PRIu64 "\"", entry->reference + at);
    print_about(entries, entry, out);
    print_causality(out, row->role);
    buffer_format(out, "><%s", element_of(entries->model, row->type, false));
    if (row->type == NULL) {
        print_text_start(out, row, "start");
    } else if (has_start(row)) {
        print_start(out, row, at, 1);
    }
    buffer_text(out, "/></ScalarVariable>\n");
}

// Dependencies.

// Of an output: the inputs that it may depend on in the same step, in each form.
static void print_dependencies(const Entries *entries, const Entry *output, Buffer *out) {
    const char *between = "";
    buffer_text(out, " dependencies=\"");
    for (size_t i = 0; i < entries->all.count && output->row->has_feedthrough; i++) {
        const Entry *entry = &entries->all.items[i];
        if (entry->row->role != TML_INPUT || !entry->row->has_feedthrough) {
            continue;
        }
        bool is_old = entries->model->version == 2;
        for (uint64_t k = 0; k < (is_old ? entry->count : 1); k++) {
            buffer_format(out, "%s%" PRIu64, between, is_old ? entry->index + k : entry->reference);
            between = " ";
        }
    }
    buffer_text(out, "\"");
}

static void print_structure_3(const Entries *entries, Buffer *out) {
    buffer_text(out, "  <ModelStructure>\n");
    for (int initial = 0; initial < 2; initial++) {
        for (size_t i = 0; i < entries->all.count; i++) {
            const Entry *entry = &entries->all.items[i];
            if (entry->row->role != TML_OUTPUT) {
                continue;
            }
            buffer_format(out, "    <%s valueReference=\"%" PRIu64 "\"",
                          initial ? "InitialUnknown" : "Output", entry->reference);
            if (!initial) { // first values depend on parameters, too
                print_dependencies(entries, entry, out);
            }
            buffer_text(out, "/>\n");
        }
    }
    buffer_text(out, "  </ModelStructure>\n");
}

static void print_unknowns_2(const Entries *entries, const char *element, bool is_initial,
                             Buffer *out) {
    buffer_format(out, "    <%s>\n", element);
    for (size_t i = 0; i < entries->all.count; i++) {
        const Entry *entry = &entries->all.items[i];
        for (uint64_t k = 0; k < entry->count && entry->row->role == TML_OUTPUT; k++) {
            buffer_format(out, "      <Unknown index=\"%" PRIu64 "\"", entry->index + k);
            if (!is_initial) {
                print_dependencies(entries, entry, out);
            }
            buffer_text(out, "/>\n");
        }
    }
    buffer_format(out, "    </%s>\n", element);
}

static void print_structure_2(const Entries *entries, Buffer *out) {
    bool has_outputs = false;
    for (size_t i = 0; i < entries->all.count; i++) {
        has_outputs |= entries->all.items[i].row->role == TML_OUTPUT;
    }
    if (!has_outputs) {
        buffer_text(out, "  <ModelStructure/>\n");
        return;
    }
    buffer_text(out, "  <ModelStructure>\n");
    print_unknowns_2(entries, "Outputs", false, out);
    print_unknowns_2(entries, "InitialUnknowns", true, out);
    buffer_text(out, "  </ModelStructure>\n");
}

// The files.

static void begin_file(Buffer *out) {
    buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

static void print_interface(const FmuModel *model, Buffer *out) {
    buffer_text(out, "  <CoSimulation");
    xml_attribute(out, "modelIdentifier", model->identifier);
    buffer_text(out, " canHandleVariableCommunicationStepSize=\"true\"");
    if (model->version == 3) {
        buffer_text(out, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
                         " fixedInternalStepSize=\"");
        print_real(out, model->step);
        buffer_text(out, "\"/>\n");
        return;
    }
    buffer_text(out, " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\""
                     " canSerializeFMUstate=\"true\"");
    buffer_text(out, model->has_sources
                         ? ">\n    <SourceFiles>\n      <File name=\"fmu.c\"/>\n      <File "
                           "name=\"model.c\"/>\n    </SourceFiles>\n  </CoSimulation>\n"
                         : "/>\n");
}

void fmu_print_description(Arena *arena, const FmuModel *model, Buffer *out) {
    Entries entries = list_entries(arena, model);
    bool is_old = model->version == 2;
    begin_file(out);
    buffer_format(out, "<fmiModelDescription fmiVersion=\"%d.0\"", model->version);
    xml_attribute(out, "modelName", model->identifier);
    xml_attribute(out, is_old ? "guid" : "instantiationToken", model->token);
    buffer_text(out, " generationTool=\"" FMU_TOOL TMLC_VERSION
                     "\" variableNamingConvention=\"structured\">\n");
    print_interface(model, out);
    buffer_text(out, "  <LogCategories>\n"
                     "    <Category name=\"logStatusError\" description=\"why a call failed\"/>\n"
                     "    <Category name=\"logStatusDiscard\" description=\"why a call was not "
                     "done\"/>\n"
                     "  </LogCategories>\n"
                     "  <DefaultExperiment startTime=\"0\" stepSize=\"");
    print_real(out, model->step);
    buffer_text(out, "\"/>\n  <ModelVariables>\n");
    if (!is_old) {
        buffer_format(out,
                      "    <Float64 name=\"%s\" valueReference=\"0\" causality=\"independent\" "
                      "variability=\"continuous\"/>\n",
                      TIME);
    }
    for (size_t i = 0; i < entries.all.count; i++) {
        const Entry *entry = &entries.all.items[i];
        if (!is_old) {
            print_variable_3(&entries, entry, out);
        }
        for (uint64_t k = 0; is_old && k < entry->count; k++) {
            print_variable_2(&entries, entry, k, out);
        }
    }
    buffer_text(out, "  </ModelVariables>\n");
    if (is_old) {
        print_structure_2(&entries, out);
    } else {
        print_structure_3(&entries, out);
    }
    buffer_text(out, "</fmiModelDescription>\n");
}

void fmu_print_build(const FmuModel *model, const FmuPlatforms *platforms, Buffer *out) {
    begin_file(out);
    buffer_text(out, "<fmiBuildDescription fmiVersion=\"3.0\">\n");
    for (size_t i = 0; i < platforms->count; i++) {
        buffer_text(out, "  <BuildConfiguration");
        xml_attribute(out, "modelIdentifier", model->identifier);
        xml_attribute(out, "platform", platforms->items[i]->folders[model->version - 2]);
        buffer_text(out, ">\n    <SourceFileSet language=\"C11\">\n"
                         "      <SourceFile name=\"fmu.c\"/>\n"
                         "      <SourceFile name=\"model.c\"/>\n"
                         "    </SourceFileSet>\n"
                         "    <Library name=\"m\" external=\"true\"/>\n"
                         "  </BuildConfiguration>\n");
    }
    buffer_text(out, "</fmiBuildDescription>\n");
}

void fmu_print_icon(Buffer *out) {
    begin_file(out);
    buffer_text(out, "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <GraphicalRepresentation>\n"
                     "    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\" "
                     "suggestedScalingFactorTo_mm=\"0.1\"/>\n"
                     "    <Icon x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\"/>\n"
                     "  </GraphicalRepresentation>\n</fmiTerminalsAndIcons>\n");
}
