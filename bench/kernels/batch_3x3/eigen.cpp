#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    for (int m = 0; m < 1024; m++, a += 9, b += 9, result += 9) {
        Eigen::Map<Matrix>(result).noalias() =
            Eigen::Map<const Matrix>(a) * Eigen::Map<const Matrix>(b);
    }
}
