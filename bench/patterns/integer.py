"""Integers and bits."""

from shapes import LENGTHS, Pattern

PATTERNS = [
    Pattern("uint_arithmetic", {"n": LENGTHS}, tml="""
fn run(tensor<uint, $n> x, tensor<uint, $n> y) tensor<uint, $n>:
    return (x * 3u + y) & 255u
end
""", c="""
void KERNEL(const uint32_t *restrict x, const uint32_t *restrict y, uint32_t *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[i] = (x[i] * 3u + y[i]) & 255u;
    }
}
"""),
    Pattern("histogram", {"n": LENGTHS, "k": [8, 16, 64]}, data={"x": "uniform 0 1"}, tml="""
fn run(tensor<real, $n> x) tensor<int, $k>:
    tensor<int, $k> counts = 0
    for i = 0:$n:
        counts[clamp(int(x[i] * $k), 0, ${k-1})] += 1
    end
    return counts
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    memset(result, 0, sizeof(int32_t) * $k);
    for (int i = 0; i < $n; i++) {
        int at = (int)(x[i] * $k);
        result[at < 0 ? 0 : at > ${k-1} ? ${k-1} : at]++;
    }
}
"""),
]
