// Any bytes are a program: the front end answers with messages, in every format, or with TIR that
// is valid after each pass and prints.
#include "driver/compile.h"
#include "driver/emit.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    CompileOptions options = compile_defaults();
    options.stage = STAGE_PASSES;
    options.verify_tir = true;
    options.sealed = true;
    Compilation compilation;
    ExitStatus status = compile_text(&compilation, "fuzz.tml", (const char *)data, size, &options);
    Buffer out = {0};
    for (int format = RENDER_HUMAN; format <= RENDER_GITHUB; format++) {
        compile_messages(&compilation, (RenderOptions){(RenderFormat)format, false}, &out);
    }
    (void)emit_kind(&compilation, EMIT_AST, &out);
    if (status == EXIT_OK) {
        (void)emit_kind(&compilation, EMIT_TIR, &out);
    }
    buffer_free(&out);
    compilation_finish(&compilation);
    return 0;
}
