// One arena per compilation: everything allocated from it lives until the arena is destroyed.
#ifndef TMLC_SUPPORT_ARENA_H
#define TMLC_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

// Creates an empty arena. Running out of memory ends the process with exit status 3.
Arena *arena_create(void);
void arena_destroy(Arena *arena);
// Ends the life of everything in it and keeps the memory for what comes next: cheaper than a new
// arena where one of the same size follows.
void arena_reset(Arena *arena);

// Zeroed memory, aligned for pointers, doubles and integers.
void *arena_alloc(Arena *arena, size_t bytes);
// Makes room for `count` objects of `size` bytes in an array that holds `used` of them; the old
// array stays valid. Never shrinks.
void *arena_grow(Arena *arena, const void *items, size_t used, size_t count, size_t size);
// A zero-terminated copy of text[0..len).
char *arena_copy_text(Arena *arena, const char *text, size_t len);
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, count) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(count)))

// A growable array in an arena; all zero is the empty one.
#define LIST_OF(T)              \
    struct {                    \
        T *items;               \
        size_t count, capacity; \
    }

typedef LIST_OF(const char *) TextList;

// Appends `item` to a growable array.
#define LIST_PUSH(arena, list, item)                                                            \
    do {                                                                                        \
        if ((list)->count == (list)->capacity) {                                                \
            (list)->capacity = (list)->capacity == 0 ? 8 : 2 * (list)->capacity;                \
            (list)->items = arena_grow((arena), (list)->items, (list)->count, (list)->capacity, \
                                       sizeof(*(list)->items));                                 \
        }                                                                                       \
        (list)->items[(list)->count++] = (item);                                                \
    } while (0)

#endif
