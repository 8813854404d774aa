"""Operands that are stretched."""

from shapes import Pattern, sizes

PATTERNS = [
    Pattern("broadcast_column", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x, tensor<real, $n> v, tensor<real, $m> w) tensor<real, $m, $n>:
    return x * v + align(w, 2, [0])
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict v, const REAL *restrict w,
            REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[i * $n + j] = x[i * $n + j] * v[j] + w[i];
        }
    }
}
"""),
    Pattern("broadcast_3d", {"l": sizes(3, 24), "m": sizes(3, 33), "n": sizes(3, 64)}, tml="""
fn run(tensor<real, $l, $m, $n> x, tensor<real, $m, $n> y,
    tensor<real, $n> v) tensor<real, $l, $m, $n>:
    return (x - y) * v
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, const REAL *restrict v,
            REAL *restrict result) {
    for (int i = 0; i < $l; i++) {
        for (int j = 0; j < $m; j++) {
            for (int k = 0; k < $n; k++) {
                int at = (i * $m + j) * $n + k;
                result[at] = (x[at] - y[j * $n + k]) * v[k];
            }
        }
    }
}
"""),
    Pattern("outer_update", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m> x, tensor<real, $n> y, tensor<real, $m, $n> a) tensor<real, $m, $n>:
    return a - 0.1 * (align(x, 2, [0]) * y)
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, const REAL *restrict a,
            REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[i * $n + j] = a[i * $n + j] - (REAL)0.1 * (x[i] * y[j]);
        }
    }
}
"""),
]
