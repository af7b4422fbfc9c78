// The worker: unpacks the program, starts it, and passes requests on to it.
const waiting = [];
const pass = ({ id, what, text, file }) => globalThis.ask(what, text, file, (kind, value) => {
  postMessage({ id, kind, value }, value && value.bytes ? [value.bytes.buffer] : []);
});
globalThis.ready = () => { waiting.splice(0).forEach(pass); postMessage({ kind: "ready" }); };
onmessage = async ({ data }) => {
  if (!data.program) { globalThis.ask ? pass(data) : waiting.push(data); return; }
  try {
    const unpacked = new Blob([data.program]).stream().pipeThrough(new DecompressionStream("gzip"));
    const go = new Go(), beside = kernel(data.vectors);
    beside.start(go);
    const { instance } = await WebAssembly.instantiateStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
    beside.join(instance);
    await go.run(instance);
    postMessage({ kind: "gone", value: "The program has ended." });
  } catch (error) {
    postMessage({ kind: "gone", value: String(error) });
  }
};
