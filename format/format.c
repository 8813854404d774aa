// See format.h. Reads the tokens and comments (piece.h), lays them out (layout.h), and reads the
// result again: what is not the same program is not given out.
#include "format/format.h"

#include "format/layout.h"
#include "parser/parse.h"

#include <string.h>

// Lines that were broken may be rows of a literal now, with columns, and so on.
enum { MOST_ROUNDS = 4 };

static bool text_is(const Buffer *text, const SourceFile *source) {
    return text->len == source->len &&
           (text->len == 0 || memcmp(text->data, source->text, text->len) == 0);
}

FormatEnd format_file(Context *context, const AstFile *file, Buffer *out) {
    Pieces pieces = {0};
    pieces_read(context, file, &pieces);
    bool has_broken = true;
    for (int round = 0; round < MOST_ROUNDS && has_broken; round++) {
        Buffer text = {0};
        has_broken = layout_print(context->arena, &pieces, &text);
        if (text_is(&text, file->source)) {
            buffer_free(&text);
            break;
        }
        SourceFile *source = sources_add(context->sources, file->source->path,
                                         text.len == 0 ? "" : text.data, text.len);
        buffer_free(&text);
        if (source == NULL) {
            return FORMAT_TOO_LARGE;
        }
        Pieces again = {0};
        file = parse_file(context, source);
        pieces_read(context, file, &again);
        if (context->diags->error_count > 0 || !pieces_agree(&pieces, &again)) {
            return FORMAT_DIFFERS;
        }
        pieces = again;
    }
    buffer_append(out, file->source->text, file->source->len);
    return FORMAT_DONE;
}
