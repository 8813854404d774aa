"""Elementary functions."""

from shapes import LENGTHS, Pattern, sizes

ELEMENTS = {"tml": """
fn run(tensor<real, $n> x) tensor<real, $n>:
    return $f(x)
end
""", "c": """
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[i] = $f(x[i]);
    }
}
"""}
PATTERNS = [
    Pattern("elements", {"f": ["exp", "sin", "tanh", "atan", "cosh"], "n": LENGTHS}, **ELEMENTS),
    Pattern("positive_elements", {"f": ["log", "log2", "sqrt"], "n": LENGTHS},
            data={"x": "uniform 0 2"}, **ELEMENTS),
    Pattern("polar", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x, tensor<real, $n> y) tensor<real, $n>:
    return atan2(y, x) + hypot(x, y)
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[i] = atan2(y[i], x[i]) + sqrt(x[i] * x[i] + y[i] * y[i]);
    }
}
"""),
    Pattern("softmax_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    rows = nest(x, 1)
    powers = exp(rows - max(rows))
    return unnest(powers / sum(powers))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++, x += $n, result += $n) {
        REAL most = x[0], sum = 0;
        for (int j = 1; j < $n; j++) {
            most = x[j] > most ? x[j] : most;
        }
        for (int j = 0; j < $n; j++) {
            result[j] = exp(x[j] - most);
            sum += result[j];
        }
        for (int j = 0; j < $n; j++) {
            result[j] /= sum;
        }
    }
}
"""),
]
