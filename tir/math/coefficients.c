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
                  0x1.1111111114485p-7,
                  0x1.6c16c17881834p-10,
                  0x1.a01a018c32573p-13,
                  0x1.a019b930a5eeep-16,
                  0x1.71de5a3d5bc81p-19,
                  0x1.28915f5a5c423p-22,
                  0x1.aeaaf3a2e1ee2p-26,
                 }},
    .single = {6,
                 {
                  0x1.0000000b7e343p-1,
                  0x1.5555552730da6p-3,
                  0x1.5554e958e9977p-5,
                  0x1.11114bdc89613p-7,
                  0x1.6d42ca816bf61p-10,
                  0x1.a072c25602063p-13,
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
                  0x1.5d87fe78b2115p-10,
                  0x1.4309130958f28p-13,
                  0x1.ffcbfc1ea5952p-17,
                  0x1.62bfd4b48e54ep-20,
                  0x1.b525a08dd0f2ep-24,
                  0x1.e605d2c720ea6p-28,
                  0x1.e8cac12b0e688p-32,
                 }},
    .single = {7,
                 {
                  0x1.62e42fefd32ccp-1,
                  0x1.ebfbe0453030ap-3,
                  0x1.c6b08cb16a213p-5,
                  0x1.3b2a1c3625318p-7,
                  0x1.5d88bdae76944p-10,
                  0x1.443f62428020bp-13,
                  0x1.ffcbe10d18e1bp-17,
                 }},
};

// (log((1 + s) / (1 - s)) - 2 s) / s**3 in s**2
const MathSeries math_log = {
    .whole = {8,
                 {
                  0x1.5555555555555p-1,
                  0x1.9999999999a38p-2,
                  0x1.2492492476b9cp-2,
                  0x1.c71c7201775e4p-3,
                  0x1.745cf8f90e34ep-3,
                  0x1.3b1c3798592d3p-3,
                  0x1.0fbe5e6315f7ap-3,
                  0x1.0c05b7362a404p-3,
                 }},
    .single = {4,
                 {
                  0x1.5555554ba9897p-1,
                  0x1.9999eb89816eap-2,
                  0x1.245c33e6e09a8p-2,
                  0x1.ddd19b96b6febp-3,
                 }},
};

// ((log((1 + s) / (1 - s)) - 2 s) / s**3 - 2/3) / s**2 in s**2
const MathSeries math_log_tail = {
    .whole = {8,
                 {
                  0x1.999999999999ap-2,
                  0x1.2492492492522p-2,
                  0x1.c71c71c6ea925p-3,
                  0x1.745d177aa10fdp-3,
                  0x1.3b1395ce289f2p-3,
                  0x1.1118c89c959a6p-3,
                  0x1.df7ca7cd85c01p-4,
                  0x1.e02f99d69858fp-4,
                 }},
    .single = {3,
                 {
                  0x1.9999a3b889437p-2,
                  0x1.247a2be7adee8p-2,
                  0x1.d8082caf81bcep-3,
                 }},
};

// (sin x - x) / x**3 in x**2, to pi / 2
const MathSeries math_sin = {
    .whole = {8,
                 {
                  -0x1.5555555555555p-3,
                  0x1.1111111111107p-7,
                  -0x1.a01a01a0189eep-13,
                  0x1.71de3a544f37ep-19,
                  -0x1.ae64559dac293p-26,
                  0x1.6124001f3e0e1p-33,
                  -0x1.ae50dbceec664p-41,
                  0x1.8999c8ff014a0p-49,
                 }},
    .single = {5,
                 {
                  -0x1.555555545246fp-3,
                  0x1.11110fcf72e32p-7,
                  -0x1.a019001450b84p-13,
                  0x1.7195a84f727d2p-19,
                  -0x1.9d9a420647b97p-26,
                 }},
};

// the same to pi / 4
const MathSeries math_sin_quarter = {
    .whole = {6,
                 {
                  -0x1.5555555555555p-3,
                  0x1.1111111110ba5p-7,
                  -0x1.a01a019e80e4ep-13,
                  0x1.71de379365239p-19,
                  -0x1.ae60081999b88p-26,
                  0x1.5e0a28838b215p-33,
                 }},
    .single = {4,
                 {
                  -0x1.555555545ab22p-3,
                  0x1.11110de919627p-7,
                  -0x1.a013a1044dc47p-13,
                  0x1.6dbc42ec12d19p-19,
                 }},
};

// (cos x - 1 + x**2 / 2) / x**4 in x**2, to pi / 4
const MathSeries math_cos_quarter = {
    .whole = {6,
                 {
                  0x1.5555555555555p-5,
                  -0x1.6c16c16c16962p-10,
                  0x1.a01a019f4dc9ep-16,
                  -0x1.27e4fa16d4fc2p-22,
                  0x1.1eeb67f77a91ap-29,
                  -0x1.907d06ab5b27dp-37,
                 }},
    .single = {4,
                 {
                  0x1.5555555502195p-5,
                  -0x1.6c16bf5250f9bp-10,
                  0x1.a015c1b2b80d4p-16,
                  -0x1.25238d19bd043p-22,
                 }},
};

// (asin x - x) / x**3 in x**2, to 1/2
const MathSeries math_asin = {
    .whole = {13,
                 {
                  0x1.5555555555556p-3,
                  0x1.3333333332e84p-4,
                  0x1.6db6db6e38812p-5,
                  0x1.f1c71c19d4c6ep-6,
                  0x1.6e8bb25df1d26p-6,
                  0x1.1c4d2869ec05fp-6,
                  0x1.c9d08bf398f75p-7,
                  0x1.7817d721b0b2ep-7,
                  0x1.529e232816df0p-7,
                  0x1.62a45265f4ca6p-8,
                  0x1.1f1b4d054fb09p-6,
                  -0x1.ecd05f8a37e74p-7,
                  0x1.d93948f766605p-6,
                 }},
    .single = {7,
                 {
                  0x1.5555555c6b56fp-3,
                  0x1.33331ddc8ed96p-4,
                  0x1.6dc149e637623p-5,
                  0x1.efe1dafcb2defp-6,
                  0x1.833965bc28fe0p-6,
                  0x1.57ddaf2af13e0p-7,
                  0x1.fd412bcb38b1dp-6,
                 }},
};

// (atan x - x) / x**3 in x**2 - 1/2, to 1
const MathSeries math_atan = {
    .whole = {20,
                 {
                  -0x1.09615e90afcd2p-2,
                  0x1.c5e5c41d92f27p-4,
                  -0x1.c10b0d776d916p-5,
                  0x1.dd5caa4ceef9fp-6,
                  -0x1.08fa5f9199a39p-6,
                  0x1.2ee0b5feaf0d0p-7,
                  -0x1.618d9a5ea142bp-8,
                  0x1.a35282192d0a4p-9,
                  -0x1.f7900756ca0f0p-10,
                  0x1.316a1eef295f6p-10,
                  -0x1.7592300795974p-11,
                  0x1.cc1817a352600p-12,
                  -0x1.1c91a3df67410p-12,
                  0x1.6235c4afc2f5ep-13,
                  -0x1.c499badb6f7dcp-14,
                  0x1.1d061d02bba2bp-14,
                  -0x1.25ce66f7531bcp-15,
                  0x1.6c11a205963e9p-16,
                  -0x1.dc52989f16e5fp-16,
                  0x1.349e60d1a20a8p-16,
                 }},
    .single = {11,
                 {
                  -0x1.09615e9034d1ap-2,
                  0x1.c5e5c5c5c4e15p-4,
                  -0x1.c10b128805b36p-5,
                  0x1.dd5a9d914f52cp-6,
                  -0x1.08f8591d89cfbp-6,
                  0x1.2f3b080e7c4d1p-7,
                  -0x1.621f7e5825023p-8,
                  0x1.96c75bbb53998p-9,
                  -0x1.e5943cf33beacp-10,
                  0x1.902cf8192d6aap-10,
                  -0x1.f2dcad8d45168p-11,
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
                  0x1.565bcd0cdced8p-8,
                  -0x1.c02db3c13ea84p-11,
                  0x1.f9a3207b6c65dp-14,
                  -0x1.f4d1e78bbf401p-17,
                  0x1.b9e10e0904285p-20,
                  -0x1.5f4115f8ade86p-23,
                  0x1.fa40e6d4c7c7bp-27,
                  -0x1.46c7201d2a004p-30,
                  0x1.5d105f284ed67p-34,
                  -0x1.cb1141f0089c4p-39,
                 }},
    .single = {8,
                 {
                  0x1.06eba7fad1d0bp-3,
                  -0x1.812740be53be7p-2,
                  0x1.ce2de8845a584p-4,
                  -0x1.b8140b25f7bc8p-6,
                  0x1.5560ca5b45cd8p-8,
                  -0x1.b53bccc40e574p-11,
                  0x1.b3f3571175009p-14,
                  -0x1.fc3653e836391p-18,
                 }},
};

// erfc(5/4 + x)**(1/16), to 19/4
const MathSeries math_erfc_root = {
    .whole = {20,
                 {
                  0x1.b439aaebdb555p-1,
                  -0x1.4e8dfef8daae0p-3,
                  -0x1.f7288fc620715p-6,
                  0x1.9300bd2ca81e7p-8,
                  0x1.3c312ab30790dp-10,
                  -0x1.31dd6ede03b83p-12,
                  -0x1.0c6304ea268a7p-19,
                  0x1.3f1c635f1864ep-18,
                  -0x1.acfdf5cb5d2adp-21,
                  0x1.30ff4723eaae6p-22,
                  -0x1.768e4f89bad6cp-24,
                  0x1.022a143348729p-26,
                  -0x1.38a0e40e7803dp-31,
                  -0x1.348ff28cdbac6p-31,
                  0x1.df9720392bb76p-33,
                  -0x1.a1591aad30423p-35,
                  0x1.e3801131a6de1p-38,
                  -0x1.721bd662e675dp-41,
                  0x1.54d6924c01b9ap-45,
                  -0x1.1ed5ae6128361p-50,
                 }},
    .single = {8,
                 {
                  0x1.b439aaebdb845p-1,
                  -0x1.4e8dff14a7fe4p-3,
                  -0x1.f72840de3e592p-6,
                  0x1.92f11b410f150p-8,
                  0x1.3d2f6fdcdd876p-10,
                  -0x1.38c15f015cb54p-12,
                  0x1.d96360c639e38p-19,
                  0x1.2faa16d7e8905p-19,
                 }},
};

// (x + 1) e**x**2 erfc(x) in 1 / (x + 1) - 5/16, x from 0.7 to 28
const MathSeries math_erfc = {
    .whole = {26,
                 {
                  0x1.81fed9daabcedp-1,
                  0x1.30762bafab466p-1,
                  -0x1.bf0898f54a95ap-3,
                  -0x1.f0828fd5fd1a7p-2,
                  0x1.f7b21a7d97061p-2,
                  0x1.5663a38e99786p-2,
                  -0x1.26eb6f3f8fe09p+0,
                  0x1.72728aa2463e6p-1,
                  0x1.652c67c1716f6p+0,
                  -0x1.d875aca7334acp+1,
                  0x1.5de2ec141f33ep+1,
                  0x1.19c2dbd726918p+2,
                  -0x1.ebdbe473fef1bp+3,
                  0x1.2425635673cf3p+4,
                  0x1.7d80fc55109a9p+2,
                  -0x1.08785e21d8e9ap+6,
                  0x1.faf09a4438f38p+6,
                  -0x1.72eb4b87bbdc8p+6,
                  -0x1.09f677f1224e1p+7,
                  0x1.736262a1a73bbp+9,
                  -0x1.ff3831bcc84f5p+10,
                  0x1.3254a36da0f72p+10,
                  0x1.15f50fa9c1629p+13,
                  -0x1.eeeceb8df9f34p+13,
                  -0x1.77cfab5a7902bp+13,
                  0x1.fe53a398b1399p+14,
                 }},
    .single = {13,
                 {
                  0x1.81fed9db523dcp-1,
                  0x1.30762ba3b5566p-1,
                  -0x1.bf08a5549fdc5p-3,
                  -0x1.f0826ba0bee66p-2,
                  0x1.f7b6de439a9ebp-2,
                  0x1.56529ea3b650ap-2,
                  -0x1.2742c62775665p+0,
                  0x1.7455c31cfff4dp-1,
                  0x1.70ed5bff90c4ep+0,
                  -0x1.e70fc7a0bdf0fp+1,
                  0x1.f2440a6bed34dp+0,
                  0x1.98d507652ab54p+2,
                  -0x1.2b67942588d0ep+3,
                 }},
};

// x**(-1/3), 1/2 to 1
const MathSeries math_cbrt = {
    .whole = {6,
                 {
                  0x1.1f3b1d457e184p+1,
                  -0x1.f91b26f1fd287p+1,
                  0x1.912b6ab6a7666p+2,
                  -0x1.81acaaf2a9b70p+2,
                  0x1.92b679d2aa9b0p+1,
                  -0x1.5f507f977a150p-1,
                 }},
    .single = {6,
                 {
                  0x1.1f3b1d457e184p+1,
                  -0x1.f91b26f1fd287p+1,
                  0x1.912b6ab6a7666p+2,
                  -0x1.81acaaf2a9b70p+2,
                  0x1.92b679d2aa9b0p+1,
                  -0x1.5f507f977a150p-1,
                 }},
};
