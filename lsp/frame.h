// Messages on a stream: a header with `Content-Length`, an empty line, the text.
#ifndef TMLC_LSP_FRAME_H
#define TMLC_LSP_FRAME_H

#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum FrameState {
    FRAME_MESSAGE, // *text[0..*len) is one, until the next call
    FRAME_PART,    // more must be read first
    FRAME_WRONG,   // what comes is not the protocol: *error says why
} FrameState;

// What was read and not yet taken.
typedef struct FrameReader {
    Buffer bytes;
    size_t taken;
} FrameReader;

FrameState frame_take(FrameReader *reader, const char **text, size_t *len, const char **error);
// Reads what there is from a descriptor, or waits for some. False at its end.
__attribute__((warn_unused_result)) bool frame_read(FrameReader *reader, int input);
// Writes a message whole; false when nobody reads any more.
__attribute__((warn_unused_result)) bool frame_write(int output, const char *text, size_t len);

#endif
