#include <Eigen/LU>

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

extern "C" void KERNEL(const double *a, double *result) {
    for (int m = 0; m < 512; m++) {
        Eigen::Map<Matrix>(result + m * 9) = Eigen::Map<const Matrix>(a + m * 9).inverse();
    }
}
