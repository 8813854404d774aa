"""Neighbours in a grid."""

from shapes import LENGTHS, Pattern, sizes

EVEN = [size // 2 * 2 for size in sizes(4, 64)]
# Of both writings.
CONVOLUTION = """
void KERNEL(const REAL *restrict x, const REAL *restrict h, REAL *restrict result) {
    for (int i = 0; i < ${m-k+1}; i++) {
        for (int j = 0; j < ${n-k+1}; j++) {
            REAL sum = 0;
            for (int a = 0; a < $k; a++) {
                for (int b = 0; b < $k; b++) {
                    sum += h[a * $k + b] * x[(i + a) * $n + j + b];
                }
            }
            result[i * ${n-k+1} + j] = sum;
        }
    }
}
"""
PATTERNS = [
    Pattern("smooth_slices", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    y[1:${n-1}] = 0.25 * x[:${n-2}] + 0.5 * x[1:${n-1}] + 0.25 * x[2:]
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    result[0] = x[0];
    result[${n-1}] = x[${n-1}];
    for (int i = 1; i < ${n-1}; i++) {
        result[i] = (REAL)0.25 * x[i - 1] + (REAL)0.5 * x[i] + (REAL)0.25 * x[i + 1];
    }
}
"""),
    Pattern("smooth_loops", {"m": sizes(5), "n": sizes(5)}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    y = x
    for i = 1:${m-1}:
        for j = 1:${n-1}:
            y[i, j] = 0.2 * (x[i, j] + x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    memcpy(result, x, sizeof(REAL) * ${m*n});
    for (int i = 1; i < ${m-1}; i++) {
        for (int j = 1; j < ${n-1}; j++) {
            const REAL *c = x + i * $n + j;
            result[i * $n + j] = (REAL)0.2 * (*c + c[-$n] + c[$n] + c[-1] + c[1]);
        }
    }
}
"""),
    Pattern("gradient_slices", {"m": sizes(5), "n": sizes(5)}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, ${m-1}, ${n-1}>:
    dx = x[:${m-1}, 1:] - x[:${m-1}, :${n-1}]
    dy = x[1:, :${n-1}] - x[:${m-1}, :${n-1}]
    return sqrt(dx * dx + dy * dy)
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < ${m-1}; i++) {
        for (int j = 0; j < ${n-1}; j++) {
            REAL dx = x[i * $n + j + 1] - x[i * $n + j];
            REAL dy = x[(i + 1) * $n + j] - x[i * $n + j];
            result[i * ${n-1} + j] = sqrt(dx * dx + dy * dy);
        }
    }
}
"""),
    Pattern("second_difference", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, ${n-2}>:
    return x[2:] - 2 * x[1:${n-1}] + x[:${n-2}]
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < ${n-2}; i++) {
        result[i] = x[i + 2] - 2 * x[i + 1] + x[i];
    }
}
"""),
    Pattern("convolution_slices", {"m": sizes(8), "n": sizes(8), "k": [3, 5]}, tml="""
fn run(tensor<real, $m, $n> x, tensor<real, $k, $k> h) tensor<real, ${m-k+1}, ${n-k+1}>:
    tensor<real, ${m-k+1}, ${n-k+1}> y = 0.0
    for a = 0:$k:
        for b = 0:$k:
            y += h[a, b] * x[a:a + ${m-k+1}, b:b + ${n-k+1}]
        end
    end
    return y
end
""", c=CONVOLUTION),
    Pattern("convolution_loops", {"m": sizes(8), "n": sizes(8), "k": [3, 5]}, tml="""
fn run(tensor<real, $m, $n> x, tensor<real, $k, $k> h) tensor<real, ${m-k+1}, ${n-k+1}>:
    tensor<real, ${m-k+1}, ${n-k+1}> y = 0.0
    for i = 0:${m-k+1}:
        for j = 0:${n-k+1}:
            for a = 0:$k:
                for b = 0:$k:
                    y[i, j] += h[a, b] * x[i + a, j + b]
                end
            end
        end
    end
    return y
end
""", c=CONVOLUTION),
    Pattern("box_filter", {"m": sizes(8, 64), "n": sizes(8, 64), "k": [2, 3, 5, 7]}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, ${m-k+1}, ${n-k+1}>:
    tensor<real, ${m-k+1}, ${n-k+1}> y = 0.0
    for i = 0:${m-k+1}:
        for j = 0:${n-k+1}:
            y[i, j] = mean(x[i:i + $k, j:j + $k])
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < ${m-k+1}; i++) {
        for (int j = 0; j < ${n-k+1}; j++) {
            REAL sum = 0;
            for (int p = 0; p < $k; p++) {
                for (int q = 0; q < $k; q++) {
                    sum += x[(i + p) * $n + j + q];
                }
            }
            result[i * ${n-k+1} + j] = sum / ${k*k};
        }
    }
}
"""),
    Pattern("max_pooling", {"m": EVEN, "n": EVEN}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, ${m//2}, ${n//2}>:
    left = max(x[0:$m:2, 0:$n:2], x[1:$m:2, 0:$n:2])
    right = max(x[0:$m:2, 1:$n:2], x[1:$m:2, 1:$n:2])
    return max(left, right)
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < ${m//2}; i++) {
        for (int j = 0; j < ${n//2}; j++) {
            const REAL *c = x + 2 * i * $n + 2 * j;
            REAL left = c[0] > c[$n] ? c[0] : c[$n];
            REAL right = c[1] > c[${n+1}] ? c[1] : c[${n+1}];
            result[i * ${n//2} + j] = left > right ? left : right;
        }
    }
}
"""),
    Pattern("jacobi", {"m": sizes(8, 64), "n": sizes(8, 64)}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    y = x
    for k = 0:10:
        z = y
        y[1:${m-1}, 1:${n-1}] = 0.25 * (z[:${m-2}, 1:${n-1}] + z[2:, 1:${n-1}]
            + z[1:${m-1}, :${n-2}] + z[1:${m-1}, 2:])
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    static REAL first[${m*n}], second[${m*n}];
    memcpy(first, x, sizeof(first));
    memcpy(second, x, sizeof(second));
    REAL *now = first, *next = second;
    for (int k = 0; k < 10; k++) {
        for (int i = 1; i < ${m-1}; i++) {
            for (int j = 1; j < ${n-1}; j++) {
                const REAL *c = now + i * $n + j;
                next[i * $n + j] = (REAL)0.25 * (c[-$n] + c[$n] + c[-1] + c[1]);
            }
        }
        REAL *other = now;
        now = next;
        next = other;
    }
    memcpy(result, now, sizeof(first));
}
"""),
    Pattern("wave", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> place, tensor<real, $n> speed) tensor<real, $n>:
    u = place
    v = speed
    for k = 0:20:
        v[1:${n-1}] += 0.1 * (u[:${n-2}] - 2 * u[1:${n-1}] + u[2:])
        u += 0.1 * v
    end
    return u
end
""", c="""
void KERNEL(const REAL *restrict place, const REAL *restrict speed, REAL *restrict result) {
    static REAL v[$n];
    memcpy(result, place, sizeof(v));
    memcpy(v, speed, sizeof(v));
    for (int k = 0; k < 20; k++) {
        for (int i = 1; i < ${n-1}; i++) {
            v[i] += (REAL)0.1 * (result[i - 1] - 2 * result[i] + result[i + 1]);
        }
        for (int i = 0; i < $n; i++) {
            result[i] += (REAL)0.1 * v[i];
        }
    }
}
"""),
    Pattern("window_with_edges", {"n": LENGTHS, "k": [2, 3, 8]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    for i = 0:$n:
        s = 0.0
        for j = max(i - $k, 0):min(i + ${k+1}, $n):
            s += x[j]
        end
        y[i] = s / ${k*2+1}
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        int first = i - $k < 0 ? 0 : i - $k, end = i + ${k+1} > $n ? $n : i + ${k+1};
        REAL s = 0;
        for (int j = first; j < end; j++) {
            s += x[j];
        }
        result[i] = s / ${k*2+1};
    }
}
"""),
    Pattern("edges_repeated", {"m": sizes(12, 64), "n": sizes(12, 64)}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    y = x
    for i = 0:$m:
        for j = 0:$n:
            y[i, j] = x[max(i - 1, 0), j] + x[min(i + 1, ${m-1}), j] + x[i, max(j - 1, 0)] + x[i, min(j + 1, ${n-1})] - 4.0 * x[i, j]
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        int up = i > 0 ? i - 1 : 0, down = i < ${m-1} ? i + 1 : ${m-1};
        for (int j = 0; j < $n; j++) {
            int left = j > 0 ? j - 1 : 0, right = j < ${n-1} ? j + 1 : ${n-1};
            result[i * $n + j] = x[up * $n + j] + x[down * $n + j] + x[i * $n + left] + x[i * $n + right]
                                 - 4 * x[i * $n + j];
        }
    }
}
"""),
    Pattern("convolution_same", {"m": sizes(12, 64), "n": sizes(12, 64)}, tml="""
fn run(tensor<real, $m, $n> x, tensor<real, 3, 3> h) tensor<real, $m, $n>:
    tensor<real, $m, $n> y = 0.0
    for i = 0:$m:
        for j = 0:$n:
            s = 0.0
            for a = 0:3:
                for b = 0:3:
                    p = i + a - 1
                    q = j + b - 1
                    if p >= 0 and p < $m and q >= 0 and q < $n:
                        s += h[a, b] * x[p, q]
                    end
                end
            end
            y[i, j] = s
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict h, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            REAL s = 0;
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++) {
                    int p = i + a - 1, q = j + b - 1;
                    if (p >= 0 && p < $m && q >= 0 && q < $n) {
                        s += h[a * 3 + b] * x[p * $n + q];
                    }
                }
            }
            result[i * $n + j] = s;
        }
    }
}
"""),
    Pattern("life_periodic", {"m": sizes(12, 64), "n": sizes(12, 64)}, tml="""
fn run(tensor<real, $m, $n> seed) tensor<int, $m, $n>:
    x = tensor<int, $m, $n>(seed > 0.0)
    tensor<int, $m, $n> y = 0
    for i = 0:$m:
        for j = 0:$n:
            s = 0
            for a = -1:2:
                for b = -1:2:
                    if a != 0 or b != 0:
                        s += x[(i + a + $m) % $m, (j + b + $n) % $n]
                    end
                end
            end
            y[i, j] = select(s == 3 or (s == 2 and x[i, j] == 1), 1, 0)
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict seed, int32_t *restrict result) {
    static int32_t x[${m*n}];
    for (int i = 0; i < ${m*n}; i++) {
        x[i] = seed[i] > 0;
    }
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            int s = 0;
            for (int a = -1; a < 2; a++) {
                for (int b = -1; b < 2; b++) {
                    if (a != 0 || b != 0) {
                        s += x[(i + a + $m) % $m * $n + (j + b + $n) % $n];
                    }
                }
            }
            result[i * $n + j] = s == 3 || (s == 2 && x[i * $n + j] == 1);
        }
    }
}
"""),
]
