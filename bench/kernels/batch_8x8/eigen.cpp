#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, 8, 8, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    for (int m = 0; m < 256; m++, a += 64, b += 64, result += 64) {
        Eigen::Map<Matrix>(result).noalias() =
            Eigen::Map<const Matrix>(a) * Eigen::Map<const Matrix>(b);
    }
}
