"""Filters, controllers, models in state space."""

from shapes import LENGTHS, Pattern, sizes


def moving(name, lengths, tml, start, first, step, result):
    """What windows that move along come to; in C from `start`, by `step` from term `first` on."""
    return Pattern(f"moving_{name}", {"n": LENGTHS, "k": lengths}, tml=f"""
fn run(tensor<real, $n> x) tensor<real, ${{n-k+1}}>:
    tensor<real, ${{n-k+1}}> y = 0.0
    for i = 0:${{n-k+1}}:
        {tml}
    end
    return y
end
""", c=f"""
void KERNEL(const REAL *restrict x, REAL *restrict result) {{
    for (int i = 0; i < ${{n-k+1}}; i++) {{
        REAL value = {start};
        for (int j = {first}; j < $k; j++) {{
            value = {step};
        }}
        result[i] = {result};
    }}
}}
""")


PATTERNS = [
    Pattern("fir_windows", {"n": LENGTHS, "k": sizes(3, 63)}, tml="""
fn run(tensor<real, $n> x, tensor<real, $k> h) tensor<real, ${n-k+1}>:
    tensor<real, ${n-k+1}> y = 0.0
    for i = 0:${n-k+1}:
        y[i] = h .* x[i:i + $k]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict h, REAL *restrict result) {
    for (int i = 0; i < ${n-k+1}; i++) {
        REAL sum = 0;
        for (int j = 0; j < $k; j++) {
            sum += h[j] * x[i + j];
        }
        result[i] = sum;
    }
}
"""),
    Pattern("fir_slices", {"n": LENGTHS, "k": sizes(3, 63)}, tml="""
fn run(tensor<real, $n> x, tensor<real, $k> h) tensor<real, ${n-k+1}>:
    tensor<real, ${n-k+1}> y = 0.0
    for j = 0:$k:
        y += h[j] * x[j:j + ${n-k+1}]
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict h, REAL *restrict result) {
    for (int i = 0; i < ${n-k+1}; i++) {
        result[i] = 0;
    }
    for (int j = 0; j < $k; j++) {
        for (int i = 0; i < ${n-k+1}; i++) {
            result[i] += h[j] * x[i + j];
        }
    }
}
"""),
    moving("greatest", [3, 5, 9, 16, 31], "y[i] = max(x[i:i + $k])",
           "x[i]", 1, "x[i + j] > value ? x[i + j] : value", "value"),
    moving("rms", [5, 10, 16, 25, 50],
           "w = x[i:i + $k]\n        y[i] = sqrt(sum(w * w) / $k)",
           "0", 0, "value + x[i + j] * x[i + j]", "sqrt(value / $k)"),
    moving("average", [4, 8, 16], "y[i] = mean(x[i:i + $k])", "0", 0, "value + x[i + j]", "value / $k"),
    Pattern("lowpass_channels", {"n": sizes(16), "c": sizes()}, tml="""
fn run(tensor<real, $n, $c> x) tensor<real, $n, $c>:
    tensor<real, $n, $c> y = 0.0
    tensor<real, $c> z = 0.0
    for k = 0:$n:
        z = 0.9 * z + 0.1 * x[k, :]
        y[k, :] = z
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL z[$c] = {0};
    for (int k = 0; k < $n; k++) {
        for (int j = 0; j < $c; j++) {
            z[j] = (REAL)0.9 * z[j] + (REAL)0.1 * x[k * $c + j];
            result[k * $c + j] = z[j];
        }
    }
}
"""),
    Pattern("biquad", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    z1 = 0.0
    z2 = 0.0
    for k = 0:$n:
        v = 0.2 * x[k] + z1
        z1 = 0.3 * x[k] - 0.4 * v + z2
        z2 = 0.2 * x[k] - 0.1 * v
        y[k] = v
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    REAL z1 = 0, z2 = 0;
    for (int k = 0; k < $n; k++) {
        REAL v = (REAL)0.2 * x[k] + z1;
        z1 = (REAL)0.3 * x[k] - (REAL)0.4 * v + z2;
        z2 = (REAL)0.2 * x[k] - (REAL)0.1 * v;
        result[k] = v;
    }
}
"""),
    Pattern("rate_limit", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = x
    for i = 1:$n:
        y[i] = y[i - 1] + clamp(x[i] - y[i - 1], -0.1, 0.1)
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    const REAL limit = (REAL)0.1;
    result[0] = x[0];
    for (int i = 1; i < $n; i++) {
        REAL change = x[i] - result[i - 1];
        change = change < -limit ? -limit : change > limit ? limit : change;
        result[i] = result[i - 1] + change;
    }
}
"""),
    Pattern("hysteresis", {"n": LENGTHS}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    on = false
    for i = 0:$n:
        if x[i] > 0.7:
            on = true
        elseif x[i] < 0.3:
            on = false
        end
        if on:
            y[i] = 1.0
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict result) {
    int on = 0;
    for (int i = 0; i < $n; i++) {
        if (x[i] > (REAL)0.7) {
            on = 1;
        } else if (x[i] < (REAL)0.3) {
            on = 0;
        }
        result[i] = on ? 1 : 0;
    }
}
"""),
    Pattern("euler_steps", {"n": sizes(), "k": [20, 50]}, tml="""
fn run(tensor<real, $n, $n> a, tensor<real, $n> x) tensor<real, $n>:
    y = x
    for k = 0:$k:
        y += 0.01 * (a .* y)
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict a, const REAL *restrict x, REAL *restrict result) {
    REAL slope[$n];
    memcpy(result, x, sizeof(slope));
    for (int k = 0; k < $k; k++) {
        for (int i = 0; i < $n; i++) {
            REAL sum = 0;
            for (int j = 0; j < $n; j++) {
                sum += a[i * $n + j] * result[j];
            }
            slope[i] = sum;
        }
        for (int i = 0; i < $n; i++) {
            result[i] += (REAL)0.01 * slope[i];
        }
    }
}
"""),
    Pattern("runge_kutta", {"n": sizes(8)}, tml="""
fn slope(tensor<real, $n> y) tensor<real, $n>:
    return -0.5 * y + 0.1 * y * y
end

fn run(tensor<real, $n> start) tensor<real, $n>:
    y = start
    for k = 0:10:
        k1 = slope(y)
        k2 = slope(y + 0.05 * k1)
        k3 = slope(y + 0.05 * k2)
        k4 = slope(y + 0.1 * k3)
        y += 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    end
    return y
end
""", c="""
static REAL slope(REAL y) {
    return (REAL)-0.5 * y + (REAL)0.1 * y * y;
}

void KERNEL(const REAL *restrict start, REAL *restrict result) {
    for (int i = 0; i < $n; i++) {
        REAL y = start[i];
        for (int k = 0; k < 10; k++) {
            REAL k1 = slope(y);
            REAL k2 = slope(y + (REAL)0.05 * k1);
            REAL k3 = slope(y + (REAL)0.05 * k2);
            REAL k4 = slope(y + (REAL)0.1 * k3);
            y += (REAL)0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        result[i] = y;
    }
}
"""),
]
