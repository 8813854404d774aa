// What an object contains: no writable data, no undefined symbols beyond the runtime and libm, the
// same bytes each time; and the texts of the other kinds of output.
#include "sample.h"

#include "tir/passes/passes.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

static const Span SPAN = {1, 2};

static void read_input(Sample *sample, TirVar *var) {
    TirStmt *input = tir_stmt(&sample->tir, sample->body, STMT_INPUT, SPAN);
    input->input.var = var;
    input->input.name = (Slice){"port", 4};
}

// A program with a large array, constants, a trap, an input, and calls of libm.
static Sample *object_sample(void) {
    Sample *sample = sample_create("a\nb\n");
    const Type *type = sample_type(sample, ROOT_REAL, 1, 2000u);
    TirVar *x = sample_local_of(sample, "x", type);
    read_input(sample, x);
    TirExpr *sine = tir_map(&sample->tir, OP_SIN, type, sample_read(sample, x), NULL, NULL, SPAN);
    TirVar *y = sample_local(sample, "y", sine);
    TirVar *k = sample_local(sample, "k", sample_int(sample, 3));
    sample_print(sample, sample_element(sample, sample_read(sample, y), sample_read(sample, k)));
    TirStmt *output = tir_stmt(&sample->tir, sample->body, STMT_OUTPUT, SPAN);
    output->output.name = (Slice){"result", 6};
    output->output.value = sample_read(sample, y);
    LIST_PUSH(sample->context->arena, &sample->program.functions, sample->program.entry);
    passes_run(&sample->tir, &sample->program, &(PassOptions){.opt_level = 2, .verify = true});
    return sample;
}

static Buffer emit(Sample *sample, CodegenOutput kind) {
    const char *error = NULL;
    CodegenModule *module =
        codegen_build(sample->context, &sample->program, &sample->options, &error);
    cr_assert_not_null(module, "%s", error);
    Buffer out = {0};
    cr_assert(codegen_emit(module, kind, &out, &error), "%s", error);
    codegen_destroy(module);
    return out;
}

static const void *at(const Buffer *object, uint64_t offset) {
    cr_assert_lt(offset, object->len);
    return object->data + offset;
}

static bool may_be_undefined(const char *name) {
    static const char *const names[] = {
#define TML_FUNCTION(result, name, ...) #name,
#include "runtime/abi/abi.def"
#undef TML_FUNCTION
        "sin", "memcpy", "memset", "", "_GLOBAL_OFFSET_TABLE_",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

Test(object, has_no_writable_data_and_no_foreign_symbols) {
    Sample *sample = object_sample();
    sample->options.target = "x86_64-unknown-linux-gnu";
    for (unsigned level = 0; level <= 3; level++) {
        sample->options.opt_level = level;
        Buffer object = emit(sample, CODEGEN_OBJECT);
        const Elf64_Ehdr *header = at(&object, 0);
        cr_assert_eq(memcmp(header->e_ident, ELFMAG, SELFMAG), 0);
        const Elf64_Shdr *sections = at(&object, header->e_shoff);
        const char *names = at(&object, sections[header->e_shstrndx].sh_offset);
        for (size_t i = 0; i < header->e_shnum; i++) {
            const char *name = names + sections[i].sh_name;
            bool is_writable = (sections[i].sh_flags & SHF_WRITE) != 0 && sections[i].sh_size != 0;
            cr_assert(!is_writable || strcmp(name, ".data.rel.ro") == 0, "%s is writable", name);
            if (sections[i].sh_type != SHT_SYMTAB) {
                continue;
            }
            const Elf64_Sym *symbols = at(&object, sections[i].sh_offset);
            const char *strings = at(&object, sections[sections[i].sh_link].sh_offset);
            for (size_t k = 0; k < sections[i].sh_size / sizeof(*symbols); k++) {
                const char *symbol = strings + symbols[k].st_name;
                cr_assert(symbols[k].st_shndx != SHN_UNDEF || may_be_undefined(symbol),
                          "%s is undefined", symbol);
            }
        }
        buffer_free(&object);
    }
    sample_destroy(sample);
}

Test(object, the_same_program_gives_the_same_bytes) {
    static const CodegenOutput kinds[] = {CODEGEN_OBJECT, CODEGEN_ASM, CODEGEN_LLVM};
    for (size_t i = 0; i < 3; i++) {
        Buffer outputs[2];
        for (size_t k = 0; k < 2; k++) {
            Sample *sample = object_sample();
            sample->options.opt_level = 2;
            sample->options.debug = i == 0;
            outputs[k] = emit(sample, kinds[i]);
            sample_destroy(sample);
        }
        cr_assert_eq(outputs[0].len, outputs[1].len);
        cr_assert_eq(memcmp(outputs[0].data, outputs[1].data, outputs[0].len), 0);
        buffer_free(&outputs[0]);
        buffer_free(&outputs[1]);
    }
}

Test(object, every_target_that_is_linked) {
    static const char *const targets[] = {
        "x86_64-linux-gnu",    "i686-linux-gnu",         "aarch64-linux-gnu",
        "riscv64-linux-gnu",   "riscv32-unknown-elf",    "armv7-linux-gnueabihf",
        "thumbv7em-none-eabi", "wasm32-unknown-unknown",
    };
    Sample *sample = object_sample();
    sample->options.opt_level = 2;
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        sample->options.target = targets[i];
        Buffer object = emit(sample, CODEGEN_OBJECT);
        cr_assert_gt(object.len, 500);
        buffer_free(&object);
    }
    sample_destroy(sample);
}

Test(object, unknown_targets_and_processors_are_errors) {
    static const struct {
        const char *target, *cpu, *named;
    } cases[] = {
        {"nowhere-unknown-none", NULL, "nowhere"},
        {"x86_64-linux-gnu", "fastest", "fastest"},
        {"aarch64-linux-gnu", "x86-64-v3", "x86-64-v3"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = object_sample();
        sample->options.target = cases[i].target;
        sample->options.cpu = cases[i].cpu;
        const char *error = NULL;
        cr_assert_null(codegen_build(sample->context, &sample->program, &sample->options, &error));
        cr_assert_not_null(error);
        cr_assert(strstr(error, cases[i].named) != NULL, "%s", error);
        sample_destroy(sample);
    }
}

Test(object, a_processor_decides_about_fused_products) {
    static const struct {
        const char *target, *cpu;
        bool fuses;
    } cases[] = {
        {"x86_64-linux-gnu", "x86-64", false},
        {"x86_64-linux-gnu", "x86-64-v3", true},
        {"aarch64-linux-gnu", NULL, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create("x");
        const Type *type = sample_type(sample, ROOT_REAL, 1, 100u);
        TirVar *x = sample_local_of(sample, "x", type);
        read_input(sample, x);
        TirExpr *product =
            sample_binary(sample, OP_MUL, sample_read(sample, x), sample_read(sample, x));
        sample_set(sample, sample_read(sample, x),
                   sample_binary(sample, OP_ADD, product, sample_read(sample, x)));
        sample_print(sample, tir_dot(&sample->tir, sample_type(sample, ROOT_REAL, 0),
                                     sample_read(sample, x), sample_read(sample, x), SPAN));
        LIST_PUSH(sample->context->arena, &sample->program.functions, sample->program.entry);
        passes_run(&sample->tir, &sample->program, &(PassOptions){.opt_level = 2, .verify = true});
        sample->options.opt_level = 3;
        sample->options.target = cases[i].target;
        sample->options.cpu = cases[i].cpu;
        Buffer text = emit(sample, CODEGEN_LLVM);
        cr_assert_eq(strstr(text.data, "llvm.fma") != NULL, cases[i].fuses);
        // The sum of a product outside of `.*` is never fused.
        cr_assert(strstr(text.data, "fmul <8 x double>") != NULL);
        cr_assert(strstr(text.data, "fadd <8 x double>") != NULL);
        cr_assert(strstr(text.data, "contract") == NULL);
        buffer_free(&text);
        sample_destroy(sample);
    }
}

Test(object, debug_information_names_lines_and_variables) {
    Sample *sample = object_sample();
    sample->options.debug = true;
    Buffer text = emit(sample, CODEGEN_LLVM);
    static const char *const parts[] = {
        "!DIFile(filename: \"sample.tml\"",
        "!DISubprogram(name: \"main\"",
        "!DILocalVariable(name: \"x\"",
        "!DILocalVariable(name: \"k\"",
        "!DIBasicType(name: \"real\", size: 64, encoding: DW_ATE_float)",
        "!DISubrange(count: 2000, lowerBound: 0)",
        "!DILocation(line: 1, column: 1",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        cr_assert(strstr(text.data, parts[i]) != NULL, "%s is missing", parts[i]);
    }
    buffer_free(&text);
    sample_destroy(sample);
}
