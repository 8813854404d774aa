// See chart.h.
#include "driver/repl/chart.h"

#include "driver/command.h"
#include "support/path.h"
#include "support/staged.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A title inside double quotes of gnuplot.
static void write_title(FILE *script, const char *title) {
    for (const char *at = title; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            fputc('\\', script);
        }
        fputc(*at == '\n' ? ' ' : *at, script);
    }
}

static void write_script(FILE *script, const Curve *curves, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        fprintf(script, "$d%u << EOD\n", (unsigned)k);
        for (uint64_t i = 0; i < curves[k].count; i++) {
            double value = curves[k].values[i * curves[k].stride];
            if (isfinite(value)) {
                fprintf(script, "%llu %.17g\n", (unsigned long long)i, value);
            } else {
                fputc('\n', script); // a gap
            }
        }
        fprintf(script, "EOD\n");
    }
    for (uint32_t k = 0; k < count; k++) {
        fprintf(script, "%s $d%u using 1:2 with %s title \"", k == 0 ? "plot" : ",", (unsigned)k,
                curves[k].count == 1 ? "points" : "lines");
        write_title(script, curves[k].title);
        fputs("\" noenhanced", script);
    }
    fputc('\n', script);
}

// Runs gnuplot on a script that begins with `terminal`.
static bool run_gnuplot(Arena *arena, const char *terminal, const Curve *curves, uint32_t count,
                        const char **error) {
    FILE *script = tmpfile();
    if (script == NULL) {
        *error = strerror(errno);
        return false;
    }
    fprintf(script, "%s\nset grid\nset key outside top center horizontal\n", terminal);
    write_script(script, curves, count);
    bool good = fflush(script) == 0 && ferror(script) == 0 && fseek(script, 0, SEEK_SET) == 0;
    *error = strerror(errno);
    if (good) {
        SystemCommand gnuplot = command_create(arena, "plotter", "TMLC_GNUPLOT", "gnuplot");
        gnuplot.input = fileno(script);
        good = command_run(arena, &gnuplot, false, error);
    }
    fclose(script);
    return good;
}

static bool draw_picture(Arena *arena, const Curve *curves, uint32_t count, const char *path,
                         const char **error) {
    StagedFile file;
    if (!staged_create(&file, path, "", 0, error)) {
        return false;
    }
    bool is_png = strcmp(path_suffix(path), ".png") == 0;
    const char *terminal =
        arena_format(arena, "set terminal %s size 960,540 noenhanced\nset output '%s'",
                     is_png ? "pngcairo" : "svg", file.temporary);
    if (!run_gnuplot(arena, terminal, curves, count, error)) {
        staged_discard(&file);
        return false;
    }
    size_t failed = 0;
    return staged_commit(&file, 1, &failed, error);
}

bool chart_draw(Arena *arena, const Curve *curves, uint32_t count, const char *path,
                unsigned columns, unsigned rows, const char **error) {
    if (path != NULL) {
        return draw_picture(arena, curves, count, path, error);
    }
    fflush(stdout);
    return run_gnuplot(arena, arena_format(arena, "set terminal dumb size %u,%u", columns, rows),
                       curves, count, error);
}
