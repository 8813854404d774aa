// Inputs that are computed instead of read, `--in r='step(1.0, at=0.5)'`: each a function of the
// step and of its time.
#ifndef TML_RUNTIME_SIMULATE_WAVE_H
#define TML_RUNTIME_SIMULATE_WAVE_H

#include "runtime/abi/model.h"
#include "runtime/file/writer.h"

#include <stdbool.h>

enum { WAVE_ARGUMENTS = 5, WAVE_MESSAGE_BYTES = 256 };

typedef enum WaveKind {
#define WAVE(name, ...) WAVE_##name,
#include "runtime/simulate/wave.def"
#undef WAVE
    WAVE_COUNT
} WaveKind;

typedef struct Wave {
    WaveKind kind;
    double arguments[WAVE_ARGUMENTS]; // in the order of wave.def
} Wave;

// Whether a text has the form of a wave, right or wrong: a word and parentheses around the rest.
bool tml_text_is_wave(const char *text);
// Whether it is the name of one.
bool tml_text_names_wave(const char *text);
// Reads a text of that form for an input of the type. False with a message that says what is wrong.
bool tml_wave_read(Wave *wave, const char *text, const tml_type *type,
                   char message[WAVE_MESSAGE_BYTES]);
const char *tml_wave_name(const Wave *wave);
// Whether its value depends on the time of a step; `dt` below is of no use otherwise.
bool tml_wave_needs_time(const Wave *wave);
// The value in a step, which begins at step * dt seconds.
double tml_wave_value(const Wave *wave, uint64_t step, double dt);
// A line for each, with its arguments, for --help.
void tml_waves_write(Writer *out);

#endif
