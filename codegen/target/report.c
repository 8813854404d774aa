// What the machine code of a module needs, read off its object, which is made now if it is not
// there: bytes of code, constants and writable data, by what the names of sections begin with (ELF,
// Mach-O, COFF, WebAssembly); the symbols that others must define, sorted; and the stack of each
// exported function (stack_bound.c).
#include "codegen/codegen.h"
#include "codegen/module.h"
#include "codegen/target/kept.h"
#include "codegen/target/stack_bound.h"
#include "codegen/target/wasm_imports.h"
#include "support/intern.h"
#include "support/path.h"

#include <llvm-c/Object.h>

#include <stdlib.h>
#include <string.h>

typedef enum SectionKind {
    SECTION_CODE,
    SECTION_CONSTANT,
    SECTION_WRITABLE,
    SECTION_OTHER
} SectionKind;

// By the name's beginning; the first match counts. Sections that only tools read are not listed.
// WebAssembly has one section for all data, and nothing here that would be written.
static SectionKind section_kind(const char *name) {
    static const struct {
        const char *start;
        SectionKind kind;
    } rows[] = {
        {".text", SECTION_CODE},
        {"__text", SECTION_CODE},
        {"CODE", SECTION_CODE},
        {".rodata", SECTION_CONSTANT},
        {".srodata", SECTION_CONSTANT},
        {".rdata", SECTION_CONSTANT},
        {".data.rel.ro", SECTION_CONSTANT},
        {"__const", SECTION_CONSTANT},
        {"__cstring", SECTION_CONSTANT},
        {"__literal", SECTION_CONSTANT},
        {".eh_frame", SECTION_CONSTANT},
        {".ARM.ex", SECTION_CONSTANT},
        {"DATA", SECTION_CONSTANT},
        {".data", SECTION_WRITABLE},
        {".sdata", SECTION_WRITABLE},
        {".bss", SECTION_WRITABLE},
        {".sbss", SECTION_WRITABLE},
        {".tdata", SECTION_WRITABLE},
        {".tbss", SECTION_WRITABLE},
        {".init_array", SECTION_WRITABLE},
        {"__data", SECTION_WRITABLE},
        {"__bss", SECTION_WRITABLE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (text_begins_with(name, rows[i].start)) {
            return rows[i].kind;
        }
    }
    return SECTION_OTHER;
}

static void report_sections(LLVMBinaryRef object, CodegenReport *report) {
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
    for (; !LLVMObjectFileIsSectionIteratorAtEnd(object, section); LLVMMoveToNextSection(section)) {
        const char *name = LLVMGetSectionName(section);
        uint64_t bytes = LLVMGetSectionSize(section);
        switch (name == NULL ? SECTION_OTHER : section_kind(name)) {
        case SECTION_CODE: report->code_bytes += bytes; break;
        case SECTION_CONSTANT: report->constant_bytes += bytes; break;
        case SECTION_WRITABLE: report->writable_bytes += bytes; break;
        case SECTION_OTHER: break;
        }
    }
    LLVMDisposeSectionIterator(section);
}

// Not defined in the object, but nothing that another one would have to define: the name of the
// source file, and what linkers make.
static bool is_external(const CodegenModule *module, const char *name) {
    size_t len;
    const char *source = LLVMGetSourceFileName(module->module, &len);
    return name[0] != '\0' && strcmp(name, "_GLOBAL_OFFSET_TABLE_") != 0 &&
           strcmp(name, path_base(source)) != 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void report_symbols(CodegenModule *module, LLVMBinaryRef object, CodegenReport *report) {
    LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
    for (; !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol); LLVMMoveToNextSymbol(symbol)) {
        LLVMMoveToContainingSection(section, symbol);
        const char *name = LLVMGetSymbolName(symbol);
        if (LLVMObjectFileIsSectionIteratorAtEnd(object, section) && is_external(module, name)) {
            const char *copy = arena_copy_text(module->arena, name, strlen(name));
            LIST_PUSH(module->arena, &report->externals, copy);
        }
    }
    LLVMDisposeSectionIterator(section);
    LLVMDisposeSymbolIterator(symbol);
}

// Of WebAssembly, LLVM's C interface gives names without their end.
static void report_externals(CodegenModule *module, LLVMBinaryRef object, CodegenReport *report) {
    if (LLVMBinaryGetType(object) == LLVMBinaryTypeWasm) {
        wasm_imports(module->arena, LLVMGetBufferStart(module->object),
                     LLVMGetBufferSize(module->object), report);
    } else {
        report_symbols(module, object, report);
    }
    if (report->externals.count > 0) {
        qsort(report->externals.items, report->externals.count, sizeof(char *), by_name);
    }
}

static void report_kept(CodegenModule *module, CodegenReport *report) {
    Arena *arena = module->arena;
    const char *roots[] = {
        codegen_link_name(module, arena_format(arena, "%s_init", module->prefix)),
        codegen_link_name(module, arena_format(arena, "%s_step", module->prefix)),
    };
    KeptBytes kept;
    if (kept_bytes(arena, LLVMGetBufferStart(module->object), LLVMGetBufferSize(module->object),
                   roots, 2, &kept)) {
        report->has_kept = true;
        report->kept_code_bytes = kept.code;
        report->kept_constant_bytes = kept.constants;
    }
}

bool codegen_report(CodegenModule *module, CodegenReport *report, const char **error) {
    *report = (CodegenReport){0};
    LLVMMemoryBufferRef memory = module_object(module, error);
    if (memory == NULL) {
        return false;
    }
    char *message = NULL;
    LLVMBinaryRef object = LLVMCreateBinary(memory, module->llvm, &message);
    if (object == NULL) {
        *error = arena_copy_text(module->arena, message, strlen(message));
        LLVMDisposeMessage(message);
        return false;
    }
    report_sections(object, report);
    report_externals(module, object, report);
    report_kept(module, report);
    stack_bound_report(module, report);
    LLVMDisposeBinary(object);
    return true;
}
