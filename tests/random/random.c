#include "tests/random/random.h"

uint64_t random_next(Random *random) {
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t bits = random->state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

unsigned random_below(Random *random, unsigned limit) {
    return (unsigned)(random_next(random) % limit);
}

bool random_percent(Random *random, unsigned percent) {
    return random_below(random, 100) < percent;
}
