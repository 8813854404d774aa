#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    for (int m = 0; m < 512; m++, a += 36, b += 36, result += 36) {
        Eigen::Map<Matrix>(result).noalias() =
            Eigen::Map<const Matrix>(a) * Eigen::Map<const Matrix>(b);
    }
}
