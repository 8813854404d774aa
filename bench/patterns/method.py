"""Methods of numerical textbooks, written as loops."""

from shapes import Pattern

PATTERNS = [
    Pattern("lu_loops", {"n": [4, 8, 16]}, tml="""
fn run(tensor<real, $n, $n> x) tensor<real, $n, $n>:
    a = x
    for i = 0:$n:
        a[i, i] += 10.0
    end
    for k = 0:$n:
        for i = k + 1:$n:
            a[i, k] /= a[k, k]
            for j = k + 1:$n:
                a[i, j] -= a[i, k] * a[k, j]
            end
        end
    end
    return a
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict x, REAL *restrict a) {
    memcpy(a, x, sizeof(REAL) * $n * $n);
    for (int i = 0; i < $n; i++) a[i * $n + i] += 10;
    for (int k = 0; k < $n; k++)
        for (int i = k + 1; i < $n; i++) {
            a[i * $n + k] /= a[k * $n + k];
            for (int j = k + 1; j < $n; j++) a[i * $n + j] -= a[i * $n + k] * a[k * $n + j];
        }
}
"""),
    Pattern("cholesky_loops", {"n": [4, 8, 20]}, tml="""
fn run(tensor<real, $n, $n> x) tensor<real, $n, $n>:
    tensor<real, $n, $n> l = 0.0
    for i = 0:$n:
        for j = 0:i + 1:
            s = x[i, j]
            if i == j:
                s += 20.0
            end
            for k = 0:j:
                s -= l[i, k] * l[j, k]
            end
            if i == j:
                l[i, j] = sqrt(s)
            else:
                l[i, j] = s / l[j, j]
            end
        end
    end
    return l
end
""", c="""
#include <math.h>
void KERNEL(const REAL *restrict x, REAL *restrict l) {
    for (int i = 0; i < $n * $n; i++) l[i] = 0;
    for (int i = 0; i < $n; i++)
        for (int j = 0; j < i + 1; j++) {
            REAL s = x[i * $n + j];
            if (i == j) s += 20;
            for (int k = 0; k < j; k++) s -= l[i * $n + k] * l[j * $n + k];
            if (i == j) l[i * $n + j] = (REAL)sqrt(s);
            else l[i * $n + j] = s / l[j * $n + j];
        }
}
"""),
    Pattern("pivoted_solve", {"n": [3, 5, 8, 16]}, tml="""
fn run(tensor<real, $n, $n> a0, tensor<real, $n> b0) tensor<real, $n>:
    a = a0
    b = b0
    for k = 0:$n:
        p = k
        for i = k + 1:$n:
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
            end
        end
        row = a[k, :]
        a[k, :] = a[p, :]
        a[p, :] = row
        s = b[k]
        b[k] = b[p]
        b[p] = s
        for i = k + 1:$n:
            f = a[i, k] / a[k, k]
            for j = k:$n:
                a[i, j] -= f * a[k, j]
            end
            b[i] -= f * b[k]
        end
    end
    for k = $n - 1:-1:-1:
        s = b[k]
        for j = k + 1:$n:
            s -= a[k, j] * b[j]
        end
        b[k] = s / a[k, k]
    end
    return b
end
""", c="""
#include <string.h>
#include <math.h>
void KERNEL(const REAL *restrict a0, const REAL *restrict b0, REAL *restrict b) {
    REAL a[$n][$n];
    memcpy(a, a0, sizeof(a));
    memcpy(b, b0, sizeof(REAL) * $n);
    for (int k = 0; k < $n; k++) {
        int p = k;
        for (int i = k + 1; i < $n; i++) if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        for (int j = 0; j < $n; j++) { REAL t = a[k][j]; a[k][j] = a[p][j]; a[p][j] = t; }
        REAL t = b[k]; b[k] = b[p]; b[p] = t;
        for (int i = k + 1; i < $n; i++) {
            REAL f = a[i][k] / a[k][k];
            for (int j = k; j < $n; j++) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = $n - 1; k >= 0; k--) {
        REAL s = b[k];
        for (int j = k + 1; j < $n; j++) s -= a[k][j] * b[j];
        b[k] = s / a[k][k];
    }
}
"""),
    Pattern("thomas", {"n": [8, 64, 200]}, tml="""
fn run(tensor<real, $n> low, tensor<real, $n> up, tensor<real, $n> d) tensor<real, $n>:
    tensor<real, $n> c = 0.0
    tensor<real, $n> x = 0.0
    c[0] = up[0] / 4.0
    x[0] = d[0] / 4.0
    for i = 1:$n:
        m = 4.0 - low[i] * c[i - 1]
        c[i] = up[i] / m
        x[i] = (d[i] - low[i] * x[i - 1]) / m
    end
    for i = ${n-2}:-1:-1:
        x[i] -= c[i] * x[i + 1]
    end
    return x
end
""", c="""
void KERNEL(const REAL *restrict low, const REAL *restrict up, const REAL *restrict d, REAL *restrict x) {
    REAL c[$n];
    c[0] = up[0] / 4;
    x[0] = d[0] / 4;
    for (int i = 1; i < $n; i++) {
        REAL m = 4 - low[i] * c[i - 1];
        c[i] = up[i] / m;
        x[i] = (d[i] - low[i] * x[i - 1]) / m;
    }
    for (int i = $n - 2; i >= 0; i--) x[i] -= c[i] * x[i + 1];
}
"""),
    Pattern("gram_schmidt", {"n": [16], "k": [3, 4]}, tml="""
fn run(tensor<real, $n, $k> x) tensor<real, $n, $k>:
    q = x
    for j = 0:$k:
        for p = 0:j:
            d = 0.0
            for i = 0:$n:
                d += q[i, p] * q[i, j]
            end
            for i = 0:$n:
                q[i, j] -= d * q[i, p]
            end
        end
        s = 0.0
        for i = 0:$n:
            s += q[i, j] * q[i, j]
        end
        s = 1.0 / sqrt(s)
        for i = 0:$n:
            q[i, j] *= s
        end
    end
    return q
end
""", c="""
#include <string.h>
#include <math.h>
void KERNEL(const REAL *restrict x, REAL *restrict q) {
    memcpy(q, x, sizeof(REAL) * $n * $k);
    for (int j = 0; j < $k; j++) {
        for (int p = 0; p < j; p++) {
            REAL d = 0;
            for (int i = 0; i < $n; i++) d += q[i * $k + p] * q[i * $k + j];
            for (int i = 0; i < $n; i++) q[i * $k + j] -= d * q[i * $k + p];
        }
        REAL s = 0;
        for (int i = 0; i < $n; i++) s += q[i * $k + j] * q[i * $k + j];
        s = 1 / (REAL)sqrt(s);
        for (int i = 0; i < $n; i++) q[i * $k + j] *= s;
    }
}
"""),
    Pattern("lagrange", {"n": [50], "k": [4, 6]}, tml="""
fn run(tensor<real, $n> at, tensor<real, $k> y) tensor<real, $n>:
    tensor<real, $n> r = 0.0
    for i = 0:$n:
        for j = 0:$k:
            w = y[j]
            for k = 0:$k:
                if k != j:
                    w *= (at[i] - k) / (j - k)
                end
            end
            r[i] += w
        end
    end
    return r
end
""", c="""
void KERNEL(const REAL *restrict at, const REAL *restrict y, REAL *restrict r) {
    for (int i = 0; i < $n; i++) {
        REAL s = 0;
        for (int j = 0; j < $k; j++) {
            REAL w = y[j];
            for (int k = 0; k < $k; k++) if (k != j) w *= (at[i] - k) / (REAL)(j - k);
            s += w;
        }
        r[i] = s;
    }
}
"""),
    Pattern("horner", {"n": [200], "k": [5, 12]}, tml="""
fn run(tensor<real, $n> x, tensor<real, $k> c) tensor<real, $n>:
    tensor<real, $n> y = 0.0
    for i = 0:$n:
        for k = ${k-1}:-1:-1:
            y[i] = y[i] * x[i] + c[k]
        end
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, const REAL *restrict c, REAL *restrict y) {
    for (int i = 0; i < $n; i++) {
        y[i] = 0;
        for (int k = $k - 1; k >= 0; k--) y[i] = y[i] * x[i] + c[k];
    }
}
"""),
    Pattern("newton_sqrt", {"n": [100]}, tml="""
fn run(tensor<real, $n> x) tensor<real, $n>:
    y = abs(x) + 1.0
    for i = 0:$n:
        g = y[i]
        for k = 0:6:
            g = 0.5 * (g + y[i] / g)
        end
        y[i] = g
    end
    return y
end
""", c="""
void KERNEL(const REAL *restrict x, REAL *restrict y) {
    for (int i = 0; i < $n; i++) {
        REAL v = (x[i] < 0 ? -x[i] : x[i]) + 1, g = v;
        for (int k = 0; k < 6; k++) g = (REAL)0.5 * (g + v / g);
        y[i] = g;
    }
}
"""),
    Pattern("lorenz", {"n": [100]}, tml="""
fn slope(tensor<real, 3> s) tensor<real, 3>:
    return [10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3.0 * s[2]]
end
fn run(tensor<real, 3> start) tensor<real, 3>:
    s = start
    h = 0.001
    for i = 0:$n:
        k1 = slope(s)
        k2 = slope(s + 0.5 * h * k1)
        k3 = slope(s + 0.5 * h * k2)
        k4 = slope(s + h * k3)
        s += h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
    end
    return s
end
""", c="""
static void slope(const REAL *s, REAL *d) {
    d[0] = 10 * (s[1] - s[0]);
    d[1] = s[0] * (28 - s[2]) - s[1];
    d[2] = s[0] * s[1] - (REAL)(8.0 / 3.0) * s[2];
}
void KERNEL(const REAL *restrict start, REAL *restrict s) {
    REAL h = (REAL)0.001, k1[3], k2[3], k3[3], k4[3], at[3];
    for (int i = 0; i < 3; i++) s[i] = start[i];
    for (int t = 0; t < $n; t++) {
        slope(s, k1);
        for (int i = 0; i < 3; i++) at[i] = s[i] + (REAL)0.5 * h * k1[i];
        slope(at, k2);
        for (int i = 0; i < 3; i++) at[i] = s[i] + (REAL)0.5 * h * k2[i];
        slope(at, k3);
        for (int i = 0; i < 3; i++) at[i] = s[i] + h * k3[i];
        slope(at, k4);
        for (int i = 0; i < 3; i++) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
}
"""),
    Pattern("seir_rk4", {"n": [100]}, tml="""
fn slope(tensor<real, 4> s) tensor<real, 4>:
    infect = 0.5 * s[0] * s[2]
    return [-infect, infect - 0.2 * s[1], 0.2 * s[1] - 0.1 * s[2], 0.1 * s[2]]
end
fn run(tensor<real, 4> start) tensor<real, 4>:
    s = start
    h = 0.1
    for i = 0:$n:
        k1 = slope(s)
        k2 = slope(s + 0.5 * h * k1)
        k3 = slope(s + 0.5 * h * k2)
        k4 = slope(s + h * k3)
        s += h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
    end
    return s
end
""", c="""
static void slope(const REAL *s, REAL *d) {
    REAL infect = (REAL)0.5 * s[0] * s[2];
    d[0] = -infect;
    d[1] = infect - (REAL)0.2 * s[1];
    d[2] = (REAL)0.2 * s[1] - (REAL)0.1 * s[2];
    d[3] = (REAL)0.1 * s[2];
}
void KERNEL(const REAL *restrict start, REAL *restrict s) {
    REAL h = (REAL)0.1, k1[4], k2[4], k3[4], k4[4], at[4];
    for (int i = 0; i < 4; i++) s[i] = start[i];
    for (int t = 0; t < $n; t++) {
        slope(s, k1);
        for (int i = 0; i < 4; i++) at[i] = s[i] + (REAL)0.5 * h * k1[i];
        slope(at, k2);
        for (int i = 0; i < 4; i++) at[i] = s[i] + (REAL)0.5 * h * k2[i];
        slope(at, k3);
        for (int i = 0; i < 4; i++) at[i] = s[i] + h * k3[i];
        slope(at, k4);
        for (int i = 0; i < 4; i++) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
}
"""),
    Pattern("quaternion_steps", {"n": [100]}, tml="""
fn run(tensor<real, $n, 3> rate, tensor<real, 4> start) tensor<real, 4>:
    q = start
    for t = 0:$n:
        w = rate[t, :]
        dq = 0.5 * [-q[1] * w[0] - q[2] * w[1] - q[3] * w[2],
                    q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
                    q[0] * w[1] - q[1] * w[2] + q[3] * w[0],
                    q[0] * w[2] + q[1] * w[1] - q[2] * w[0]]
        q += 0.01 * dq
        q /= sqrt(sum(q * q))
    end
    return q
end
""", c="""
#include <math.h>
void KERNEL(const REAL *restrict rate, const REAL *restrict start, REAL *restrict q) {
    for (int i = 0; i < 4; i++) q[i] = start[i];
    for (int t = 0; t < $n; t++) {
        const REAL *w = rate + 3 * t;
        REAL d[4] = {-q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
                     q[0] * w[1] - q[1] * w[2] + q[3] * w[0], q[0] * w[2] + q[1] * w[1] - q[2] * w[0]};
        REAL s = 0;
        for (int i = 0; i < 4; i++) q[i] += (REAL)0.01 * ((REAL)0.5 * d[i]);
        for (int i = 0; i < 4; i++) s += q[i] * q[i];
        s = (REAL)sqrt(s);
        for (int i = 0; i < 4; i++) q[i] /= s;
    }
}
"""),
    Pattern("matrix_exp", {"n": [2, 3, 4, 6]}, tml="""
fn run(tensor<real, $n, $n> a) tensor<real, $n, $n>:
    e = eye($n) + 0.0 * a
    term = e
    for k = 1:12:
        term = term .* a / k
        e += term
    end
    return e
end
""", c="""
void KERNEL(const REAL *restrict a, REAL *restrict e) {
    REAL term[$n][$n], next[$n][$n];
    for (int i = 0; i < $n; i++) for (int j = 0; j < $n; j++) term[i][j] = e[i * $n + j] = (i == j);
    for (int k = 1; k < 12; k++) {
        for (int i = 0; i < $n; i++)
            for (int j = 0; j < $n; j++) {
                REAL s = 0;
                for (int p = 0; p < $n; p++) s += term[i][p] * a[p * $n + j];
                next[i][j] = s / k;
            }
        for (int i = 0; i < $n; i++)
            for (int j = 0; j < $n; j++) {
                term[i][j] = next[i][j];
                e[i * $n + j] += next[i][j];
            }
    }
}
"""),
    Pattern("levinson_loops", {"n": [8, 16, 32]}, tml="""
fn run(tensor<real, $n> r0) tensor<real, $n>:
    r = r0
    r[0] = 4.0
    tensor<real, $n> a = 0.0
    a[0] = 1.0
    e = r[0]
    for i = 1:$n:
        s = 0.0
        for j = 0:i:
            s += a[j] * r[i - j]
        end
        k = -s / e
        old = a
        for j = 1:i + 1:
            a[j] = old[j] + k * old[i - j]
        end
        e *= 1.0 - k * k
    end
    return a
end
""", c="""
#include <string.h>
void KERNEL(const REAL *restrict r0, REAL *restrict a) {
    REAL r[$n], old[$n];
    memcpy(r, r0, sizeof(r));
    r[0] = 4;
    for (int i = 0; i < $n; i++) a[i] = 0;
    a[0] = 1;
    REAL e = r[0];
    for (int i = 1; i < $n; i++) {
        REAL s = 0;
        for (int j = 0; j < i; j++) s += a[j] * r[i - j];
        REAL k = -s / e;
        memcpy(old, a, sizeof(old));
        for (int j = 1; j <= i; j++) a[j] = old[j] + k * old[i - j];
        e *= 1 - k * k;
    }
}
"""),
]
