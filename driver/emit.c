// What a compilation has made, as text, code, and what hosts want to know of it.
#include "driver/emit.h"

#include "driver/ast_json.h"
#include "driver/describe/description.h"
#include "driver/describe/header.h"
#include "driver/describe/host_view.h"
#include "driver/describe/order.h"
#include "lexer/lexer.h"
#include "parser/ast_print.h"
#include "sema/notes/print.h"
#include "support/bug.h"
#include "tir/print.h"

const EmitRow *emit_row(EmitKind kind) {
    static const EmitRow rows[] = {
#define EMIT(KIND, name, suffix, stage, form, has_header, help) \
    {name, suffix, STAGE_##stage, EMITTED_##form, has_header, help},
#include "driver/emit.def"
    };
    return &rows[kind];
}

const Report *emit_report(Compilation *compilation) {
    if (compilation->report == NULL) {
        Report *report = ARENA_NEW(compilation->context->arena, Report);
        if (!report_make(report, compilation->context, compilation->program, compilation->module,
                         &compilation->error)) {
            return NULL;
        }
        compilation->report = report;
    }
    return compilation->report;
}

bool emit_wants_header(Compilation *compilation) {
    HostView view = host_view(compilation->context, compilation->program, compilation->module);
    return !host_view_is_empty(&view);
}

// The header or the JSON description.
static bool emit_for_hosts(Compilation *compilation, EmitKind kind, Buffer *out) {
    HostView view = host_view(compilation->context, compilation->program, compilation->module);
    HeaderOrigin origin = {codegen_triple(compilation->module), codegen_cpu(compilation->module)};
    const Report *report = emit_report(compilation);
    if (report == NULL) {
        return false;
    }
    if (kind == EMIT_HEADER) {
        header_print(&view, report, origin, out);
    } else {
        description_print(&view, report, origin, out);
    }
    return true;
}

ExitStatus emit_kind(Compilation *compilation, EmitKind kind, Buffer *out) {
    double start = clock_seconds();
    bool done = true;
    CodegenModule *module = compilation->module;
    switch (kind) {
    case EMIT_TOKENS: lexer_print_tokens(out, compilation->context, compilation->source); break;
    case EMIT_AST: ast_print_file(out, compilation->ast); break;
    case EMIT_AST_JSON: ast_json_print(out, compilation->ast); break;
    case EMIT_NOTES:
        notes_print(out, compilation->context, compilation->source, &compilation->notes);
        break;
    case EMIT_TIR: tir_print_program(out, compilation->program); break;
    case EMIT_ORDER: order_print(out, compilation->program); break;
    case EMIT_ORDER_DOT: order_print_dot(out, compilation->program); break;
    case EMIT_PLAN:
        done = codegen_plan(compilation->context, compilation->program, &compilation->codegen, out,
                            &compilation->error);
        break;
    case EMIT_LLVM: done = codegen_emit(module, CODEGEN_LLVM, out, &compilation->error); break;
    case EMIT_ASM: done = codegen_emit(module, CODEGEN_ASM, out, &compilation->error); break;
    case EMIT_OBJECT: done = codegen_emit(module, CODEGEN_OBJECT, out, &compilation->error); break;
    case EMIT_HEADER:
    case EMIT_JSON: done = emit_for_hosts(compilation, kind, out); break;
    case EMIT_ARCHIVE:
    case EMIT_SHARED:
    case EMIT_FMU:
    case EMIT_EXE:
    case EMIT_KIND_COUNT: UNREACHABLE();
    }
    compilation->seconds[PHASE_EMIT] += clock_seconds() - start;
    if (!done) {
        return EXIT_WORLD;
    }
    return compilation->context->diags->error_count > 0 ? EXIT_ERRORS : EXIT_OK;
}
