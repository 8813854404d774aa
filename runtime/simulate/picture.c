// Panels stand one below the other over one axis of time; what curves are called stands to their
// right. Places are computed in pixels of a picture that is WIDTH wide; a PNG has twice as many.
// Colours are those that the colour-blind tell apart (Okabe and Ito); inputs are dashed.
#include "runtime/simulate/picture.h"

#include "runtime/abi/type.h"

#include <string.h>

enum {
    WIDTH = 960,
    LEFT = 78,    // of the axes, from the picture's edge
    RIGHT = 14,   // behind the names
    TOP = 40,     // with the title
    BOTTOM = 70,  // with the axis of time
    GAP = 18,     // between panels
    SAMPLE = 66,  // of a line before its name
    LETTER = 9,   // of a name
    ROW = 19,     // a name below another
    PANEL = 180,  // the least height of a panel of numbers, where there are several
    ALONE = 400,  // where there is one
    BAND = 24,    // of a bool
    LONGEST = 30, // letters of names that there is room for
};

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#444444"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

// In gnuplot's single quotes, where a quote is two.
static void write_quoted(FILE *script, const char *text) {
    fputc('\'', script);
    for (; *text != '\0'; text++) {
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, script);
    }
    fputc('\'', script);
}

static const char *name_of(const Picture *picture, size_t curve,
                           char text[COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES]) {
    char indices[COLUMN_INDEX_BYTES];
    const Columns *columns = &picture->curves->columns;
    const Column *column = &columns->items[curve];
    snprintf(text, COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES, "%s%s%s",
             tml_columns_have_state(columns) ? tml_model_column_space(picture->model, column) : "",
             column->terminal->name, tml_model_column_indices(indices, column));
    return text;
}

// Data.

static double time_at(const Picture *picture, uint64_t step) {
    double number = (double)(picture->curves->first + step);
    return picture->dt > 0 ? number * picture->dt : number;
}

static void write_point(const Picture *picture, FILE *script, uint64_t step, double value) {
    if (isnan(value)) {
        fputc('\n', script); // interrupts the curve
    } else {
        fprintf(script, "%.15g %.17g\n", time_at(picture, step), value);
    }
}

static void write_points(const Picture *picture, FILE *script, size_t curve) {
    const Curves *curves = picture->curves;
    for (size_t i = 0; i < curves_bucket_count(curves); i++) {
        const Bucket *bucket = &curves->buckets[curve][i];
        bool falls = bucket->greatest_step < bucket->least_step;
        if (falls) {
            write_point(picture, script, bucket->greatest_step, bucket->greatest);
        }
        write_point(picture, script, bucket->least_step, bucket->least);
        if (!falls && bucket->least_step != bucket->greatest_step) {
            write_point(picture, script, bucket->greatest_step, bucket->greatest);
        }
    }
}

// Where a bool is true, from its first step to the end of the last; a stretch counts when one of
// its steps does.
static void write_bands(const Picture *picture, FILE *script, size_t curve) {
    const Curves *curves = picture->curves;
    size_t count = curves_bucket_count(curves);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; curves->buckets[curve][i].greatest > 0 && end < count &&
                          curves->buckets[curve][end].greatest > 0;) {
            end++;
        }
        uint64_t last = (uint64_t)end * curves->width;
        if (curves->buckets[curve][i].greatest > 0) {
            fprintf(script, "%.15g %.15g\n", time_at(picture, (uint64_t)i * curves->width),
                    time_at(picture, last < curves->steps ? last : curves->steps));
        }
    }
}

// A curve that has nothing to draw has a point outside, so that gnuplot does not complain.
static void write_data(const Picture *picture, FILE *script) {
    const Curves *curves = picture->curves;
    for (size_t curve = 0; curve < curves->columns.count; curve++) {
        fprintf(script, "$c%zu << END\n", curve);
        double least, greatest;
        bool has_number = tml_curves_range(curves, curve, &least, &greatest);
        if (curve_is_bool(curves, curve)) {
            write_bands(picture, script, curve);
            fputs(greatest > 0 ? "" : "-2 -1\n", script);
        } else if (has_number) {
            write_points(picture, script, curve);
        } else {
            fprintf(script, "%.15g 1e300\n", time_at(picture, 0));
        }
        fprintf(script, "END\n");
    }
}

// Places.

static int panel_height(const Picture *picture, const Panel *panel) {
    size_t numbers = 0;
    for (size_t i = 0; i < picture->panels.count; i++) {
        numbers += !picture->panels.items[i].is_bands;
    }
    if (panel->is_bands) {
        return BAND * (int)panel->count;
    }
    int least = numbers > 1 ? PANEL : ALONE, names = ROW * (int)panel->count + ROW / 2;
    return names > least ? names : least;
}

static int picture_height(const Picture *picture) {
    int height = TOP + BOTTOM - GAP;
    for (size_t i = 0; i < picture->panels.count; i++) {
        height += panel_height(picture, &picture->panels.items[i]) + GAP;
    }
    return height;
}

// Room for the longest name, which is cut when it is very long.
static int names_width(const Picture *picture) {
    char name[COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES];
    size_t longest = 0;
    for (size_t curve = 0; curve < picture->curves->columns.count; curve++) {
        size_t len = strlen(name_of(picture, curve, name));
        longest = len > longest ? len : longest;
    }
    return SAMPLE + LETTER * (int)(longest < LONGEST ? longest : LONGEST);
}

// gnuplot's places in the whole picture, from the left and from the bottom, of pixels from the left
// and from the top.
static double across(int pixels) {
    return (double)pixels / (double)WIDTH;
}

static double upward(int pixels, int height) {
    return 1 - (double)pixels / (double)height;
}

// Panels.

// A curve that stays at a limit must not hide behind the frame.
static void write_range(const Picture *picture, FILE *script, const Panel *panel) {
    double least = NAN, greatest = NAN, low, high;
    for (size_t i = 0; i < panel->count; i++) {
        if (!curve_is_bool(picture->curves, panel->curves[i]) &&
            tml_curves_range(picture->curves, panel->curves[i], &low, &high)) {
            least = fmin(least, low);
            greatest = fmax(greatest, high);
        }
    }
    if (!isfinite(least)) {
        least = 0;
        greatest = 1;
    }
    double room = 0.05 * (greatest - least);
    room = room > 0 ? room : greatest != 0 ? 0.1 * fabs(greatest) : 1;
    fprintf(script, "set yrange [%.15g:%.15g]\nset ytics nomirror out autofreq\n", least - room,
            greatest + room);
}

static void write_line(const Picture *picture, FILE *script, const Panel *panel, size_t k) {
    char name[COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES];
    size_t curve = panel->curves[k];
    const Curves *curves = picture->curves;
    const tml_variable *variable = curves->columns.items[curve].terminal;
    const char *colour = colours[k % COLOURS];
    if (curve_is_bool(curves, curve)) { // the whole height where it is true
        fprintf(script,
                "$c%zu using 1:(0.5):1:2:(0):(1) axes x1y2 with boxxyerror fillstyle solid 0.16 "
                "noborder linecolor rgb '%s' title ",
                curve, colour);
    } else {
        const char *how = curves->steps == 1                 ? "points pointtype 7 pointsize 0.6"
                          : variable->type->root != TML_REAL ? "steps"
                                                             : "lines";
        fprintf(script, "$c%zu with %s linewidth %s dashtype %s linecolor rgb '%s' title ", curve,
                how, variable->role == TML_INPUT ? "1.3" : "1.8",
                variable->role == TML_INPUT ? "'-'"
                : k / COLOURS % 2           ? "'_.'"
                                            : "1",
                colour);
    }
    write_quoted(script, name_of(picture, curve, name));
}

// Bools behind the lines.
static void write_numbers(const Picture *picture, FILE *script, const Panel *panel) {
    const char *separator = "plot ";
    write_range(picture, script, panel);
    for (int bools = 1; bools >= 0; bools--) {
        for (size_t k = 0; k < panel->count; k++) {
            if (curve_is_bool(picture->curves, panel->curves[k]) == (bools == 1)) {
                fputs(separator, script);
                write_line(picture, script, panel, k);
                separator = ", ";
            }
        }
    }
    fputc('\n', script);
}

// Each bool has a line, which is thick where it is true, and its name beside it.
static void write_bools(const Picture *picture, FILE *script, const Panel *panel) {
    char name[COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES];
    fprintf(script, "set yrange [-0.5:%zu.5]\nunset ytics\nset border 1\n", panel->count - 1);
    for (size_t k = 0; k < panel->count; k++) {
        fprintf(script, "set label %zu ", k + 2);
        write_quoted(script, name_of(picture, panel->curves[k], name));
        fprintf(script, " at graph 1, first %zu offset character 2, 0 left noenhanced\n",
                panel->count - 1 - k);
    }
    fputs("plot ", script);
    for (size_t k = 0; k < panel->count; k++) {
        size_t y = panel->count - 1 - k;
        const char *colour = colours[k % COLOURS];
        fprintf(script,
                "%s%zu with lines linewidth 0.8 linecolor rgb '#bbbbbb' notitle, $c%zu using "
                "1:(%zu):1:2:(%zu-0.3):(%zu+0.3) with boxxyerror fillstyle solid 0.75 noborder "
                "linecolor rgb '%s' notitle",
                k > 0 ? ", " : "", y, panel->curves[k], y, y, y, colour);
    }
    fputc('\n', script);
    for (size_t k = 0; k < panel->count; k++) {
        fprintf(script, "unset label %zu\n", k + 2);
    }
}

static void write_panel(const Picture *picture, FILE *script, size_t index, int top, int height) {
    const Panel *panel = &picture->panels.items[index];
    bool is_last = index + 1 == picture->panels.count;
    int bottom = top + panel_height(picture, panel);
    int right = WIDTH - RIGHT - names_width(picture);
    fprintf(script, "set border 3\nset tmargin at screen %.5f\nset bmargin at screen %.5f\n",
            upward(top, height), upward(bottom, height));
    fprintf(script,
            "set key at screen %.5f, screen %.5f left top Left reverse noenhanced maxrows %zu\n",
            across(right + 6), upward(top - 6, height), panel->count);
    fputs(!is_last          ? "set format x ''\n"
          : picture->dt > 0 ? "set format x '%g'\nset xlabel 'time / s'\n"
                            : "set format x '%.0f'\nset xlabel 'step'\n",
          script);
    if (panel->is_bands) {
        write_bools(picture, script, panel);
    } else {
        write_numbers(picture, script, panel);
    }
    fputs(index == 0 ? "unset label 1\n" : "", script);
}

static void write_terminal(const Picture *picture, FILE *script, int height) {
    if (picture->is_png) {
        fprintf(script,
                "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size %d,%d "
                "font 'Helvetica,10' fontscale 2 linewidth 2 pointscale 2 } else { set terminal "
                "png size %d,%d }\n",
                2 * WIDTH, 2 * height, WIDTH, height);
    } else {
        fprintf(script, "set terminal svg size %d,%d font 'Helvetica,13' background 'white'\n",
                WIDTH, height);
    }
    fputs("set output ", script);
    write_quoted(script, picture->file);
    fputc('\n', script);
}

void tml_picture_write(const Picture *picture, FILE *script) {
    int height = picture_height(picture), top = TOP;
    const Curves *curves = picture->curves;
    // A bool is true to the end of its step.
    bool ends_later = curves->steps == 1;
    for (size_t i = 0; i < curves->columns.count; i++) {
        ends_later = ends_later || curve_is_bool(curves, i);
    }
    uint64_t last = curves->steps - !ends_later;
    write_data(picture, script);
    write_terminal(picture, script, height);
    fprintf(script,
            "set multiplot\nset lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set xrange [%.15g:%.15g]\nset y2range [0:1]\n"
            "set tics nomirror out scale 0.6\nset grid back linewidth 0.6 linecolor rgb "
            "'#cccccc'\n",
            across(LEFT), across(WIDTH - RIGHT - names_width(picture)), time_at(picture, 0),
            time_at(picture, last));
    fputs("set label 1 ", script);
    write_quoted(script, picture->model->name);
    fprintf(script, " at screen %.5f, screen %.5f left noenhanced font ',%d'\n", across(LEFT),
            upward(TOP / 2, height), picture->is_png ? 11 : 15);
    fputs(picture->dt <= 0 && curves->steps <= 10 ? "set xtics 1\n" : "", script);
    for (size_t i = 0; i < picture->panels.count; i++) {
        write_panel(picture, script, i, top, height);
        top += panel_height(picture, &picture->panels.items[i]) + GAP;
    }
    fputs("unset multiplot\nunset output\n", script);
}
