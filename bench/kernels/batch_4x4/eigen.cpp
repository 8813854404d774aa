#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    for (int m = 0; m < 1024; m++, a += 16, b += 16, result += 16) {
        Eigen::Map<Matrix>(result).noalias() =
            Eigen::Map<const Matrix>(a) * Eigen::Map<const Matrix>(b);
    }
}
