#include <fftw3.h>

enum { N = 1024 };

static fftw_plan plan, of_any;

/* FFTW's fastest is for arrays that lie as those it measured. */
__attribute__((constructor)) static void start(void) {
    fftw_complex *from = fftw_alloc_complex(N), *to = fftw_alloc_complex(N);
    plan = fftw_plan_dft_1d(N, from, to, FFTW_FORWARD, FFTW_MEASURE);
    of_any = fftw_plan_dft_1d(N, from, to, FFTW_FORWARD, FFTW_MEASURE | FFTW_UNALIGNED);
}

void KERNEL(const double *restrict z, double *restrict result) {
    int is_apart = fftw_alignment_of((double *)z) | fftw_alignment_of(result);
    fftw_execute_dft(is_apart ? of_any : plan, (fftw_complex *)z, (fftw_complex *)result);
}
