#include <Eigen/Core>

extern "C" void KERNEL(double a, const double *x, const double *y, double *result) {
    using Vector = Eigen::Matrix<double, 1024, 1>;
    Eigen::Map<Vector>(result).noalias() =
        a * Eigen::Map<const Vector>(x) + Eigen::Map<const Vector>(y);
}
