void KERNEL(const double *restrict u, double *restrict y) {
    const double kp = 2.0, ki = 1.5, kd = 0.1, limit = 1.0, dt = 0.01, filter = 0.2;
    double integral = 0, slope = 0, last = 0;
    for (int k = 0; k < 4096; k++) {
        double wanted = u[2 * k], measured = u[2 * k + 1], error = wanted - measured;
        slope += filter * ((measured - last) / dt - slope);
        double value = kp * error + integral - kd * slope;
        y[k] = value > limit ? limit : value < -limit ? -limit : value;
        if (value == y[k]) {
            integral += ki * dt * error;
        }
        last = measured;
    }
}
