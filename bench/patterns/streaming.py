"""Element by element."""

from shapes import LENGTHS, Pattern

PATTERNS = [
    Pattern("select", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x, tensor<real, $n> y) tensor<real, $n>:
    return select(x > y, x - y, 0.5 * x)
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[i] = x[i] > y[i] ? x[i] - y[i] : (REAL)0.5 * x[i];
    }
}
"""),
    Pattern("polynomial", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    return 1 + x * (0.5 + x * (0.25 + x * (0.125 + x * 0.1)))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL inner = (REAL)0.25 + x[i] * ((REAL)0.125 + x[i] * (REAL)0.1);
        result[i] = 1 + x[i] * ((REAL)0.5 + x[i] * inner);
    }
}
"""),
    Pattern("polynomial_loop", {"k": [4, 6, 9], "n": LENGTHS}, tml="""
fn run(tensor<real, $k> c, tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = c[0]
    for j = 1:$k:
        y = y * x + c[j]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict c, const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL y = c[0];
        for (int j = 1; j < $k; j++) {
            y = y * x[i] + c[j];
        }
        result[i] = y;
    }
}
"""),
    Pattern("complex_magnitude", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> a, tensor<real, $n> b, tensor<real, $n> c,
    tensor<real, $n> d) tensor<real, $n>:
    re = a * c - b * d
    im = a * d + b * c
    return sqrt(re * re + im * im)
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict b, const REAL *restrict c,
            const REAL *restrict d, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL re = a[i] * c[i] - b[i] * d[i];
        REAL im = a[i] * d[i] + b[i] * c[i];
        result[i] = sqrt(re * re + im * im);
    }
}
"""),
    Pattern("quantise", {"n": LENGTHS}, data={"x": "uniform -1.2 1.2"}, tml="""
fn run(tensor<real, $n> x) tensor<int, $n>:
    return int(round(clamp(x * 127, -128, 127)))
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL value = x[i] * 127;
        value = value < -128 ? -128 : value > 127 ? 127 : value;
        result[i] = (int32_t)round(value);
    }
}
"""),
]
