"""Products of matrices and vectors, of all sizes."""

from shapes import Pattern, sizes

PATTERNS = [
    Pattern("product", {"m": sizes(), "k": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $k> x, tensor<real, $k, $n> y) tensor<real, $m, $n>:
    return x .* y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    memset(result, 0, sizeof(REAL) * ${m*n});
    for (int i = 0; i < $m; i++) {
        for (int k = 0; k < $k; k++) {
            for (int j = 0; j < $n; j++) {
                result[i * $n + j] += x[i * $k + k] * y[k * $n + j];
            }
        }
    }
}
"""),
    Pattern("product_right_transposed", {"m": sizes(), "k": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $k> x, tensor<real, $n, $k> y) tensor<real, $m, $n>:
    return x .* y'
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            REAL sum = 0;
            for (int k = 0; k < $k; k++) {
                sum += x[i * $k + k] * y[j * $k + k];
            }
            result[i * $n + j] = sum;
        }
    }
}
"""),
    Pattern("product_left_transposed", {"m": sizes(), "k": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $k, $m> x, tensor<real, $k, $n> y) tensor<real, $m, $n>:
    return x' .* y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    memset(result, 0, sizeof(REAL) * ${m*n});
    for (int k = 0; k < $k; k++) {
        for (int i = 0; i < $m; i++) {
            for (int j = 0; j < $n; j++) {
                result[i * $n + j] += x[k * $m + i] * y[k * $n + j];
            }
        }
    }
}
"""),
    Pattern("product_loops", {"m": sizes(3, 33), "k": sizes(3, 33), "n": sizes(3, 33)}, tml="""
fn run(tensor<real, $m, $k> x, tensor<real, $k, $n> y) tensor<real, $m, $n>:
    tensor<real, $m, $n> z = 0.0
    for i = 0:$m:
        for j = 0:$n:
            sum = 0.0
            for k = 0:$k:
                sum += x[i, k] * y[k, j]
            end
            z[i, j] = sum
        end
    end
    return z
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict y, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            REAL sum = 0;
            for (int k = 0; k < $k; k++) {
                sum += x[i * $k + k] * y[k * $n + j];
            }
            result[i * $n + j] = sum;
        }
    }
}
"""),
    Pattern("matrix_vector", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> a, tensor<real, $n> x, tensor<real, $m> b) tensor<real, $m>:
    return a .* x + b
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, const REAL *restrict b,
            REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += a[i * $n + j] * x[j];
        }
        result[i] = sum + b[i];
    }
}
"""),
    Pattern("matrix_vector_loops", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> a, tensor<real, $n> x) tensor<real, $m>:
    tensor<real, $m> y = 0.0
    for i = 0:$m:
        for j = 0:$n:
            y[i] += a[i, j] * x[j]
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $m; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += a[i * $n + j] * x[j];
        }
        result[i] = sum;
    }
}
"""),
    Pattern("vector_matrix", {"m": sizes(), "n": sizes()}, tml="""
fn run(tensor<real, $m, $n> a, tensor<real, $m> x) tensor<real, $n>:
    return x .* a
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, REAL *restrict result) {
    for (int j = 0; j < $n; j++) {
        result[j] = 0;
    }
    for (int i = 0; i < $m; i++) {
        for (int j = 0; j < $n; j++) {
            result[j] += x[i] * a[i * $n + j];
        }
    }
}
"""),
    Pattern("quadratic_form", {"n": sizes(3, 63)}, data={"a": "dominant -1 1"}, tml="""
fn run(tensor<real, $n, $n> a, tensor<real, $n> x) real:
    return x .* a .* x
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, REAL *restrict result) {
    REAL form = 0;
    for (int i = 0; i < $n; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += a[i * $n + j] * x[j];
        }
        form += x[i] * sum;
    }
    *result = form;
}
"""),
    Pattern("covariance", {"m": sizes(16), "n": sizes(3, 33)}, tml="""
fn run(tensor<real, $m, $n> x) tensor<real, $n, $n>:
    centred = x - mean!(nest(x, 1))
    return centred' .* centred / ${m-1}
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL middle[$n] = {0}, centred[$m][$n];
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
            centred[i][j] = x[i * $n + j] - middle[j];
        }
    }
    memset(result, 0, sizeof(REAL) * ${n*n});
    for (int k = 0; k < $m; k++) {
        for (int i = 0; i < $n; i++) {
            for (int j = 0; j < $n; j++) {
                result[i * $n + j] += centred[k][i] * centred[k][j];
            }
        }
    }
    for (int i = 0; i < ${n*n}; i++) {
        result[i] /= ${m-1};
    }
}
"""),
    Pattern("cosine_transform", {"n": [8, 16, 32]}, tml="""
fn cosines() tensor<real, $n, $n>:
    return cos(3.141592653589793 / $n * (align(iota($n), 2, [0]) * (iota($n) + 0.5)))
end

fn run(tensor<real, $n> x) tensor<real, $n>:
    return x .* cosines()'
end
""", c="""
static REAL cosines[$n][$n];

__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < $n; i++) {
        for (int j = 0; j < $n; j++) {
            cosines[i][j] = cos((REAL)3.141592653589793 / $n * (i * (j + (REAL)0.5)));
        }
    }
}

void KERNEL(const REAL *restrict x, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL sum = 0;
        for (int j = 0; j < $n; j++) {
            sum += cosines[i][j] * x[j];
        }
        result[i] = sum;
    }
}
"""),
]
