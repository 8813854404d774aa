// The sources of a run, read side by side: the first may give fewer rows than it has, the others
// must have as many.
#include "runtime/simulate/feed.h"

#include "runtime/run/report.h"

#include <stdlib.h>

// What is known of the lengths of the inputs before the first step.
static bool check_row_counts(const Feed *feed) {
    const Options *options = feed->options;
    const Source *first = NULL;
    uint64_t expected = 0, found;
    for (size_t i = 0; i < feed->count; i++) {
        const Source *source = &feed->sources[i];
        if (!tml_source_row_count(source, &found)) {
            continue;
        }
        if (options->has_steps && found < options->steps) {
            return tml_report_file(source->name, "%llu rows, `--steps` asks for %llu",
                                   (unsigned long long)found, (unsigned long long)options->steps);
        }
        if (!options->has_steps && first && expected != found) {
            return tml_report_file(source->name, "%llu rows, `%s` has %llu",
                                   (unsigned long long)found, first->name,
                                   (unsigned long long)expected);
        }
        first = source;
        expected = found;
    }
    return true;
}

static bool open_sources_of(Feed *feed, int kind) {
    const Bindings *bindings = &feed->options->bindings[TML_INPUT];
    for (size_t i = 0; i < bindings->count; i++) {
        if ((int)bindings->items[i].kind != kind) {
            continue;
        }
        Source *source = &feed->sources[feed->count];
        if (!tml_source_open(source, feed->options, &bindings->items[i])) {
            return false;
        }
        feed->count++;
        feed->waits |= source->waits;
    }
    return true;
}

// Waves come last: they give as many rows as the files have.
bool tml_feed_open(Feed *feed, const Options *options) {
    *feed = (Feed){.options = options};
    feed->sources = calloc(options->bindings[TML_INPUT].count + 1, sizeof *feed->sources);
    if (!feed->sources) {
        tml_report(options->command, "cannot get memory");
        return false;
    }
    return open_sources_of(feed, BINDING_FILE) && open_sources_of(feed, BINDING_WAVE) &&
           check_row_counts(feed);
}

// Reads the inputs of the next steps and returns how many there are. The first source may give
// fewer than it has; if another does, it has ended, and the run with it.
size_t tml_feed_read(Feed *feed, size_t limit, char *inputs) {
    size_t count = limit;
    for (size_t i = 0; i < feed->count && count > 0; i++) {
        size_t found = tml_source_read(&feed->sources[i], count, i > 0, inputs);
        if (found == 0 || (i > 0 && found < count)) {
            feed->ended = &feed->sources[i];
            feed->longer = i > 0 ? &feed->sources[0] : NULL;
        }
        count = found;
    }
    return count;
}

bool tml_feed_report_failure(const Feed *feed) {
    for (size_t i = 0; i < feed->count; i++) {
        if (tml_source_report_failure(&feed->sources[i])) {
            return true;
        }
    }
    return false;
}

static void find_longer_source(Feed *feed, char *inputs) {
    for (size_t i = 0; i < feed->count && !feed->longer; i++) {
        Source *source = &feed->sources[i];
        if (source != feed->ended && !source->wave &&
            tml_source_read(source, 1, true, inputs) > 0) {
            feed->longer = source;
        }
    }
}

// After the last row that all sources have: whether that was the end.
bool tml_feed_check_end(Feed *feed, uint64_t steps_done, char *inputs) {
    char place[SOURCE_PLACE_BYTES];
    unsigned long long done = steps_done, steps = feed->options->steps;
    const char *unit = feed->ended->timed ? "steps" : "rows";
    if (tml_feed_report_failure(feed)) {
        return false;
    }
    if (feed->options->has_steps) {
        tml_report_file(tml_source_place(feed->ended, place),
                        "the input ends after %llu %s, `--steps` asks for %llu", done, unit, steps);
        return false;
    }
    find_longer_source(feed, inputs);
    if (tml_feed_report_failure(feed)) {
        return false;
    }
    if (feed->longer) {
        tml_report_file(tml_source_place(feed->ended, place),
                        "the input ends after %llu %s, `%s` has more", done, unit,
                        feed->longer->name);
        return false;
    }
    return true;
}

bool tml_feed_row_count(const Feed *feed, uint64_t *count) {
    bool is_known = false;
    for (size_t i = 0; i < feed->count && !is_known; i++) {
        is_known = tml_source_row_count(&feed->sources[i], count);
    }
    return is_known;
}

void tml_feed_start(Feed *feed, uint64_t step) {
    for (size_t i = 0; i < feed->count; i++) {
        tml_source_start(&feed->sources[i], step);
    }
}

void tml_feed_close(Feed *feed) {
    for (size_t i = 0; i < feed->count; i++) {
        tml_source_close(&feed->sources[i]);
    }
    free(feed->sources);
    *feed = (Feed){0};
}
