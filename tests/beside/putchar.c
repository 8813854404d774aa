/* What the main of tests needs of the machines of tests/cross. */
#include "tests/cross/platform.h"

int main(void);
int putchar(int c);

int putchar(int c) {
    char byte = (char)c;
    platform_write(&byte, 1);
    return c;
}

int cross_main(void) {
    return main();
}
