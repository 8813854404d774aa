// Written by tests/accuracy/coefficients.py, which has what they are and how good.
// clang-format off
#include "tir/math/coefficients.h"

// (e**x - 1 - x) / x**2
const MathSeries math_exp = {
    .whole = {10,
                 {
                  0x1.0000000000001p-1,
                  0x1.555555555554dp-3,
                  0x1.5555555553d82p-5,
                  0x1.1111111114486p-7,
                  0x1.6c16c17881849p-10,
                  0x1.a01a018c321a6p-13,
                  0x1.a019b930a1f01p-16,
                  0x1.71de5a3dfde9fp-19,
                  0x1.28915f5edc962p-22,
                  0x1.aeaaf26af102cp-26,
                 }},
    .single = {6,
                 {
                  0x1.0000000b7e379p-1,
                  0x1.5555552730104p-3,
                  0x1.5554e958e2a67p-5,
                  0x1.11114bdf401f3p-7,
                  0x1.6d42ca88fc6dbp-10,
                  0x1.a072bd90ad4a1p-13,
                 }},
};

// (2**x - 1) / x
const MathSeries math_exp2 = {
    .whole = {11,
                 {
                  0x1.62e42fefa39efp-1,
                  0x1.ebfbdff82c598p-3,
                  0x1.c6b08d704a08ep-5,
                  0x1.3b2ab6fba1e40p-7,
                  0x1.5d87fe78b211cp-10,
                  0x1.4309130958e9bp-13,
                  0x1.ffcbfc1ea3360p-17,
                  0x1.62bfd4b4a527fp-20,
                  0x1.b525a0936b95cp-24,
                  0x1.e605d2a1a59d5p-28,
                  0x1.e8cab80269021p-32,
                 }},
    .single = {7,
                 {
                  0x1.62e42fefd32eap-1,
                  0x1.ebfbe04530559p-3,
                  0x1.c6b08cb1644acp-5,
                  0x1.3b2a1c362606fp-7,
                  0x1.5d88bdb4d5fdep-10,
                  0x1.443f62389677cp-13,
                  0x1.ffcbd9aa4baccp-17,
                 }},
};

// (log((1 + s) / (1 - s)) - 2 s) / s**3 in s**2
const MathSeries math_log = {
    .whole = {8,
                 {
                  0x1.5555555555555p-1,
                  0x1.9999999999a38p-2,
                  0x1.2492492476b9cp-2,
                  0x1.c71c72017759dp-3,
                  0x1.745cf8f90fb1dp-3,
                  0x1.3b1c379818d78p-3,
                  0x1.0fbe5e68634ebp-3,
                  0x1.0c05b70aeb75cp-3,
                 }},
    .single = {4,
                 {
                  0x1.5555554ba989dp-1,
                  0x1.9999eb897fb99p-2,
                  0x1.245c33e763f21p-2,
                  0x1.ddd19b8343cc4p-3,
                 }},
};

// ((log((1 + s) / (1 - s)) - 2 s) / s**3 - 2/3) / s**2 in s**2
const MathSeries math_log_tail = {
    .whole = {8,
                 {
                  0x1.999999999999ap-2,
                  0x1.2492492492522p-2,
                  0x1.c71c71c6ea926p-3,
                  0x1.745d177aa10ccp-3,
                  0x1.3b1395ce29956p-3,
                  0x1.1118c89c6f49dp-3,
                  0x1.df7ca7d3422a6p-4,
                  0x1.e02f99ad37533p-4,
                 }},
    .single = {3,
                 {
                  0x1.9999a3b887ab1p-2,
                  0x1.247a2be610777p-2,
                  0x1.d8082d3a4f18bp-3,
                 }},
};

// (sin x - x) / x**3 in x**2, to pi / 2
const MathSeries math_sin = {
    .whole = {8,
                 {
                  -0x1.5555555555555p-3,
                  0x1.1111111111107p-7,
                  -0x1.a01a01a0189eep-13,
                  0x1.71de3a544f37cp-19,
                  -0x1.ae64559dac171p-26,
                  0x1.6124001f380dep-33,
                  -0x1.ae50dbcd023b2p-41,
                  0x1.8999c8c2605c4p-49,
                 }},
    .single = {5,
                 {
                  -0x1.5555555452469p-3,
                  0x1.11110fcf72b62p-7,
                  -0x1.a019001445cd2p-13,
                  0x1.7195a84e9c13fp-19,
                  -0x1.9d9a41fe8856bp-26,
                 }},
};

// the same to pi / 4
const MathSeries math_sin_quarter = {
    .whole = {6,
                 {
                  -0x1.5555555555555p-3,
                  0x1.1111111110ba5p-7,
                  -0x1.a01a019e80e48p-13,
                  0x1.71de379364d78p-19,
                  -0x1.ae60081962eb3p-26,
                  0x1.5e0a2875139b5p-33,
                 }},
    .single = {4,
                 {
                  -0x1.555555545ab25p-3,
                  0x1.11110de9194e2p-7,
                  -0x1.a013a104193b0p-13,
                  0x1.6dbc42da25a83p-19,
                 }},
};

// (cos x - 1 + x**2 / 2) / x**4 in x**2, to pi / 4
const MathSeries math_cos_quarter = {
    .whole = {6,
                 {
                  0x1.5555555555555p-5,
                  -0x1.6c16c16c16962p-10,
                  0x1.a01a019f4dc99p-16,
                  -0x1.27e4fa16d4a70p-22,
                  0x1.1eeb67f735957p-29,
                  -0x1.907d0683c6e61p-37,
                 }},
    .single = {4,
                 {
                  0x1.5555555502195p-5,
                  -0x1.6c16bf5251039p-10,
                  0x1.a015c1b2c839fp-16,
                  -0x1.25238d1eacdacp-22,
                 }},
};

// (asin x - x) / x**3 in x**2, to 1/2
const MathSeries math_asin = {
    .whole = {13,
                 {
                  0x1.5555555555556p-3,
                  0x1.3333333332e84p-4,
                  0x1.6db6db6e3880cp-5,
                  0x1.f1c71c19d4f5fp-6,
                  0x1.6e8bb25dea7d8p-6,
                  0x1.1c4d286aa3066p-6,
                  0x1.c9d08bdcc03f2p-7,
                  0x1.7817d81102a5cp-7,
                  0x1.529e1cad401f9p-7,
                  0x1.62a48d33e1d78p-8,
                  0x1.1f1b23161571ep-6,
                  -0x1.eccfd738c96a0p-7,
                  0x1.d93918daa08fcp-6,
                 }},
    .single = {7,
                 {
                  0x1.5555555c6b571p-3,
                  0x1.33331ddc7936ap-4,
                  0x1.6dc149ed7b3ffp-5,
                  0x1.efe1da225dd52p-6,
                  0x1.83396bc7464d9p-6,
                  0x1.57dd85f93b78ap-7,
                  0x1.fd4146e460f27p-6,
                 }},
};

// (atan x - x) / x**3 in x**2 - 1/2, to 1
const MathSeries math_atan = {
    .whole = {20,
                 {
                  -0x1.09615e90afcd2p-2,
                  0x1.c5e5c41d92f27p-4,
                  -0x1.c10b0d776d915p-5,
                  0x1.dd5caa4ceef9fp-6,
                  -0x1.08fa5f9199a68p-6,
                  0x1.2ee0b5feaf10ap-7,
                  -0x1.618d9a5e9f7b5p-8,
                  0x1.a35282192aef4p-9,
                  -0x1.f7900757548ddp-10,
                  0x1.316a1eef764e3p-10,
                  -0x1.75922ffbbef7cp-11,
                  0x1.cc1817970a5eap-12,
                  -0x1.1c91a477d8180p-12,
                  0x1.6235c5439bc32p-13,
                  -0x1.c499b1e5df8b9p-14,
                  0x1.1d0618edd674ap-14,
                  -0x1.25ce8b68c5369p-15,
                  0x1.6c11c16f3d931p-16,
                  -0x1.dc525aaf42b12p-16,
                  0x1.349e475dcb2a0p-16,
                 }},
    .single = {11,
                 {
                  -0x1.09615e9034ca6p-2,
                  0x1.c5e5c5c5c411ap-4,
                  -0x1.c10b12882bca6p-5,
                  0x1.dd5a9d91cb949p-6,
                  -0x1.08f859153873cp-6,
                  0x1.2f3b08014546dp-7,
                  -0x1.621f7f7e08230p-8,
                  0x1.96c75cdabf895p-9,
                  -0x1.e5942e139dab8p-10,
                  0x1.902cf3ee9ee89p-10,
                  -0x1.f2dccacbf8137p-11,
                 }},
};

// (erf x - x) / x in x**2, to 5/4
const MathSeries math_erf = {
    .whole = {14,
                 {
                  0x1.06eba8214db69p-3,
                  -0x1.812746b0379e2p-2,
                  0x1.ce2f21a0428f6p-4,
                  -0x1.b82ce3127cf04p-6,
                  0x1.565bcd0cdcecep-8,
                  -0x1.c02db3c13e989p-11,
                  0x1.f9a3207b6b978p-14,
                  -0x1.f4d1e78bba970p-17,
                  0x1.b9e10e09161a7p-20,
                  -0x1.5f4115fabbf93p-23,
                  0x1.fa40e6f533100p-27,
                  -0x1.46c720a321518p-30,
                  0x1.5d106173b17aap-34,
                  -0x1.cb114a62bd239p-39,
                 }},
    .single = {8,
                 {
                  0x1.06eba7fad18f2p-3,
                  -0x1.812740be4feeap-2,
                  0x1.ce2de8842ecf4p-4,
                  -0x1.b8140b2799e52p-6,
                  0x1.5560ca7c719b2p-8,
                  -0x1.b53bce3028727p-11,
                  0x1.b3f35d9caa3b2p-14,
                  -0x1.fc3669d61d711p-18,
                 }},
};

// erfc(5/4 + x)**(1/16), to 19/4
const MathSeries math_erfc_root = {
    .whole = {20,
                 {
                  0x1.b439aaebdb555p-1,
                  -0x1.4e8dfef8daae0p-3,
                  -0x1.f7288fc62070dp-6,
                  0x1.9300bd2ca7d08p-8,
                  0x1.3c312ab31a79dp-10,
                  -0x1.31dd6ee0660c3p-12,
                  -0x1.0c62ff6fde69fp-19,
                  0x1.3f1c5ba209c17p-18,
                  -0x1.acfd834b403e2p-21,
                  0x1.30fe24c50afe5p-22,
                  -0x1.768a3d20eeb5bp-24,
                  0x1.021f85da5525dp-26,
                  -0x1.38013b72c6a99p-31,
                  -0x1.34c6fd120d853p-31,
                  0x1.dfcde5ca06812p-33,
                  -0x1.a17f76e10ab64p-35,
                  0x1.e3a41d951b4d6p-38,
                  -0x1.72308bed6fb1cp-41,
                  0x1.54e2565d8240ap-45,
                  -0x1.1ed88fda3f834p-50,
                 }},
    .single = {8,
                 {
                  0x1.b439aaebdb853p-1,
                  -0x1.4e8dff140d907p-3,
                  -0x1.f728414d27300p-6,
                  0x1.92f12b2de2083p-8,
                  0x1.3d2e60e71f357p-10,
                  -0x1.38ba4f578cbe6p-12,
                  0x1.d70fe5388a2f3p-19,
                  0x1.3029a86db0454p-19,
                 }},
};

// (1 + 2 x) e**x**2 erfc(x) in (x - 4) / (x + 4), x to 28
const MathSeries math_erfc = {
    .whole = {23,
                 {
                  0x1.3ba5916e9fd7fp+0,
                  -0x1.1df1ad154a29cp-3,
                  0x1.f7f5df66fd71ep-7,
                  0x1.16ecefcfa6043p-4,
                  -0x1.9ddb23c3e8a4dp-4,
                  0x1.7fee004df6ac5p-4,
                  -0x1.0fb06dfe58cbdp-4,
                  0x1.3079edf9f9a53p-5,
                  -0x1.09623880775dcp-6,
                  0x1.49c67191aa7d1p-8,
                  -0x1.8d4a9feef2436p-11,
                  -0x1.a1de83d0a435ap-13,
                  0x1.3be0d2dcde304p-13,
                  -0x1.9969d5ed11971p-16,
                  -0x1.78a8726ef481ap-17,
                  0x1.7fae627146da7p-18,
                  0x1.443921f7afb72p-22,
                  -0x1.bfe121cc3b875p-21,
                  0x1.0bf596d492980p-24,
                  0x1.ec0984c0cf3e1p-24,
                  -0x1.0b47fd76e079ap-27,
                  -0x1.cbf2db29fe66cp-27,
                  -0x1.d822fcdb019a2p-30,
                 }},
    .single = {13,
                 {
                  0x1.3ba5916db9c41p+0,
                  -0x1.1df1abdfc9f56p-3,
                  0x1.f7f61274ce87bp-7,
                  0x1.16ec92f60987ep-4,
                  -0x1.9ddba3ecc59b1p-4,
                  0x1.7ff1f5710a1a3p-4,
                  -0x1.0fac6b1210130p-4,
                  0x1.3054f63c8ad3cp-5,
                  -0x1.09a1884bcff60p-6,
                  0x1.4c6a8f0e4fe2ep-8,
                  -0x1.7d3410e506477p-11,
                  -0x1.01113debdc665p-12,
                  0x1.f90e93e4dbb30p-14,
                 }},
};

// x**(-1/3), 1/2 to 1
const MathSeries math_cbrt = {
    .whole = {6,
                 {
                  0x1.1f3b1bacff02cp+1,
                  -0x1.f91b1b588ee86p+1,
                  0x1.912b5a2a14c78p+2,
                  -0x1.81ac93c9d74b3p+2,
                  0x1.92b65a07abf0cp+1,
                  -0x1.5f505d513ac47p-1,
                 }},
    .single = {6,
                 {
                  0x1.1f3b1bacff02cp+1,
                  -0x1.f91b1b588ee86p+1,
                  0x1.912b5a2a14c78p+2,
                  -0x1.81ac93c9d74b3p+2,
                  0x1.92b65a07abf0cp+1,
                  -0x1.5f505d513ac47p-1,
                 }},
};
