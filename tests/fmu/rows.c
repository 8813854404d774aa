// A host of models/mixed.tml by FMI 3, which prints the outputs of some steps with all their bits.
// It is linked with the binary of an FMU for some machine.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool,
                                  const uint32_t *, size_t, void *, void *, void *);
void fmi3FreeInstance(void *);
int fmi3EnterInitializationMode(void *, bool, double, double, bool, double);
int fmi3ExitInitializationMode(void *);
int fmi3DoStep(void *, double, double, bool, bool *, bool *, bool *, double *);
int fmi3GetFloat64(void *, const uint32_t *, size_t, double *, size_t);
int fmi3SetFloat64(void *, const uint32_t *, size_t, const double *, size_t);
int fmi3GetUInt32(void *, const uint32_t *, size_t, uint32_t *, size_t);

#ifndef STEP
#define STEP 0.5
#endif

enum { STEPS = 40, INPUTS = 10, OUTPUTS = 10 };

int main(void) {
    const double step = STEP;
    const uint32_t inputs[] = {M, V}, outputs[] = {MO, VO}, number = NO;
    void *instance = fmi3InstantiateCoSimulation("x", TOKEN, NULL, false, false, false, false, NULL,
                                                 0, NULL, NULL, NULL);
    int status = instance == NULL || fmi3EnterInitializationMode(instance, false, 0, 0, false, 0) ||
                 fmi3ExitInitializationMode(instance);
    for (int k = 0; k < STEPS && status == 0; k++) {
        double in[INPUTS], out[OUTPUTS], last;
        uint32_t count;
        bool flags[3];
        for (int i = 0; i < INPUTS; i++) {
            in[i] = (k - i * 1.7) / (i + 3);
        }
        status = fmi3SetFloat64(instance, inputs, 2, in, INPUTS) ||
                 fmi3GetFloat64(instance, outputs, 2, out, OUTPUTS) ||
                 fmi3GetUInt32(instance, &number, 1, &count, 1) ||
                 fmi3DoStep(instance, k * step, step, true, &flags[0], &flags[1], &flags[2], &last);
        printf("%u", (unsigned)count);
        for (int i = 0; i < OUTPUTS; i++) {
            printf(" %a", out[i]);
        }
        printf("\n");
    }
    if (instance != NULL) {
        fmi3FreeInstance(instance);
    }
    return status;
}
