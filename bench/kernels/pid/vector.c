/* The chain from step to step is one multiply-add for the slope, and a comparison and an addition
   for the integral: without jumps, and what does not depend on the state is computed beside it. */
void KERNEL(const double *restrict u, double *restrict y) {
    const double kp = 2.0, ki = 1.5, kd = 0.1, limit = 1.0, dt = 0.01, filter = 0.2;
    double integral = 0, slope = 0, last = 0;
    for (int k = 0; k < 4096; k++) {
        double measured = u[2 * k + 1], error = u[2 * k] - measured;
        slope = (1 - filter) * slope + filter / dt * (measured - last);
        double value = (kp * error - kd * slope) + integral;
        double step = __builtin_fabs(value) <= limit ? ki * dt * error : 0;
        double high = value > limit ? limit : value;
        y[k] = high < -limit ? -limit : high;
        integral += step;
        last = measured;
    }
}
