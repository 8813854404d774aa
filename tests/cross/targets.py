"""The machines of run.py: what the compilers are told, what links, what runs."""

import dataclasses

CLANG = ["clang-19", "-std=c11", "-ffreestanding", "-nostdlib", "-Wall", "-Wextra", "-Werror"]
LLD = ["ld.lld-19", "--fatal-warnings"]


@dataclasses.dataclass
class Target:
    options: list   # of tmlc
    compile: list   # a command that is given -c FILE -o FILE
    link: list      # a command that is given objects and -o FILE
    sources: list   # beside host.c
    run: list       # a command that is given the image
    reals: tuple = ("f64", "f32")
    is_bare: bool = False  # objects hold constants that no loader has to relocate


def riscv(triple, options, march, abi, reals):
    return Target(
        options=[f"--target={triple}", *options],
        compile=[*CLANG, f"--target={triple}", f"-march={march}", f"-mabi={abi}"],
        link=[*LLD, "-static"],
        sources=["linux/platform.c", "memory.c"],
        run=["qemu-riscv32"],
        reals=reals,
        is_bare=triple.endswith("-elf"))


TARGETS = {
    "native": Target(
        options=[],
        compile=["cc", "-std=c11", "-Wall", "-Wextra", "-Werror"],
        link=["cc"],
        sources=["native/platform.c"],
        run=[]),
    "aarch64": Target(
        options=["--target=aarch64-linux-gnu"],
        compile=[*CLANG, "--target=aarch64-linux-gnu"],
        link=[*LLD, "-static"],
        sources=["linux/platform.c", "memory.c"],
        run=["qemu-aarch64"]),
    "riscv32": riscv("riscv32-linux-gnu", [], "rv32imafdc", "ilp32d", ("f64", "f32")),
    "riscv32_single": riscv("riscv32-unknown-elf", ["--cpu=sifive-e76"], "rv32imafc", "ilp32f",
                            ("f32",)),
    "cortex_m4": Target(
        options=["--target=thumbv7em-none-eabihf", "--cpu=cortex-m4"],
        compile=[*CLANG, "--target=thumbv7em-none-eabihf", "-mcpu=cortex-m4"],
        link=[*LLD, "--gc-sections", "-T", "arm/mps2.ld"],
        sources=["arm/startup.c", "memory.c"],
        run=["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial",
             "none", "-chardev", "stdio,id=text",
             "-semihosting-config", "enable=on,target=native,chardev=text", "-kernel"],
        reals=("f32",),
        is_bare=True),
    "wasm32": Target(
        options=["--target=wasm32"],
        compile=[*CLANG, "--target=wasm32"],
        link=["wasm-ld-19", "--no-entry", "--export=cross_main", "--fatal-warnings"],
        sources=["memory.c"],
        run=["node", "wasm32/host.mjs"]),
}
