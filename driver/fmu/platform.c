// See platform.h. Names of folders are the standards'; FMI 2 names none for AArch64, where
// importers look for that of FMI 3.
#include "driver/fmu/platform.h"

#include <stddef.h>
#include <string.h>

static const FmuPlatform platforms[] = {
    {"x86_64", {"linux64", "x86_64-linux"}, "__x86_64__", "TMLC_CC_X86_64", "x86_64-linux-gnu-gcc"},
    {"aarch64",
     {"aarch64-linux", "aarch64-linux"},
     "__aarch64__",
     "TMLC_CC_AARCH64",
     "aarch64-linux-gnu-gcc"},
};

const FmuPlatform *fmu_platform(const char *triple) {
    size_t len = strcspn(triple, "-");
    for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
        const char *architecture = platforms[i].architecture;
        if (strlen(architecture) == len && memcmp(triple, architecture, len) == 0 &&
            strstr(triple, "linux") != NULL) {
            return &platforms[i];
        }
    }
    return NULL;
}

const char *fmu_platform_names(void) {
    return "x86_64-linux-gnu and aarch64-linux-gnu";
}
