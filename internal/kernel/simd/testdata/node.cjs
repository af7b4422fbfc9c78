// Runs a program of WebAssembly in Node with the module of vector instructions
// beside it: node node.cjs MODULE KERNEL_JS GOROOT PROGRAM ARGUMENTS...
const fs = require("fs"), path = require("path"), os = require("os");
const [module_, script, root, program, ...rest] = process.argv.slice(2);
Object.assign(globalThis, { fs, path, require });
require(path.join(root, "lib", "wasm", "wasm_exec.js"));
require(path.resolve(script));
const go = new Go();
go.argv = [program, ...rest];
go.env = { TMPDIR: os.tmpdir(), ...process.env };
go.exit = (code) => { process.exitCode = code; };
const beside = kernel(fs.readFileSync(module_));
beside.start(go);
WebAssembly.instantiate(fs.readFileSync(program), go.importObject).then(({ instance }) => {
  beside.join(instance);
  return go.run(instance);
}).then(() => process.exit(), (error) => { console.error(error); process.exit(1); });
