#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, 64, 64, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    Eigen::Map<Matrix>(result).noalias() =
        Eigen::Map<const Matrix>(a) * Eigen::Map<const Matrix>(b);
}
