// See wasm_imports.h. The format is that of "WebAssembly Core Specification", 5.5.5. LLVM has just
// made the object, so what does not fit the format is a bug and no message.
#include "codegen/target/wasm_imports.h"

#include "codegen/codegen.h"
#include "support/bug.h"

enum {
    HEADER_BYTES = 8,
    IMPORT_SECTION = 2,
    KIND_FUNCTION = 0,
    KIND_TABLE = 1,
    KIND_MEMORY = 2,
    LIMITS_HAVE_END = 1,
};

typedef struct Reader {
    const unsigned char *at, *end;
} Reader;

static unsigned read_byte(Reader *reader) {
    CHECK(reader->at < reader->end);
    return *reader->at++;
}

// LEB128.
static uint64_t read_number(Reader *reader) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned byte = read_byte(reader);
        number |= (uint64_t)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) {
            break;
        }
    }
    return number;
}

static Slice read_name(Reader *reader) {
    uint64_t len = read_number(reader);
    CHECK(len <= (uint64_t)(reader->end - reader->at));
    Slice name = {(const char *)reader->at, (size_t)len};
    reader->at += len;
    return name;
}

static void skip_limits(Reader *reader) {
    unsigned flags = read_byte(reader);
    read_number(reader);
    if (flags & LIMITS_HAVE_END) {
        read_number(reader);
    }
}

static void read_import(Arena *arena, Reader *reader, CodegenReport *report) {
    read_name(reader); // the module: "env"
    Slice name = read_name(reader);
    switch (read_byte(reader)) {
    case KIND_FUNCTION: {
        read_number(reader); // its type
        const char *copy = arena_copy_text(arena, name.data, name.len);
        LIST_PUSH(arena, &report->externals, copy);
        return;
    }
    case KIND_TABLE:
        read_byte(reader);
        skip_limits(reader);
        return;
    case KIND_MEMORY: skip_limits(reader); return;
    default: // a global
        read_byte(reader);
        read_byte(reader);
        return;
    }
}

void wasm_imports(Arena *arena, const char *object, size_t len, CodegenReport *report) {
    CHECK(len >= HEADER_BYTES);
    const unsigned char *start = (const unsigned char *)object;
    Reader reader = {start + HEADER_BYTES, start + len};
    while (reader.at < reader.end) {
        unsigned section = read_byte(&reader);
        uint64_t bytes = read_number(&reader);
        CHECK(bytes <= (uint64_t)(reader.end - reader.at));
        Reader body = {reader.at, reader.at + bytes};
        uint64_t count = section == IMPORT_SECTION ? read_number(&body) : 0;
        for (uint64_t i = 0; i < count; i++) {
            read_import(arena, &body, report);
        }
        reader.at += bytes;
    }
}
