#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    Eigen::Map<Matrix>(result, 512, 512).noalias() =
        Eigen::Map<const Matrix>(a, 512, 512) * Eigen::Map<const Matrix>(b, 512, 512);
}
