"""Transposes and permutations."""

from shapes import Pattern, sizes

PATTERNS = [
    Pattern("add_transposed", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x, tensor<real, $n, $m> y) tensor<real, $n, $m>:
    return x' + y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int j = 0; j < $n; j++) {
        for (int i = 0; i < $m; i++) {
            result[j * $m + i] = x[i * $n + j] + y[j * $m + i];
        }
    }
}
"""),
    Pattern("symmetric_part", {"n": sizes()}, tml="""
fn run(tensor<real, $n, $n> x) tensor<real, $n, $n>:
    return 0.5 * (x + x')
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        for (int j = 0; j < $n; j++) {
            result[i * $n + j] = (REAL)0.5 * (x[i * $n + j] + x[j * $n + i]);
        }
    }
}
"""),
    Pattern("permute_3d", {"l": sizes(3, 24), "m": sizes(3, 33), "n": sizes(3, 64)}, tml="""
fn run(tensor<real, $l, $m, $n> x) tensor<real, $m, $l, $n>:
    return permute(x, 1, 0, 2)
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int j = 0; j < $m; j++) {
        for (int i = 0; i < $l; i++) {
            for (int k = 0; k < $n; k++) {
                result[(j * $l + i) * $n + k] = x[(i * $m + j) * $n + k];
            }
        }
    }
}
"""),
]
