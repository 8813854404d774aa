// See print.h. Each note becomes a line with its place; of those that say the same, as of copies of
// the body of a macro, there is one.
#include "sema/notes/print.h"

#include "support/bug.h"

#include <stdlib.h>
#include <string.h>

typedef struct Line {
    Span span;
    const char *text;
} Line;

typedef struct Printer {
    const Context *context;
    const SourceFile *file;
    const Notes *notes;
    Arena *arena;
    LIST_OF(Line) lines;
} Printer;

static const char *span_text(const Printer *printer, Span span) {
    Slice text = sources_text(printer->context->sources, span);
    char *copy = arena_copy_text(printer->arena, text.data, text.len);
    for (char *at = copy; *at != '\0'; at++) {
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    }
    return copy;
}

static const char *place_text(const Printer *printer, Span span) {
    if (span_is_nowhere(span)) {
        return "nowhere";
    }
    SourcePlace place = sources_place(printer->context->sources, span.start);
    const char *path = place.file == printer->file ? "" : place.file->path;
    return arena_format(printer->arena, "%s%s%u:%u", path, *path == '\0' ? "" : ":",
                        (unsigned)place.line, (unsigned)source_character(place));
}

const InstanceNote *notes_find_instance(const Notes *notes, const TirFunction *function) {
    for (size_t k = 0; function != NULL && k < notes->instances.count; k++) {
        if (notes->instances.items[k].function == function) {
            return &notes->instances.items[k];
        }
    }
    return NULL;
}

// " [f.3]" in an instance with sizes, else "".
static const char *instance_text(const Printer *printer, const TirFunction *function) {
    const InstanceNote *instance = notes_find_instance(printer->notes, function);
    return instance == NULL || instance->count == 0
               ? ""
               : arena_format(printer->arena, " [%s]", function->symbol);
}

static void add_line(Printer *printer, Span span, const TirFunction *function, const char *text) {
    SourcePlace place = sources_place(printer->context->sources, span.start);
    if (place.file != printer->file) {
        return;
    }
    text = arena_format(printer->arena, "%s `%s`%s: %s", place_text(printer, span),
                        span_text(printer, span), instance_text(printer, function), text);
    Line line = {span, text};
    LIST_PUSH(printer->arena, &printer->lines, line);
}

static const char *type_or_error(const Printer *printer, const Type *type) {
    return type->kind == TYPE_VOID ? "no result"
           : type_is_poison(type)  ? "an error"
                                   : type_text(printer->context->arena, type);
}

static void add_name(Printer *printer, const NameNote *note) {
    const char *type = note->type == NULL ? ""
                                          : arena_format(printer->arena, ", %s",
                                                         type_or_error(printer, note->type));
    const char *text =
        arena_format(printer->arena, "%s%s, declared at %s", name_role_text(note->role), type,
                     place_text(printer, note->declaration));
    add_line(printer, note->span, note->function, text);
}

static const char *fit_text(const Printer *printer, const ShapeFit *fit) {
    return fit->why == SHAPE_OK
               ? arena_format(printer->arena, "give %s", type_or_error(printer, fit->type))
               : "do not fit";
}

static void add_operands(Printer *printer, const OperandNote *note) {
    static const char *const forms[] = {[NOTE_BROADCAST] = "broadcast",
                                        [NOTE_STRICT] = "strictly",
                                        [NOTE_DOT] = "as a dot product"};
    add_line(printer, note->span, note->function,
             arena_format(printer->arena, "%s and %s, %s, %s", type_or_error(printer, note->left),
                          type_or_error(printer, note->right), forms[note->form],
                          fit_text(printer, &note->fit)));
}

static void add_index(Printer *printer, const IndexNote *note) {
    const char *texts = "";
    for (size_t k = 0; k < note->count; k++) {
        texts = arena_format(printer->arena, "%s%s%s", texts, k == 0 ? "" : ", ", note->texts[k]);
    }
    add_line(printer, note->ast->span, note->function,
             arena_format(printer->arena, "%s at [%s], %s", type_or_error(printer, note->object),
                          texts, fit_text(printer, &note->fit)));
}

static void add_call(Printer *printer, const CallNote *note) {
    const char *text =
        arena_format(printer->arena, "calls %s",
                     note->callee == NULL ? "nothing, after an error" : note->callee->symbol);
    for (size_t k = 0; k < note->declaration->function.param_count; k++) {
        const AstName *param = &note->declaration->function.params[k].name;
        const char *given =
            note->given[k] == NULL ? "its default" : type_or_error(printer, note->given[k]);
        text = arena_format(printer->arena, "%s, %s takes %s", text, param->name->text, given);
        if (note->callee != NULL) {
            text = arena_format(printer->arena, "%s as %s", text,
                                type_text(printer->context->arena, note->callee->params[k]->type));
        }
    }
    const InstanceNote *instance = notes_find_instance(printer->notes, note->callee);
    for (size_t k = 0; instance != NULL && k < instance->count; k++) {
        const AstName *param = &note->declaration->function.params[note->size_from[k]].name;
        text = arena_format(printer->arena, "%s, %s is %u from %s", text,
                            instance->sizes[k].name->text, (unsigned)instance->values[k],
                            param->name->text);
    }
    add_line(printer, note->span, note->caller, text);
}

static void add_instance(Printer *printer, const InstanceNote *note) {
    const char *text = "";
    for (size_t k = 0; k < note->count; k++) {
        text = arena_format(printer->arena, "%s%s%s is %u", text, k == 0 ? "" : ", ",
                            note->sizes[k].name->text, (unsigned)note->values[k]);
    }
    if (note->count > 0) {
        add_line(printer, note->declaration->function.name.span, note->function,
                 arena_format(printer->arena, "%s by the call at %s", text,
                              place_text(printer, note->call)));
    }
}

static int by_place(const void *a, const void *b) {
    const Line *x = a;
    const Line *y = b;
    if (x->span.start != y->span.start) {
        return x->span.start < y->span.start ? -1 : 1;
    }
    if (x->span.end != y->span.end) {
        return x->span.end > y->span.end ? -1 : 1;
    }
    return strcmp(x->text, y->text);
}

void notes_print(Buffer *out, const Context *context, const SourceFile *file, const Notes *notes) {
    Printer printer = {.context = context, .file = file, .notes = notes, .arena = arena_create()};
    for (size_t k = 0; k < notes->instances.count; k++) {
        add_instance(&printer, &notes->instances.items[k]);
    }
    for (size_t k = 0; k < notes->unchecked.count; k++) {
        add_line(&printer, notes->unchecked.items[k]->function.name.span, NULL,
                 "not checked: no call gives its sizes");
    }
    for (size_t k = 0; k < notes->names.count; k++) {
        add_name(&printer, &notes->names.items[k]);
    }
    for (size_t k = 0; k < notes->calls.count; k++) {
        add_call(&printer, &notes->calls.items[k]);
    }
    for (size_t k = 0; k < notes->indices.count; k++) {
        add_index(&printer, &notes->indices.items[k]);
    }
    for (size_t k = 0; k < notes->operands.count; k++) {
        add_operands(&printer, &notes->operands.items[k]);
    }
    for (size_t k = 0; k < notes->values.count; k++) {
        const ValueNote *note = &notes->values.items[k];
        add_line(&printer, note->ast->span, note->function, type_or_error(&printer, note->type));
    }
    if (printer.lines.count > 0) { // else there is nothing to point at
        qsort(printer.lines.items, printer.lines.count, sizeof(Line), by_place);
    }
    for (size_t k = 0; k < printer.lines.count; k++) {
        bool is_said = k > 0 && by_place(&printer.lines.items[k - 1], &printer.lines.items[k]) == 0;
        if (!is_said) {
            buffer_format(out, "%s\n", printer.lines.items[k].text);
        }
    }
    arena_destroy(printer.arena);
}
