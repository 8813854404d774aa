#include <Eigen/LU>

using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
using Measure = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
using Small = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using State = Eigen::Matrix<double, 6, 1>;
using Measured = Eigen::Matrix<double, 3, 1>;

extern "C" void KERNEL(const double *z, const double *f_at, const double *h_at, const double *q_at,
                       const double *r_at, double *result) {
    const Matrix f = Eigen::Map<const Matrix>(f_at), q = Eigen::Map<const Matrix>(q_at);
    const Measure h = Eigen::Map<const Measure>(h_at);
    const Small r = Eigen::Map<const Small>(r_at);
    State x = State::Zero();
    Matrix p = q;
    for (int step = 0; step < 128; step++) {
        x = f * x;
        p = f * p * f.transpose() + q;
        const Measure hp = h * p;
        const Small s = hp * h.transpose() + r;
        const Measure gain = s.inverse() * hp;
        x += gain.transpose() * (Eigen::Map<const Measured>(z + step * 3) - h * x);
        p -= gain.transpose() * hp;
        Eigen::Map<State>(result + step * 6) = x;
    }
}
