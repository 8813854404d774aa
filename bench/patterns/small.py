"""Batches of small matrices."""

from shapes import LENGTHS, Pattern

ROWS = [2, 3, 4, 5, 6]
PATTERNS = [
    Pattern("batch_products", {"b": LENGTHS, "n": ROWS}, tml="""
fn run(tensor<real, $b, $n, $n> x, tensor<real, $b, $n, $n> y) tensor<real, $b, $n, $n>:
    tensor<real, $b, $n, $n> z = 0.0
    for i = 0:$b:
        z[i, :, :] = x[i, :, :] .* y[i, :, :]
    end
    return z
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int b = 0; b < $b; b++, x += ${n*n}, y += ${n*n}, result += ${n*n}) {
        for (int i = 0; i < $n; i++) {
            for (int j = 0; j < $n; j++) {
                REAL sum = 0;
                for (int k = 0; k < $n; k++) {
                    sum += x[i * $n + k] * y[k * $n + j];
                }
                result[i * $n + j] = sum;
            }
        }
    }
}
"""),
    Pattern("batch_vectors", {"b": LENGTHS, "n": ROWS}, tml="""
fn run(tensor<real, $n, $n> a, tensor<real, $b, $n> x) tensor<real, $b, $n>:
    tensor<real, $b, $n> y = 0.0
    for i = 0:$b:
        y[i, :] = a .* x[i, :]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, REAL *restrict result) {
    for (int b = 0; b < $b; b++, x += $n, result += $n) {
        for (int i = 0; i < $n; i++) {
            REAL sum = 0;
            for (int j = 0; j < $n; j++) {
                sum += a[i * $n + j] * x[j];
            }
            result[i] = sum;
        }
    }
}
"""),
    Pattern("batch_quadratic", {"b": LENGTHS, "n": ROWS}, tml="""
fn run(tensor<real, $n, $n> a, tensor<real, $b, $n> x) tensor<real, $b>:
    tensor<real, $b> y = 0.0
    for i = 0:$b:
        y[i] = x[i, :] .* a .* x[i, :]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, REAL *restrict result) {
    for (int b = 0; b < $b; b++, x += $n) {
        REAL form = 0;
        for (int i = 0; i < $n; i++) {
            REAL sum = 0;
            for (int j = 0; j < $n; j++) {
                sum += a[i * $n + j] * x[j];
            }
            form += x[i] * sum;
        }
        result[b] = form;
    }
}
"""),
]
