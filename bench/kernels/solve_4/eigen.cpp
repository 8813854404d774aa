#include <Eigen/LU>

using Matrix = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
using Vector = Eigen::Matrix<double, 4, 1>;

extern "C" void KERNEL(const double *a, const double *b, double *result) {
    for (int m = 0; m < 512; m++) {
        Eigen::Map<Vector>(result + m * 4) = Eigen::Map<const Matrix>(a + m * 16)
                                                 .partialPivLu()
                                                 .solve(Eigen::Map<const Vector>(b + m * 4));
    }
}
