#include "embedded.h"

#include "parser/parse.h"
#include "sema/check.h"
#include "support/diag/render.h"
#include "tir/passes/passes.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static AstFile *no_imports(void *data, const char *path, const char **error) {
    (void)data;
    (void)path;
    *error = "there are none";
    return NULL;
}

static Embedded *compile(const char *name, const char *source, const CodegenOptions *options,
                         bool single) {
    Context *context = context_create();
    Embedded *embedded = ARENA_NEW(context->arena, Embedded);
    embedded->context = context;
    SourceFile *file = sources_add(context->sources, name, source, strlen(source));
    CheckOptions check = {.single = single, .load = no_imports};
    embedded->program = check_program(context, parse_file(context, file), &check);
    Buffer messages = {0};
    render_diags(&messages, context->diags, context->sources, (RenderOptions){RENDER_SHORT, false});
    cr_assert_not_null(embedded->program, "%s", messages.data);
    buffer_free(&messages);
    Tir tir = {.arena = context->arena,
               .types = embedded->program->types,
               .names = context->names,
               .single = single,
               .lanes = single ? 8 : 4,
               .is_batched = options->batch > 0};
    passes_run(&tir, embedded->program, &(PassOptions){.opt_level = 2, .verify = true});
    const char *error = NULL;
    embedded->module = codegen_build(context, embedded->program, options, &error);
    cr_assert_not_null(embedded->module, "%s", error);
    return embedded;
}

Embedded *embedded_compile(const char *name, const char *source, const CodegenOptions *options) {
    return compile(name, source, options, false);
}

Embedded *embedded_compile_single(const char *name, const char *source,
                                  const CodegenOptions *options) {
    return compile(name, source, options, true);
}

void embedded_destroy(Embedded *embedded) {
    if (embedded->library != NULL) {
        dlclose(embedded->library);
    }
    codegen_destroy(embedded->module);
    context_destroy(embedded->context);
}

Buffer embedded_object(Embedded *embedded) {
    Buffer object = {0};
    const char *error = NULL;
    cr_assert(codegen_emit(embedded->module, CODEGEN_OBJECT, &object, &error), "%s", error);
    return object;
}

CodegenReport embedded_report(Embedded *embedded) {
    CodegenReport report;
    const char *error = NULL;
    cr_assert(codegen_report(embedded->module, &report, &error), "%s", error);
    return report;
}

// Text relocations, undefined symbols and warnings fail the test.
static void load(Embedded *embedded) {
    char folder[] = "/tmp/tmlc_embedded_XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char object_path[64], library_path[64], command[512];
    snprintf(object_path, sizeof(object_path), "%s/model.o", folder);
    snprintf(library_path, sizeof(library_path), "%s/model.so", folder);
    snprintf(command, sizeof(command),
             "cc -shared -Wl,--no-undefined -Wl,-z,text -Wl,--fatal-warnings %s -o %s -lm",
             object_path, library_path);
    Buffer object = embedded_object(embedded);
    FILE *file = fopen(object_path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(object.data, 1, object.len, file), object.len);
    fclose(file);
    buffer_free(&object);
    cr_assert_eq(system(command), 0, "%s", command);
    embedded->library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(embedded->library, "%s", dlerror());
    unlink(object_path);
    unlink(library_path);
    rmdir(folder);
}

void *embedded_symbol(Embedded *embedded, const char *symbol) {
    if (embedded->library == NULL) {
        load(embedded);
    }
    return dlsym(embedded->library, codegen_link_name(embedded->module, symbol));
}
