// Runs a module of WebAssembly as a command: node wasi.mjs MODULE ARGUMENT... It sees the whole file system.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [module, ...args] = process.argv.slice(2);
const wasi = new WASI({
    version: 'preview1', args: [module, ...args], preopens: { '/': '/' }, returnOnExit: true,
});
// Called straight from the module, Node's functions may collect garbage in the middle, which ends in a
// segmentation fault: they are called from here.
const functions = {};
for (const [name, call] of Object.entries(wasi.wasiImport)) {
    functions[name] = (...operands) => Reflect.apply(call, undefined, operands);
}
const instance = await WebAssembly.instantiate(
    await WebAssembly.compile(await readFile(module)), { wasi_snapshot_preview1: functions });
process.exitCode = wasi.start(instance);
