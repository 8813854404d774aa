// A list of zeroed chunks, each twice as large as the one before; allocation moves an offset.
// Requests that would leave much of a chunk unused get a chunk of their own. Under AddressSanitizer
// what was not handed out is poisoned, with a gap after every object.
#include "support/arena.h"

#include "support/bug.h"
#include "support/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif

#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
enum { ARENA_GAP = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes) ((void)(memory), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) ((void)(memory), (void)(bytes))
enum { ARENA_GAP = 0 };
#endif

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 16 * 1024 * 1024 };

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t used;
    size_t size;
    alignas(uint64_t) char data[];
};

struct Arena {
    Chunk *current; // the chunk that small requests come from; older ones follow
    Chunk *spare;   // what a reset left, zeroed
    size_t next_size;
};

// The smallest spare chunk that holds `size` bytes and is not much larger; NULL when there is none.
static Chunk *chunk_take_spare(Arena *arena, size_t size) {
    Chunk **best = NULL;
    for (Chunk **at = &arena->spare; *at != NULL; at = &(*at)->next) {
        bool fits = size <= (*at)->size && (*at)->size / 2 <= size;
        if (fits && (best == NULL || (*at)->size < (*best)->size)) {
            best = at;
        }
    }
    Chunk *chunk = best == NULL ? NULL : *best;
    if (chunk != NULL) {
        *best = chunk->next;
        chunk->next = NULL;
    }
    return chunk;
}

static Chunk *chunk_create(Arena *arena, size_t size) {
    Chunk *chunk = chunk_take_spare(arena, size);
    if (chunk == NULL) {
        chunk = memory_zeroed(sizeof(Chunk) + size);
        chunk->size = size;
        ASAN_POISON_MEMORY_REGION(chunk->data, size);
    }
    return chunk;
}

static void chunks_destroy(Chunk *chunk) {
    while (chunk != NULL) {
        Chunk *next = chunk->next;
        ASAN_UNPOISON_MEMORY_REGION(chunk->data, chunk->size);
        free(chunk);
        chunk = next;
    }
}

static void *chunk_take(Chunk *chunk, size_t bytes, size_t room) {
    void *memory = chunk->data + chunk->used;
    chunk->used += room;
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    return memory;
}

Arena *arena_create(void) {
    Arena *arena = memory_zeroed(sizeof(Arena));
    arena->current = chunk_create(arena, FIRST_CHUNK);
    arena->next_size = 2 * (size_t)FIRST_CHUNK;
    return arena;
}

// What the last reset left and nobody took since is given back, so that an arena keeps no more than
// it needed last.
void arena_reset(Arena *arena) {
    chunks_destroy(arena->spare);
    arena->spare = arena->current;
    for (Chunk *chunk = arena->spare; chunk != NULL; chunk = chunk->next) {
        ASAN_UNPOISON_MEMORY_REGION(chunk->data, chunk->size);
        memset(chunk->data, 0, chunk->used);
        ASAN_POISON_MEMORY_REGION(chunk->data, chunk->size);
        chunk->used = 0;
    }
    arena->current = chunk_create(arena, FIRST_CHUNK);
    arena->next_size = 2 * (size_t)FIRST_CHUNK;
}

void arena_destroy(Arena *arena) {
    chunks_destroy(arena->current);
    chunks_destroy(arena->spare);
    free(arena);
}

void *arena_alloc(Arena *arena, size_t bytes) {
    enum { ALIGNMENT = alignof(uint64_t) };
    CHECK(bytes < SIZE_MAX / 2);
    size_t room = (bytes + ARENA_GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Chunk *current = arena->current;
    if (room <= current->size - current->used) {
        return chunk_take(current, bytes, room);
    }
    if (room > arena->next_size / 4) {
        Chunk *own = chunk_create(arena, room);
        own->next = current->next;
        current->next = own;
        return chunk_take(own, bytes, room);
    }
    Chunk *chunk = chunk_create(arena, arena->next_size);
    if (arena->next_size < LARGEST_CHUNK) {
        arena->next_size *= 2;
    }
    chunk->next = current;
    arena->current = chunk;
    return chunk_take(chunk, bytes, room);
}

void *arena_grow(Arena *arena, const void *items, size_t used, size_t count, size_t size) {
    void *grown = arena_alloc(arena, memory_product(count < used ? used : count, size));
    if (used > 0) {
        memcpy(grown, items, used * size);
    }
    return grown;
}

char *arena_copy_text(Arena *arena, const char *text, size_t len) {
    char *copy = arena_alloc(arena, len + 1);
    if (len > 0) {
        memcpy(copy, text, len);
    }
    return copy;
}

char *arena_format(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vformat(arena, format, arguments);
    va_end(arguments);
    return text;
}

char *arena_vformat(Arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int len = vsnprintf(NULL, 0, format, arguments);
    CHECK(len >= 0);
    char *text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}
