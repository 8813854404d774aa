#include "tests/seed.h"

#include <stdlib.h>
#include <time.h>

bool seed_read(const char *text, uint64_t *seed) {
    char *end = NULL;
    *seed = strtoull(text, &end, 0);
    return *text != '\0' && *end == '\0';
}

bool seed_of_today(uint64_t *seed) {
    const char *text = getenv("TMLC_SEED");
    if (text != NULL && *text != '\0') {
        return seed_read(text, seed);
    }
    char date[16];
    time_t now = time(NULL);
    struct tm day;
    return strftime(date, sizeof(date), "%Y%m%d", gmtime_r(&now, &day)) > 0 &&
           seed_read(date, seed);
}
