"""Sequences of which each step needs the last ones: filters, transforms, dynamic programming."""

from shapes import Pattern

PATTERNS = [
    Pattern("knapsack", {"n": [100, 400]}, tml="""
fn run(tensor<real, 20> value) tensor<real, $n>:
    tensor<real, $n> best = 0.0
    for k = 0:20:
        w = 3 + 7 * k % 11
        for c = $n - 1:w - 1:-1:
            best[c] = max(best[c], best[c - w] + value[k])
        end
    end
    return best
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict value, REAL *restrict best) {
    for (int c = 0; c < $n; c++) best[c] = 0;
    for (int k = 0; k < 20; k++) {
        int w = 3 + 7 * k % 11;
        for (int c = $n - 1; c > w - 1; c--) {
            REAL with = best[c - w] + value[k];
            best[c] = with > best[c] ? with : best[c];
        }
    }
}
"""),
    Pattern("dtw", {"n": [20, 50]}, tml="""
fn run(tensor<real, $n> a, tensor<real, $n> b) real:
    tensor<real, ${n+1}, ${n+1}> d = 1e30
    d[0, 0] = 0.0
    for i = 1:${n+1}:
        for j = 1:${n+1}:
            d[i, j] = abs(a[i - 1] - b[j - 1]) + min(d[i - 1, j], min(d[i, j - 1], d[i - 1, j - 1]))
        end
    end
    return d[$n, $n]
end
""", c="""
static REAL least(REAL a, REAL b) { return a < b ? a : b; }
void KERNEL(const REAL *restrict a, const REAL *restrict b, REAL *restrict result) {
    REAL d[$n + 1][$n + 1];
    for (int i = 0; i <= $n; i++) for (int j = 0; j <= $n; j++) d[i][j] = (REAL)1e30;
    d[0][0] = 0;
    for (int i = 1; i <= $n; i++)
        for (int j = 1; j <= $n; j++) {
            REAL w = a[i - 1] - b[j - 1];
            d[i][j] = (w < 0 ? -w : w) + least(d[i - 1][j], least(d[i][j - 1], d[i - 1][j - 1]));
        }
    *result = d[$n][$n];
}
"""),
    Pattern("lcs", {"n": [20, 60]}, tml="""
fn run(tensor<real, $n> a, tensor<real, $n> b) int:
    tensor<int, ${n+1}, ${n+1}> d = 0
    for i = 0:$n:
        for j = 0:$n:
            if a[i] > b[j]:
                d[i + 1, j + 1] = d[i, j] + 1
            else:
                d[i + 1, j + 1] = max(d[i, j + 1], d[i + 1, j])
            end
        end
    end
    return d[$n, $n]
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict b, int32_t *restrict result) {
    int d[$n + 1][$n + 1];
    for (int i = 0; i <= $n; i++) for (int j = 0; j <= $n; j++) d[i][j] = 0;
    for (int i = 0; i < $n; i++)
        for (int j = 0; j < $n; j++) {
            if (a[i] > b[j]) d[i + 1][j + 1] = d[i][j] + 1;
            else d[i + 1][j + 1] = d[i][j + 1] > d[i + 1][j] ? d[i][j + 1] : d[i + 1][j];
        }
    *result = d[$n][$n];
}
"""),
    Pattern("viterbi", {"s": [4, 8, 16], "n": [50]}, tml="""
fn run(tensor<real, $s, $s> move, tensor<real, $n, $s> seen) tensor<int, $n>:
    tensor<real, $s> score = seen[0, :]
    tensor<int, $n, $s> from = 0
    for t = 1:$n:
        next = score
        for j = 0:$s:
            best = score[0] + move[0, j]
            at = 0
            for i = 1:$s:
                way = score[i] + move[i, j]
                if way > best:
                    best = way
                    at = i
                end
            end
            next[j] = best + seen[t, j]
            from[t, j] = at
        end
        score = next
    end
    tensor<int, $n> path = 0
    path[$n - 1] = argmax(score)
    for t = $n - 1:0:-1:
        path[t - 1] = from[t, path[t]]
    end
    return path
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict move, const REAL *restrict seen, int32_t *restrict path) {
    REAL score[$s], next[$s];
    int from[$n][$s];
    memcpy(score, seen, sizeof(score));
    for (int t = 1; t < $n; t++) {
        for (int j = 0; j < $s; j++) {
            REAL best = score[0] + move[j];
            int at = 0;
            for (int i = 1; i < $s; i++) {
                REAL way = score[i] + move[i * $s + j];
                if (way > best) { best = way; at = i; }
            }
            next[j] = best + seen[t * $s + j];
            from[t][j] = at;
        }
        memcpy(score, next, sizeof(score));
    }
    int at = 0;
    for (int i = 1; i < $s; i++) if (score[i] > score[at]) at = i;
    path[$n - 1] = at;
    for (int t = $n - 1; t > 0; t--) path[t - 1] = from[t][path[t]];
}
"""),
    Pattern("hadamard", {"n": [16, 64, 256]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    h = 1
    while h < $n:
        for i = 0:$n:2 * h:
            for j = i:i + h:
                a = y[j]
                b = y[j + h]
                y[j] = a + b
                y[j + h] = a - b
            end
        end
        h *= 2
    end
    return y
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict x, REAL *restrict y) {
    memcpy(y, x, sizeof(REAL) * $n);
    for (int h = 1; h < $n; h *= 2)
        for (int i = 0; i < $n; i += 2 * h)
            for (int j = i; j < i + h; j++) {
                REAL a = y[j], b = y[j + h];
                y[j] = a + b;
                y[j + h] = a - b;
            }
}
"""),
    Pattern("fft_loops", {"n": [16, 64, 256]}, tml="""
tensor<real, ${n//2}> wr = cos(-2 * M_PI * iota(${n//2}) / $n)
tensor<real, ${n//2}> wi = sin(-2 * M_PI * iota(${n//2}) / $n)
fn run(tensor<real, $n> x) tensor<real, $n>:
    re = x
    tensor<real, $n> im = 0.0
    j = 0
    for i = 1:$n:
        bit = ${n//2}
        while j >= bit:
            j -= bit
            bit /= 2
        end
        j += bit
        if i < j:
            t = re[i]
            re[i] = re[j]
            re[j] = t
        end
    end
    len = 2
    while len <= $n:
        half = len / 2
        step = $n / len
        for i = 0:$n:len:
            for k = 0:half:
                c = wr[k * step]
                s = wi[k * step]
                ur = re[i + k]
                ui = im[i + k]
                vr = re[i + k + half] * c - im[i + k + half] * s
                vi = re[i + k + half] * s + im[i + k + half] * c
                re[i + k] = ur + vr
                im[i + k] = ui + vi
                re[i + k + half] = ur - vr
                im[i + k + half] = ui - vi
            end
        end
        len *= 2
    end
    return re + im
end
""", c="""
#include <string.h>
#include <math.h>
void KERNEL(const REAL *restrict x, REAL *restrict y) {
    static REAL wr[$n / 2], wi[$n / 2];
    static int done;
    for (int i = 0; i < $n / 2 && !done; i++) {
        wr[i] = (REAL)cos(-2 * 3.14159265358979323846 * i / $n);
        wi[i] = (REAL)sin(-2 * 3.14159265358979323846 * i / $n);
    }
    done = 1;
    REAL re[$n], im[$n];
    memcpy(re, x, sizeof(re));
    memset(im, 0, sizeof(im));
    int j = 0;
    for (int i = 1; i < $n; i++) {
        int bit = $n / 2;
        while (j >= bit) { j -= bit; bit /= 2; }
        j += bit;
        if (i < j) { REAL t = re[i]; re[i] = re[j]; re[j] = t; }
    }
    for (int len = 2; len <= $n; len *= 2) {
        int half = len / 2, step = $n / len;
        for (int i = 0; i < $n; i += len)
            for (int k = 0; k < half; k++) {
                REAL c = wr[k * step], s = wi[k * step], ur = re[i + k], ui = im[i + k];
                REAL vr = re[i + k + half] * c - im[i + k + half] * s;
                REAL vi = re[i + k + half] * s + im[i + k + half] * c;
                re[i + k] = ur + vr; im[i + k] = ui + vi;
                re[i + k + half] = ur - vr; im[i + k + half] = ui - vi;
            }
    }
    for (int i = 0; i < $n; i++) y[i] = re[i] + im[i];
}
"""),
    Pattern("integral_image", {"m": [20, 64], "n": [20, 64]}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    y = x
    for i = 0:$m:
        s = 0.0
        for j = 0:$n:
            s += x[i, j]
            y[i, j] = s
            if i > 0:
                y[i, j] += y[i - 1, j]
            end
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict y) {
    for (int i = 0; i < $m; i++) {
        REAL s = 0;
        for (int j = 0; j < $n; j++) {
            s += x[i * $n + j];
            y[i * $n + j] = s;
            if (i > 0) y[i * $n + j] += y[(i - 1) * $n + j];
        }
    }
}
"""),
    Pattern("limiter_rate", {"n": [500]}, tml="""
fn run(tensor<real, $n> x, real up, real down, real low, real high) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    v = 0.0
    for t = 0:$n:
        v = clamp(x[t], v - down, v + up)
        v = min(max(v, low), high)
        y[t] = v
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL up, REAL down, REAL low, REAL high, REAL *restrict y) {
    REAL v = 0;
    for (int t = 0; t < $n; t++) {
        REAL a = v - down, b = v + up;
        v = x[t] < a ? a : x[t] > b ? b : x[t];
        v = v < low ? low : v; v = v > high ? high : v;
        y[t] = v;
    }
}
"""),
    Pattern("moving_rms", {"n": [100, 1000]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    tensor<real, 16> held = 0.0
    tensor<real, $n> y = 0.0
    s = 0.0
    at = 0
    for i = 0:$n:
        v = x[i] * x[i]
        s += v - held[at]
        held[at] = v
        at = (at + 1) % 16
        y[i] = sqrt(max(s, 0.0) / 16)
    end
    return y
end
""", c="""
#include <math.h>
void KERNEL(const REAL *restrict x, REAL *restrict y) {
    REAL held[16] = {0}, s = 0;
    int at = 0;
    for (int i = 0; i < $n; i++) {
        REAL v = x[i] * x[i];
        s += v - held[at];
        held[at] = v;
        at = (at + 1) % 16;
        y[i] = (REAL)sqrt((s > 0 ? s : 0) / 16);
    }
}
"""),
    Pattern("goertzel", {"n": [200], "k": [4, 8]}, tml="""
fn run(tensor<real, $n> x, tensor<real, $k> w) tensor<real, $k>:
    tensor<real, $k> p = 0.0
    for k = 0:$k:
        c = 2.0 * w[k]
        s1 = 0.0
        s2 = 0.0
        for i = 0:$n:
            s = x[i] + c * s1 - s2
            s2 = s1
            s1 = s
        end
        p[k] = s1 * s1 + s2 * s2 - c * s1 * s2
    end
    return p
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict w, REAL *restrict p) {
    for (int k = 0; k < $k; k++) {
        REAL c = 2 * w[k], s1 = 0, s2 = 0;
        for (int i = 0; i < $n; i++) { REAL s = x[i] + c * s1 - s2; s2 = s1; s1 = s; }
        p[k] = s1 * s1 + s2 * s2 - c * s1 * s2;
    }
}
"""),
    Pattern("comb", {"n": [500]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    for i = 25:$n:
        y[i] = x[i] + 0.7 * y[i - 25]
    end
    return y
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict x, REAL *restrict y) {
    memcpy(y, x, sizeof(REAL) * $n);
    for (int i = 25; i < $n; i++) y[i] = x[i] + (REAL)0.7 * y[i - 25];
}
"""),
    Pattern("nlms", {"n": [16], "t": [200]}, tml="""
fn run(tensor<real, $t> x, tensor<real, $t> d) tensor<real, $t>:
    tensor<real, $n> w = 0.0
    tensor<real, $n> h = 0.0
    tensor<real, $t> e = 0.0
    for i = 0:$t:
        for j = $n - 1:0:-1:
            h[j] = h[j - 1]
        end
        h[0] = x[i]
        y = 0.0
        p = 1e-6
        for j = 0:$n:
            y += w[j] * h[j]
            p += h[j] * h[j]
        end
        e[i] = d[i] - y
        for j = 0:$n:
            w[j] += 0.5 * e[i] / p * h[j]
        end
    end
    return e
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict d, REAL *restrict e) {
    REAL w[$n] = {0}, h[$n] = {0};
    for (int i = 0; i < $t; i++) {
        for (int j = $n - 1; j > 0; j--) h[j] = h[j - 1];
        h[0] = x[i];
        REAL y = 0, p = (REAL)1e-6;
        for (int j = 0; j < $n; j++) { y += w[j] * h[j]; p += h[j] * h[j]; }
        e[i] = d[i] - y;
        for (int j = 0; j < $n; j++) w[j] += (REAL)0.5 * e[i] / p * h[j];
    }
}
"""),
    Pattern("autocorrelation", {"n": [200], "k": [10, 32]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $k>:
    tensor<real, $k> r = 0.0
    for lag = 0:$k:
        for i = 0:$n - lag:
            r[lag] += x[i] * x[i + lag]
        end
    end
    return r
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict r) {
    for (int lag = 0; lag < $k; lag++) {
        REAL s = 0;
        for (int i = 0; i < $n - lag; i++) s += x[i] * x[i + lag];
        r[lag] = s;
    }
}
"""),
    Pattern("debounce", {"n": [50, 200], "k": [4, 8]}, data={"raw": "chance 0.8"}, tml="""
fn run(tensor<bool, $n, $k> raw) tensor<bool, $n, $k>:
    tensor<bool, $n, $k> y = false
    tensor<bool, $k> stable = false
    tensor<int, $k> count = 0
    for t = 0:$n:
        for i = 0:$k:
            if raw[t, i] != stable[i]:
                count[i] += 1
                if count[i] >= 4:
                    stable[i] = raw[t, i]
                    count[i] = 0
                end
            else:
                count[i] = 0
            end
            y[t, i] = stable[i]
        end
    end
    return y
end
""", c="""
void KERNEL(const uint8_t *restrict raw, uint8_t *restrict y) {
    uint8_t stable[$k] = {0};
    int count[$k] = {0};
    for (int t = 0; t < $n; t++) {
        for (int i = 0; i < $k; i++) {
            if (raw[t * $k + i] == stable[i]) {
                count[i] = 0;
            } else if (++count[i] >= 4) {
                stable[i] = raw[t * $k + i];
                count[i] = 0;
            }
            y[t * $k + i] = stable[i];
        }
    }
}
"""),
    Pattern("cic_decimator", {"n": [50, 200], "r": [8, 10]}, tml="""
fn run(tensor<int, ${n*r}> x) tensor<int, $n>:
    tensor<int, 3> sum = 0
    tensor<int, 3> last = 0
    tensor<int, $n> y = 0
    for i = 0:${n*r}:
        sum[0] += x[i]
        sum[1] += sum[0]
        sum[2] += sum[1]
        if i % $r == ${r-1}:
            v = sum[2]
            for k = 0:3:
                d = v - last[k]
                last[k] = v
                v = d
            end
            y[i / $r] = v
        end
    end
    return y
end
""", c="""
void KERNEL(const int32_t *restrict x, int32_t *restrict y) {
    uint32_t sum[3] = {0}, last[3] = {0};
    for (int i = 0; i < $n * $r; i++) {
        sum[0] += (uint32_t)x[i];
        sum[1] += sum[0];
        sum[2] += sum[1];
        if (i % $r == $r - 1) {
            uint32_t v = sum[2];
            for (int k = 0; k < 3; k++) {
                uint32_t d = v - last[k];
                last[k] = v;
                v = d;
            }
            y[i / $r] = (int32_t)v;
        }
    }
}
"""),
]
