"""Loops that differ from element to element, or are triangular."""

from shapes import LENGTHS, Pattern, sizes

PATTERNS = [
    Pattern("forward_substitution", {"n": sizes(8, 64)}, tml="""
fn run(tensor<real, $n, $n> l, tensor<real, $n> b) tensor<real, $n>:
    y = b
    for i = 0:$n:
        for j = 0:i:
            y[i] -= l[i, j] * y[j]
        end
        y[i] /= l[i, i] + 2
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict l, const REAL *restrict b, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL rest = b[i];
        for (int j = 0; j < i; j++) {
            rest -= l[i * $n + j] * result[j];
        }
        result[i] = rest / (l[i * $n + i] + 2);
    }
}
"""),
    Pattern("potential", {"n": LENGTHS}, data={"mass": "uniform 0.1 1"}, tml="""
fn run(tensor<real, $n, 3> x, tensor<real, $n> mass, tensor<real, 3> at) tensor<real, 4>:
    tensor<real, 3> pull = 0.0
    energy = 0.0
    for i = 0:$n:
        way = x[i, :] - at
        square = way .* way + 0.01
        near = mass[i] / sqrt(square)
        energy -= near
        pull += near / square * way
    end
    return concat(0, pull, [energy])
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict mass, const REAL *restrict at,
            REAL *restrict result) {
    REAL pull[3] = {0, 0, 0}, energy = 0;
    for (int i = 0; i < $n; i++) {
        REAL way[3], square = 0;
        for (int k = 0; k < 3; k++) {
            way[k] = x[3 * i + k] - at[k];
            square += way[k] * way[k];
        }
        square += (REAL)0.01;
        REAL near = mass[i] / sqrt(square);
        energy -= near;
        for (int k = 0; k < 3; k++) {
            pull[k] += near / square * way[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        result[k] = pull[k];
    }
    result[3] = energy;
}
"""),
    Pattern("sums_where", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x, tensor<real, $n> y) tensor<real, 3>:
    above = 0.0
    below = 0.0
    weights = 0.0
    for i = 0:$n:
        if x[i] > y[i]:
            above += x[i] * y[i]
        else:
            below += x[i] / (2 + y[i])
        end
        weights += 1 / (1 + x[i] * x[i])
    end
    return [above, below, weights]
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    REAL above = 0, below = 0, weights = 0;
    for (int i = 0; i < $n; i++) {
        if (x[i] > y[i]) {
            above += x[i] * y[i];
        } else {
            below += x[i] / (2 + y[i]);
        }
        weights += 1 / (1 + x[i] * x[i]);
    }
    result[0] = above;
    result[1] = below;
    result[2] = weights;
}
"""),
    Pattern("gather", {"n": LENGTHS}, data={"at": "integers -10 ${n+10}"}, tml="""
fn run(tensor<real, $n> x, tensor<int, $n> at) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    for i = 0:$n:
        y[i] = x[clamp(at[i], 0, ${n-1})] * 2
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const int32_t *restrict at, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        int k = at[i] < 0 ? 0 : at[i] > ${n-1} ? ${n-1} : at[i];
        result[i] = x[k] * 2;
    }
}
"""),
    Pattern("interpolation", {"k": [16, 33, 100], "n": LENGTHS}, data={"x": "uniform -0.2 1.2"}, tml="""
fn run(tensor<real, $k> table, tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    for i = 0:$n:
        place = clamp(x[i], 0, 1) * ${k-1}
        j = min(int(place), ${k-2})
        part = place - j
        y[i] = table[j] + part * (table[j + 1] - table[j])
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict table, const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL place = (x[i] < 0 ? 0 : x[i] > 1 ? 1 : x[i]) * ${k-1};
        int j = (int)place < ${k-2} ? (int)place : ${k-2};
        REAL part = place - j;
        result[i] = table[j] + part * (table[j + 1] - table[j]);
    }
}
"""),
    Pattern("pair_distances", {"m": sizes(), "n": sizes(), "d": [2, 3]}, tml="""
fn run(tensor<real, $m, $d> x, tensor<real, $n, $d> y) tensor<real, $m, $n>:
    tensor<real, $m, $n> distances = 0.0
    for i = 0:$m:
        for j = 0:$n:
            way = x[i, :] - y[j, :]
            distances[i, j] = sqrt(sum(way * way))
        end
    end
    return distances
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            REAL sum = 0;
            for (int k = 0; k < $d; k++) {
                REAL way = x[i * $d + k] - y[j * $d + k];
                sum += way * way;
            }
            result[i * $n + j] = sqrt(sum);
        }
    }
}
"""),
    # Two points may be as near as one another but for rounding.
    Pattern("nearest_point", {"m": sizes(), "n": sizes(), "d": [2, 3]}, strays=0.01, tml="""
fn run(tensor<real, $m, $d> x, tensor<real, $n, $d> points) tensor<int, $m>:
    tensor<int, $m> nearest = 0
    for i = 0:$m:
        least = 1e30
        for j = 0:$n:
            way = x[i, :] - points[j, :]
            square = sum(way * way)
            if square < least:
                least = square
                nearest[i] = j
            end
        end
    end
    return nearest
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict points, int32_t *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL least = (REAL)1e30;
        int nearest = 0;
        for (int j = 0; j < $n; j++) {
            REAL square = 0;
            for (int k = 0; k < $d; k++) {
                REAL way = x[i * $d + k] - points[j * $d + k];
                square += way * way;
            }
            if (square < least) {
                least = square;
                nearest = j;
            }
        }
        result[i] = nearest;
    }
}
"""),
    Pattern("variation_of_rows_loop", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $m>:
    tensor<real, $m> y = 0.0
    for i = 0:$m:
        for j = 1:$n:
            y[i] += abs(x[i, j] - x[i, j - 1])
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL sum = 0;
        for (int j = 1; j < $n; j++) {
            sum += fabs(x[i * $n + j] - x[i * $n + j - 1]);
        }
        result[i] = sum;
    }
}
"""),
]
