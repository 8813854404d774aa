// node host.mjs FILE.wasm: runs cross_main and ends with its status.
import { readFileSync, writeSync } from "node:fs";
import process from "node:process";

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const instance = await WebAssembly.instantiate(module, {
  host: {
    write(text, bytes) {
      let rest = new Uint8Array(instance.exports.memory.buffer, text, bytes);
      while (rest.length > 0) {
        rest = rest.subarray(writeSync(1, rest));
      }
    },
  },
});
process.exitCode = instance.exports.cross_main();
