// All that feeds a run, step by step.
#ifndef TML_RUNTIME_SIMULATE_FEED_H
#define TML_RUNTIME_SIMULATE_FEED_H

#include "runtime/simulate/input.h"

typedef struct Feed {
    const Options *options;
    size_t count;
    Source *sources;
    bool waits;           // a source does
    const Source *ended;  // the source that has no more rows, or NULL
    const Source *longer; // one that has more than `ended`, if that is known
} Feed;

// Opens all sources of the options and compares what is known of their lengths. False after saying
// what is wrong. Either way tml_feed_close must follow; a Feed of zeros may be closed, too.
bool tml_feed_open(Feed *feed, const Options *options);
void tml_feed_close(Feed *feed);
// As tml_source_start.
void tml_feed_start(Feed *feed, uint64_t step);
// Stores how many steps the sources have, if that is known.
bool tml_feed_row_count(const Feed *feed, uint64_t *count);
// Reads the inputs of up to `limit` next steps into an array of inputs structs and returns how many
// there are; `ended` is set where there are no more.
size_t tml_feed_read(Feed *feed, size_t limit, char *inputs);
// After the last row that all sources have: whether that was the end, or false after saying what is
// wrong. `inputs` has room for a step.
bool tml_feed_check_end(Feed *feed, uint64_t done, char *inputs);
// Says why reading stopped short when a source is wrong. False when none is.
bool tml_feed_report_failure(const Feed *feed);

#endif
