"""Loops as they are written every day, one element after the other."""

from shapes import LENGTHS, Pattern, sizes

PATTERNS = [
    Pattern("welford", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, 2>:
    mean = 0.0
    squares = 0.0
    for i = 0:$n:
        way = x[i] - mean
        mean += way / (i + 1)
        squares += way * (x[i] - mean)
    end
    return [mean, squares / ${n-1}]
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL mean = 0, squares = 0;
    for (int i = 0; i < $n; i++) {
        REAL way = x[i] - mean;
        mean += way / (REAL)(i + 1);
        squares += way * (x[i] - mean);
    }
    result[0] = mean;
    result[1] = squares / ${n-1};
}
"""),
    Pattern("crossings", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) int:
    count = 0
    for i = 1:$n:
        if x[i - 1] < 0 and x[i] >= 0:
            count += 1
        end
    end
    return count
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    int count = 0;
    for (int i = 1; i < $n; i++) {
        if (x[i - 1] < 0 && x[i] >= 0) {
            count++;
        }
    }
    *result = count;
}
"""),
    Pattern("ring_average", {"k": [8, 16, 20], "n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    tensor<real, $k> ring = 0.0
    at = 0
    total = 0.0
    for i = 0:$n:
        total += x[i] - ring[at]
        ring[at] = x[i]
        at += 1
        if at == $k:
            at = 0
        end
        y[i] = total / $k
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL ring[$k] = {0}, total = 0;
    int at = 0;
    for (int i = 0; i < $n; i++) {
        total += x[i] - ring[at];
        ring[at] = x[i];
        at++;
        if (at == $k) {
            at = 0;
        }
        result[i] = total / $k;
    }
}
"""),
    Pattern("biquads_in_a_row", {"k": [2, 4, 5], "n": LENGTHS}, data={"a": "uniform -0.4 0.4"}, tml="""
fn run(tensor<real, $n> x, tensor<real, $k, 5> a) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    tensor<real, $k, 2> w = 0.0
    for i = 0:$n:
        v = x[i]
        for k = 0:$k:
            u = v - a[k, 0] * w[k, 0] - a[k, 1] * w[k, 1]
            v = a[k, 2] * u + a[k, 3] * w[k, 0] + a[k, 4] * w[k, 1]
            w[k, 1] = w[k, 0]
            w[k, 0] = u
        end
        y[i] = v
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict a, REAL *restrict result) {
    REAL w[$k][2] = {{0}};
    for (int i = 0; i < $n; i++) {
        REAL v = x[i];
        for (int k = 0; k < $k; k++) {
            REAL u = v - a[5 * k] * w[k][0] - a[5 * k + 1] * w[k][1];
            v = a[5 * k + 2] * u + a[5 * k + 3] * w[k][0] + a[5 * k + 4] * w[k][1];
            w[k][1] = w[k][0];
            w[k][0] = u;
        }
        result[i] = v;
    }
}
"""),
    Pattern("bubble_sort", {"n": [9, 16, 31]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    for i = 0:$n:
        for j = 0:${n-1} - i:
            if y[j] > y[j + 1]:
                swap = y[j]
                y[j] = y[j + 1]
                y[j + 1] = swap
            end
        end
    end
    return y
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    memcpy(result, x, sizeof(REAL) * $n);
    for (int i = 0; i < $n; i++) {
        for (int j = 0; j < ${n-1} - i; j++) {
            if (result[j] > result[j + 1]) {
                REAL swap = result[j];
                result[j] = result[j + 1];
                result[j + 1] = swap;
            }
        }
    }
}
"""),
    Pattern("life", {"m": sizes(8, 64), "n": sizes(8, 64)}, data={"x": "integers 0 1"}, tml="""
fn run(tensor<int, $m, $n> x) tensor<int, $m, $n>:
    tensor<int, $m, $n> y = 0
    for i = 1:${m-1}:
        for j = 1:${n-1}:
            around = 0
            for k = -1:2:
                for l = -1:2:
                    around += x[i + k, j + l]
                end
            end
            around -= x[i, j]
            if around == 3 or (around == 2 and x[i, j] == 1):
                y[i, j] = 1
            end
        end
    end
    return y
end
""", c="""
#include <string.h>
void KERNEL(const int32_t *restrict x, int32_t *restrict result) {
    memset(result, 0, sizeof(int32_t) * $m * $n);
    for (int i = 1; i < ${m-1}; i++) {
        for (int j = 1; j < ${n-1}; j++) {
            int around = 0;
            for (int k = -1; k < 2; k++) {
                for (int l = -1; l < 2; l++) {
                    around += x[(i + k) * $n + j + l];
                }
            }
            around -= x[i * $n + j];
            if (around == 3 || (around == 2 && x[i * $n + j] == 1)) {
                result[i * $n + j] = 1;
            }
        }
    }
}
"""),
    Pattern("median_of_three", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    for i = 1:${n-1}:
        y[i] = max(min(x[i - 1], x[i]), min(max(x[i - 1], x[i]), x[i + 1]))
    end
    return y
end
""", c="""
#include <string.h>
static REAL least(REAL a, REAL b) { return a < b ? a : b; }
static REAL greatest(REAL a, REAL b) { return a > b ? a : b; }
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    memcpy(result, x, sizeof(REAL) * $n);
    for (int i = 1; i < ${n-1}; i++) {
        result[i] = greatest(least(x[i - 1], x[i]), least(greatest(x[i - 1], x[i]), x[i + 1]));
    }
}
"""),
    Pattern("trapezoids_by_loop", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> t, tensor<real, $n> y) real:
    area = 0.0
    for i = 1:$n:
        area += 0.5 * (t[i] - t[i - 1]) * (y[i] + y[i - 1])
    end
    return area
end
""", c="""
void KERNEL(const REAL *restrict t, const REAL *restrict y, REAL *restrict result) {
    REAL area = 0;
    for (int i = 1; i < $n; i++) {
        area += (REAL)0.5 * (t[i] - t[i - 1]) * (y[i] + y[i - 1]);
    }
    *result = area;
}
"""),
    Pattern("power_method", {"n": sizes(6, 40)}, tml="""
fn run(tensor<real, $n, $n> a) tensor<real, $n>:
    tensor<real, $n> v = 1.0
    for step = 0:10:
        tensor<real, $n> w = 0.0
        for i = 0:$n:
            for j = 0:$n:
                w[i] += a[i, j] * v[j]
            end
        end
        size = 0.0
        for i = 0:$n:
            size += w[i] * w[i]
        end
        for i = 0:$n:
            v[i] = w[i] / sqrt(size)
        end
    end
    return v
end
""", c="""
void KERNEL(const REAL *restrict a, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[i] = 1;
    }
    for (int step = 0; step < 10; step++) {
        REAL w[$n] = {0}, size = 0;
        for (int i = 0; i < $n; i++) {
            for (int j = 0; j < $n; j++) {
                w[i] += a[i * $n + j] * result[j];
            }
        }
        for (int i = 0; i < $n; i++) {
            size += w[i] * w[i];
        }
        for (int i = 0; i < $n; i++) {
            result[i] = w[i] / sqrt(size);
        }
    }
}
"""),
    Pattern("running_peak", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    peak = 0.0
    for i = 0:$n:
        peak = max(0.999 * peak, abs(x[i]))
        y[i] = peak
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL peak = 0;
    for (int i = 0; i < $n; i++) {
        REAL less = (REAL)0.999 * peak, now = x[i] < 0 ? -x[i] : x[i];
        peak = less > now ? less : now;
        result[i] = peak;
    }
}
"""),
    Pattern("argmax_loop", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) int:
    best = -inf
    at = 0
    for i = 0:$n:
        if x[i] > best:
            best = x[i]
            at = i
        end
    end
    return at
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    REAL best = -INFINITY;
    int at = 0;
    for (int i = 0; i < $n; i++) {
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    }
    *result = at;
}
"""),
    Pattern("first_above", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) int:
    for i = 0:$n:
        if x[i] > 0.999:
            return i
        end
    end
    return -1
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    *result = -1;
    for (int i = 0; i < $n; i++) {
        if (x[i] > (REAL)0.999) {
            *result = i;
            return;
        }
    }
}
"""),
    Pattern("quantised", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<int, $n>:
    tensor<int, $n> y = 0
    for i = 0:$n:
        y[i] = int(x[i] * 2048) + 3
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[i] = (int32_t)(x[i] * 2048) + 3;
    }
}
"""),
    Pattern("looked_up", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x, tensor<real, 16> table) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    for i = 0:$n:
        p = clamp((x[i] + 1) * 7, 0.0, 14.999)
        k = int(p)
        y[i] = table[k] + (p - k) * (table[k + 1] - table[k])
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict table, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL p = (x[i] + 1) * 7;
        p = p < 0 ? 0 : p > (REAL)14.999 ? (REAL)14.999 : p;
        int k = (int)p;
        result[i] = table[k] + (p - (REAL)k) * (table[k + 1] - table[k]);
    }
}
"""),
    Pattern("overlap_add", {"m": [5, 9, 31], "n": LENGTHS}, tml="""
fn run(tensor<real, $n> x, tensor<real, $m> w) tensor<real, ${n+m-1}>:
    tensor<real, ${n+m-1}> y = 0.0
    for k = 0:$m:
        y[k:k + $n] += w[k] * x
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict w, REAL *restrict result) {
    for (int i = 0; i < ${n+m-1}; i++) {
        result[i] = 0;
    }
    for (int k = 0; k < $m; k++) {
        for (int i = 0; i < $n; i++) {
            result[k + i] += w[k] * x[i];
        }
    }
}
"""),
    Pattern("complex_products", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n, 2> a, tensor<real, $n, 2> b) tensor<real, $n, 2>:
    tensor<real, $n, 2> y = 0.0
    for i = 0:$n:
        y[i, 0] = a[i, 0] * b[i, 0] - a[i, 1] * b[i, 1]
        y[i, 1] = a[i, 0] * b[i, 1] + a[i, 1] * b[i, 0]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict b, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        result[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        result[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
}
"""),
    Pattern("schmitt", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<bool, $n>:
    tensor<bool, $n> y = false
    on = false
    for i = 0:$n:
        if on:
            on = x[i] > 0.3
        else:
            on = x[i] > 0.7
        end
        y[i] = on
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, uint8_t *restrict result) {
    int on = 0;
    for (int i = 0; i < $n; i++) {
        on = on ? x[i] > (REAL)0.3 : x[i] > (REAL)0.7;
        result[i] = (uint8_t)on;
    }
}
"""),
    Pattern("past_filter", {"n": LENGTHS, "k": [4, 7, 16]}, tml="""
fn run(tensor<real, $n> x, tensor<real, $k> h) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    for i = 0:$n:
        s = 0.0
        for j = 0:min(i + 1, $k):
            s += h[j] * x[i - j]
        end
        y[i] = s
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict h, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL s = 0;
        for (int j = 0; j < (i + 1 < $k ? i + 1 : $k); j++) {
            s += h[j] * x[i - j];
        }
        result[i] = s;
    }
}
"""),
    Pattern("median_windows", {"n": [100, 200], "k": [3, 5, 7, 9]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    for i = ${k//2}:$n - ${k//2}:
        y[i] = sort(x[i - ${k//2}:i + ${k//2+1}])[${k//2}]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    memcpy(result, x, sizeof(REAL) * $n);
    for (int i = ${k//2}; i < $n - ${k//2}; i++) {
        REAL s[$k];
        memcpy(s, x + i - ${k//2}, sizeof(s));
        for (int k = 1; k < $k; k++) {
            REAL v = s[k];
            int j = k;
            for (; j > 0 && s[j - 1] > v; j--) {
                s[j] = s[j - 1];
            }
            s[j] = v;
        }
        result[i] = s[${k//2}];
    }
}
"""),
    Pattern("heat_line", {"n": [20, 64, 100]}, tml="""
fn run(tensor<real, $n> start) tensor<real, $n>:
    t = start
    for k = 0:50:
        next = t
        for i = 1:${n-1}:
            next[i] = t[i] + 0.1 * (t[i - 1] - 2 * t[i] + t[i + 1])
        end
        t = next
    end
    return t
end
""", c="""
void KERNEL(const REAL *restrict start, REAL *restrict result) {
    memcpy(result, start, sizeof(REAL) * $n);
    for (int k = 0; k < 50; k++) {
        REAL next[$n];
        memcpy(next, result, sizeof(next));
        for (int i = 1; i < $n - 1; i++) {
            next[i] = result[i] + (REAL)0.1 * (result[i - 1] - 2 * result[i] + result[i + 1]);
        }
        memcpy(result, next, sizeof(next));
    }
}
"""),
    Pattern("edit_distance", {"n": [20, 40]}, tml="""
fn run(tensor<real, $n> a, tensor<real, $n> b) int:
    tensor<int, ${n+1}, ${n+1}> d = 0
    for i = 0:$n + 1:
        d[i, 0] = i
        d[0, i] = i
    end
    for i = 1:$n + 1:
        for j = 1:$n + 1:
            cost = select(int(a[i - 1] * 4) == int(b[j - 1] * 4), 0, 1)
            d[i, j] = min(min(d[i - 1, j] + 1, d[i, j - 1] + 1), d[i - 1, j - 1] + cost)
        end
    end
    return d[$n, $n]
end
""", c="""
static int less(int a, int b) { return a < b ? a : b; }
void KERNEL(const REAL *restrict a, const REAL *restrict b, int32_t *restrict result) {
    int d[$n + 1][$n + 1];
    for (int i = 0; i <= $n; i++) {
        d[i][0] = d[0][i] = i;
    }
    for (int i = 1; i <= $n; i++) {
        for (int j = 1; j <= $n; j++) {
            int cost = (int)(a[i - 1] * 4) == (int)(b[j - 1] * 4) ? 0 : 1;
            d[i][j] = less(less(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
        }
    }
    *result = d[$n][$n];
}
"""),
]
