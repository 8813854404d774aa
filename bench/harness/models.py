"""Models of any length, in TML and in C that computes the same: what compile.py compiles.

A model is a component made of blocks of five kinds, 20 lines each, which differ in their numbers. In
the C, state and terminals are structs as in the header that tmlc makes.
"""

BLOCK_LINES = 20

TML = [
    # A second-order filter of eight channels.
    """
tensor<real, 8> z1_{i} = 0.0
tensor<real, 8> z2_{i} = 0.0
tensor<real, 5> sos_{i} = [0.2{i}, 0.4, 0.2, -0.3, 0.1{i}]

fn filter_{i}(tensor<real, 8> x) tensor<real, 8>:
    y = sos_{i}[0] * x + z1_{i}
    z1_{i} = sos_{i}[1] * x - sos_{i}[3] * y + z2_{i}
    z2_{i} = sos_{i}[2] * x - sos_{i}[4] * y
    return y
end

fn work_{i}(tensor<real, 8> x) real:
    y = filter_{i}(x)
    smooth = 0.5 * y + 0.25 * x
    low = min(smooth)
    high = max(smooth)
    return clamp(high - low, 0.0, 10.{i})
end
""",
    # A prediction of four states and their covariance.
    """
tensor<real, 4> x_{i} = 0.1
tensor<real, 4, 4> p_{i} = eye(4)
tensor<real, 4, 4> f_{i} = [
    0.9, 0.1, 0.0, 0.{i};
    0.0, 0.8, 0.1, 0.0;
    0.1, 0.0, 0.7, 0.1;
    0.0, 0.2, 0.0, 0.6]

fn work_{i}(tensor<real, 8> x) real:
    x_{i} = f_{i} .* x_{i} + x[0:4]
    p_{i} = f_{i} .* p_{i} .* f_{i}' + 0.0{i} * eye(4)
    gain = p_{i}[:, 0] / (p_{i}[0, 0] + 0.5)
    x_{i} += gain * (x[4] - x_{i}[0])
    for k = 0:4:
        p_{i}[k, :] -= gain[k] * p_{i}[0, :]
    end
    return sum(x_{i} * x_{i})
end
""",
    # A table, and steps until something holds.
    """
tensor<real, 8> knots_{i} = [0.0, 0.1, 0.2, 0.4, 0.5, 0.7, 0.9, 1.{i}]
tensor<real, 8> values_{i} = [1.0, 0.9, 0.7, 0.6, 0.4, 0.3, 0.2, 0.{i}]

fn found_{i}(real x) int:
    k = 0
    while k < 6 and knots_{i}[k + 1] < x:
        k += 1
    end
    return k
end

fn work_{i}(tensor<real, 8> x) real:
    at = abs(x[1])
    k = found_{i}(at)
    width = knots_{i}[k + 1] - knots_{i}[k]
    slope = (values_{i}[k + 1] - values_{i}[k]) / width
    return values_{i}[k] + slope * (at - knots_{i}[k])
end
""",
    # A controller with limits.
    """
real integral_{i} = 0.0
real last_{i} = 0.0
bool held_{i} = false

fn work_{i}(tensor<real, 8> x) real:
    error = x[2] - x[3]
    slope = (error - last_{i}) / 0.01
    u = 2.{i} * error + integral_{i} + 0.1 * slope
    if u > 1.0:
        u = 1.0
        held_{i} = true
    elseif u < -1.0:
        u = -1.0
        held_{i} = true
    else:
        integral_{i} += 0.05 * error
    end
    last_{i} = error
    return u
end
""",
    # Statistics of a window.
    """
tensor<real, 16, 8> window_{i} = 0.0

fn pushed_{i}(tensor<real, 8> x):
    window_{i}[1:, :] = window_{i}[:15, :]
    window_{i}[0, :] = x * 1.{i}
end

fn work_{i}(tensor<real, 8> x) real:
    pushed_{i}(x)
    middle = mean!(nest(window_{i}, 1))
    centred = window_{i} - middle
    squares = centred * centred
    deviation = sqrt(mean!(nest(squares, 1)))
    scaled = centred / (deviation + 0.1)
    weight = exp(-scaled[0, :] * scaled[0, :])
    inside = weight > 0.5
    return sum(select(inside, weight, 0.5 * weight))
end
""",
]

C = [
    """
static const double sos_{i}[5] = {{0.2{i}, 0.4, 0.2, -0.3, 0.1{i}}};

static double work_{i}(other_state *s, const double *x) {{
    double smooth[8], low, high;
    for (int k = 0; k < 8; k++) {{
        double y = sos_{i}[0] * x[k] + s->z1_{i}[k];
        s->z1_{i}[k] = sos_{i}[1] * x[k] - sos_{i}[3] * y + s->z2_{i}[k];
        s->z2_{i}[k] = sos_{i}[2] * x[k] - sos_{i}[4] * y;
        smooth[k] = 0.5 * y + 0.25 * x[k];
    }}
    low = high = smooth[0];
    for (int k = 1; k < 8; k++) {{
        low = smooth[k] < low || isnan(smooth[k]) ? smooth[k] : low;
        high = smooth[k] > high || isnan(smooth[k]) ? smooth[k] : high;
    }}
    double range = high - low;
    return range < 0 ? 0 : range > 10.{i} ? 10.{i} : range;
}}
""",
    """
static const double f_{i}[4][4] = {{{{0.9, 0.1, 0.0, 0.{i}}}, {{0.0, 0.8, 0.1, 0.0}}, {{0.1, 0.0, 0.7, 0.1}},
                                  {{0.0, 0.2, 0.0, 0.6}}}};

static double work_{i}(other_state *s, const double *x) {{
    double next[4], gain[4], row[4], sum = 0;
    times_vector(f_{i}, s->x_{i}, next);
    for (int k = 0; k < 4; k++)
        s->x_{i}[k] = next[k] + x[k];
    predict(f_{i}, s->p_{i}, 0.0{i});
    for (int k = 0; k < 4; k++)
        gain[k] = s->p_{i}[k][0] / (s->p_{i}[0][0] + 0.5);
    double rest = x[4] - s->x_{i}[0];
    memcpy(row, s->p_{i}[0], sizeof(row));
    for (int k = 0; k < 4; k++) {{
        s->x_{i}[k] += gain[k] * rest;
        sum += s->x_{i}[k] * s->x_{i}[k];
        for (int j = 0; j < 4; j++)
            s->p_{i}[k][j] -= gain[k] * (k == 0 ? row[j] : s->p_{i}[0][j]);
    }}
    return sum;
}}
""",
    """
static const double knots_{i}[8] = {{0.0, 0.1, 0.2, 0.4, 0.5, 0.7, 0.9, 1.{i}}};
static const double values_{i}[8] = {{1.0, 0.9, 0.7, 0.6, 0.4, 0.3, 0.2, 0.{i}}};

static int found_{i}(double x) {{
    int k = 0;
    while (k < 6 && knots_{i}[k + 1] < x) {{
        k++;
    }}
    return k;
}}

static double work_{i}(other_state *s, const double *x) {{
    (void)s;
    double at = fabs(x[1]);
    int k = found_{i}(at);
    double width = knots_{i}[k + 1] - knots_{i}[k];
    double slope = (values_{i}[k + 1] - values_{i}[k]) / width;
    return values_{i}[k] + slope * (at - knots_{i}[k]);
}}
""",
    """
static double work_{i}(other_state *s, const double *x) {{
    double error = x[2] - x[3];
    double slope = (error - s->last_{i}) / 0.01;
    double u = 2.{i} * error + s->integral_{i} + 0.1 * slope;
    if (u > 1.0) {{
        u = 1.0;
        s->held_{i} = 1;
    }} else if (u < -1.0) {{
        u = -1.0;
        s->held_{i} = 1;
    }} else {{
        s->integral_{i} += 0.05 * error;
    }}
    s->last_{i} = error;
    return u;
}}
""",
    """
static double work_{i}(other_state *s, const double *x) {{
    double result = 0;
    memmove(s->window_{i}[1], s->window_{i}[0], sizeof(double) * 15 * 8);
    for (int k = 0; k < 8; k++) {{
        s->window_{i}[0][k] = x[k] * 1.{i};
    }}
    for (int k = 0; k < 8; k++) {{
        double middle = 0, squares = 0;
        for (int j = 0; j < 16; j++)
            middle += s->window_{i}[j][k] / 16;
        for (int j = 0; j < 16; j++)
            squares += (s->window_{i}[j][k] - middle) * (s->window_{i}[j][k] - middle);
        double scaled = (s->window_{i}[0][k] - middle) / (sqrt(squares / 16) + 0.1);
        double weight = exp(-scaled * scaled);
        result += weight > 0.5 ? weight : 0.5 * weight;
    }}
    return result;
}}
""",
]

MEMBERS = [
    "double z1_{i}[8], z2_{i}[8];",
    "double x_{i}[4], p_{i}[4][4];",
    "",
    "double integral_{i}, last_{i}; unsigned char held_{i};",
    "double window_{i}[16][8];",
]

HELPERS = """
static void times_vector(const double a[4][4], const double *x, double *y) {
    for (int i = 0; i < 4; i++) {
        y[i] = 0;
        for (int k = 0; k < 4; k++)
            y[i] += a[i][k] * x[k];
    }
}

static void predict(const double f[4][4], double p[4][4], double noise) {
    double fp[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            fp[i][j] = 0;
            for (int k = 0; k < 4; k++)
                fp[i][j] += f[i][k] * p[k][j];
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            p[i][j] = i == j ? noise : 0;
            for (int k = 0; k < 4; k++)
                p[i][j] += fp[i][k] * f[j][k];
        }
}
"""


def tml_model(lines):
    blocks = lines // BLOCK_LINES
    parts = ["in tensor<real, 8> t.x\nout real t.y\n"]
    parts += [TML[i % len(TML)].format(i=i) for i in range(blocks)]
    calls = "".join(f"    y += work_{i}(t.x)\n" for i in range(blocks))
    parts.append(f"\nfn output_fnc():\n    y = 0.0\n{calls}    t.y = y\nend\n")
    return "".join(parts)


def c_model(lines):
    blocks = lines // BLOCK_LINES
    parts = ["#include <math.h>\n#include <string.h>\n\ntypedef struct other_state {\n"]
    parts += [f"    {MEMBERS[i % len(MEMBERS)]}\n".format(i=i) for i in range(blocks)
              if MEMBERS[i % len(MEMBERS)]]
    parts.append("    int none;\n} other_state;\n" + HELPERS)
    parts += [C[i % len(C)].format(i=i) for i in range(blocks)]
    calls = "".join(f"    y += work_{i}(s, x);\n" for i in range(blocks))
    parts.append("\nvoid other_init(other_state *s) {\n    memset(s, 0, sizeof(*s));\n")
    for i in range(1, blocks, len(C)):
        parts.append(f"    for (int k = 0; k < 4; k++) {{\n        s->x_{i}[k] = 0.1;\n"
                     f"        s->p_{i}[k][k] = 1;\n    }}\n")
    parts.append("}\n\nvoid other_step(other_state *s, const double *x, double *result) {\n"
                 f"    double y = 0;\n{calls}    *result = y;\n}}\n")
    return "".join(parts)


def tml_products(count, size):
    lines = [f"fn run(tensor<real, {size}, {size}> x, tensor<real, {size}, {size}> y) "
             f"tensor<real, {size}, {size}>:"]
    lines += [f"    {'x' if i % 2 == 0 else 'y'} = x .* y" for i in range(count)]
    return "\n".join([*lines, "    return x", "end", ""])


def c_products(count, size):
    """One loop nest for each product, as a user without a library would write them."""
    nest = (f"    for (int i = 0; i < {size}; i++)\n        for (int j = 0; j < {size}; j++) {{\n"
            "            t[i][j] = 0;\n"
            f"            for (int k = 0; k < {size}; k++)\n"
            "                t[i][j] += x[i][k] * y[k][j];\n        }\n"
            "    memcpy(TO, t, sizeof(t));\n")
    body = "".join(nest.replace("TO", "x" if i % 2 == 0 else "y") for i in range(count))
    return (f"#include <string.h>\n\nstatic double t[{size}][{size}];\n\n"
            f"void run(double x[{size}][{size}], double y[{size}][{size}]) {{\n{body}}}\n")
