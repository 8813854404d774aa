"""Reductions, statistics of rows and columns, running sums."""

from shapes import LENGTHS, Pattern, sizes

PATTERNS = [
    Pattern("sum_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m>:
    return sum(nest(x, 1))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += x[i * $n + j];
        }
        result[i] = sum;
    }
}
"""),
    Pattern("sum_columns", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $n>:
    return sum!(nest(x, 1))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int j = 0; j < $n; j++) {
        result[j] = 0;
    }
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[j] += x[i * $n + j];
        }
    }
}
"""),
    Pattern("sum_middle_loop", {"l": sizes(3, 24), "m": sizes(3, 33), "n": sizes(3, 64)}, tml="""
fn run(tensor<real, $l, $m, $n> x) tensor<real, $l, $n>:
    tensor<real, $l, $n> y = 0.0
    for i = 0:$l:
        for j = 0:$m:
            y[i, :] += x[i, j, :]
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $l; i++) {
        for (int k = 0; k < $n; k++) {
            result[i * $n + k] = 0;
        }
        for (int j = 0; j < $m; j++) {
            for (int k = 0; k < $n; k++) {
                result[i * $n + k] += x[(i * $m + j) * $n + k];
            }
        }
    }
}
"""),
    Pattern("max_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m>:
    return max(nest(abs(x), 1))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL most = fabs(x[i * $n]);
        for (int j = 1; j < $n; j++) {
            REAL size = fabs(x[i * $n + j]);
            most = size > most ? size : most;
        }
        result[i] = most;
    }
}
"""),
    Pattern("max_rows_loop", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m>:
    tensor<real, $m> y = 0.0
    for i = 0:$m:
        most = x[i, 0]
        for j = 1:$n:
            if x[i, j] > most:
                most = x[i, j]
            end
        end
        y[i] = most
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL most = x[i * $n];
        for (int j = 1; j < $n; j++) {
            if (x[i * $n + j] > most) {
                most = x[i * $n + j];
            }
        }
        result[i] = most;
    }
}
"""),
    Pattern("max_columns", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $n>:
    return max!(nest(x, 1))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int j = 0; j < $n; j++) {
        result[j] = x[j];
    }
    for (int i = 1; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[j] = x[i * $n + j] > result[j] ? x[i * $n + j] : result[j];
        }
    }
}
"""),
    Pattern("argmax_magnitude", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) int:
    return argmax(abs(x))
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    int at = 0;
    REAL most = fabs(x[0]);
    for (int i = 1; i < $n; i++) {
        REAL size = fabs(x[i]);
        if (size > most) {
            most = size;
            at = i;
        }
    }
    *result = at;
}
"""),
    Pattern("count_above", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) int:
    return sum(int(x > 0.5))
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    int count = 0;
    for (int i = 0; i < $n; i++) {
        count += x[i] > (REAL)0.5;
    }
    *result = count;
}
"""),
    Pattern("sum_above", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) real:
    return sum(select(x > 0.5, x, 0.0))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL sum = 0;
    for (int i = 0; i < $n; i++) {
        sum += x[i] > (REAL)0.5 ? x[i] : 0;
    }
    *result = sum;
}
"""),
    Pattern("zero_crossings", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) int:
    return sum(int(x[1:] * x[:${n-1}] < 0))
end
""", c="""
void KERNEL(const REAL *restrict x, int32_t *restrict result) {
    int count = 0;
    for (int i = 1; i < $n; i++) {
        count += x[i] * x[i - 1] < 0;
    }
    *result = count;
}
"""),
    Pattern("trapezoids", {"n": LENGTHS}, data={"y": "uniform 0 1", "x": "linear 0 1"}, tml="""
fn run(tensor<real, $n> x, tensor<real, $n> y) real:
    return 0.5 * sum((x[1:] - x[:${n-1}]) * (y[1:] + y[:${n-1}]))
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    REAL sum = 0;
    for (int i = 1; i < $n; i++) {
        sum += (x[i] - x[i - 1]) * (y[i] + y[i - 1]);
    }
    *result = (REAL)0.5 * sum;
}
"""),
    Pattern("variance", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) real:
    middle = mean(x)
    return mean((x - middle) * (x - middle))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL middle = 0, variance = 0;
    for (int i = 0; i < $n; i++) {
        middle += x[i];
    }
    middle /= $n;
    for (int i = 0; i < $n; i++) {
        variance += (x[i] - middle) * (x[i] - middle);
    }
    *result = variance / $n;
}
"""),
    Pattern("deviation_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x, tensor<real, $n> middle) tensor<real, $m>:
    return sum(nest(abs(x - middle), 1))
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict middle, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += fabs(x[i * $n + j] - middle[j]);
        }
        result[i] = sum;
    }
}
"""),
    Pattern("centre_columns", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    return x - mean!(nest(x, 1))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL middle[$n] = {0};
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            middle[j] += x[i * $n + j];
        }
    }
    for (int j = 0; j < $n; j++) {
        middle[j] /= $m;
    }
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[i * $n + j] = x[i * $n + j] - middle[j];
        }
    }
}
"""),
    Pattern("unit_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    rows = nest(x, 1)
    return unnest(rows / sqrt(sum(rows * rows)))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++, x += $n, result += $n) {
        REAL norm = 0;
        for (int j = 0; j < $n; j++) {
            norm += x[j] * x[j];
        }
        norm = sqrt(norm);
        for (int j = 0; j < $n; j++) {
            result[j] = x[j] / norm;
        }
    }
}
"""),
    Pattern("standard_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    rows = nest(x, 1)
    centred = rows - mean(rows)
    return unnest(centred / sqrt(mean(centred * centred)))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++, x += $n, result += $n) {
        REAL middle = 0, spread = 0;
        for (int j = 0; j < $n; j++) {
            middle += x[j];
        }
        middle /= $n;
        for (int j = 0; j < $n; j++) {
            spread += (x[j] - middle) * (x[j] - middle);
        }
        spread = sqrt(spread / $n);
        for (int j = 0; j < $n; j++) {
            result[j] = (x[j] - middle) / spread;
        }
    }
}
"""),
    Pattern("mean_groups", {"n": sizes(4, 127), "k": [2, 4, 8]}, tml="""
fn run(tensor<real, ${n*k}> x) tensor<real, $n>:
    return mean(nest(reshape(x, $n, $k), 1))
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL sum = 0;
        for (int j = 0; j < $k; j++) {
            sum += x[i * $k + j];
        }
        result[i] = sum / $k;
    }
}
"""),
    Pattern("running_sum_rows", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    return cumsum(x)
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += x[i * $n + j];
            result[i * $n + j] = sum;
        }
    }
}
"""),
    Pattern("running_sum_columns", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m, $n>:
    return cumsum(x')'
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int j = 0; j < $n; j++) {
        result[j] = x[j];
    }
    for (int i = 1; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[i * $n + j] = result[(i - 1) * $n + j] + x[i * $n + j];
        }
    }
}
"""),
]
