#include <Eigen/Cholesky>

using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, double *result) {
    for (int m = 0; m < 256; m++) {
        Eigen::Map<Matrix>(result + m * 36) = Eigen::Map<const Matrix>(a + m * 36).llt().matrixL();
    }
}
