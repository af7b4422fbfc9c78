// The worker: unpacks the program, starts it, and passes requests on to it.
// unescaped returns the bytes of the program: each is a character of windows-1252;
// those that a page cannot hold as they are come as "=" and the byte plus 64.
const unescaped = (() => {
  const high = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";
  const byte = new Uint8Array(0x2200).map((_, code) => code);
  for (let i = 0; i < high.length; i++) byte[high.charCodeAt(i)] = 0x80 + i;
  let open = false; // the last piece ended after "="
  return (piece) => {
    const out = new Uint8Array(piece.length);
    let n = 0;
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (open) { out[n++] = code - 64; open = false; } else if (code === 0x3d) open = true; else out[n++] = byte[code];
    }
    return out.subarray(0, n);
  };
})();

const waiting = [];
const pass = ({ id, what, text, file }) => globalThis.ask(what, text, file, (kind, value) => {
  postMessage({ id, kind, value }, value && value.bytes ? [value.bytes.buffer] : []);
});
globalThis.ready = () => { waiting.splice(0).forEach(pass); postMessage({ kind: "ready" }); };

const unpacking = new DecompressionStream("gzip"), packed = unpacking.writable.getWriter();
const start = async (vectors) => {
  try {
    const go = new Go(), beside = kernel(vectors);
    beside.start(go);
    const { instance } = await WebAssembly.instantiateStreaming(new Response(unpacking.readable, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
    beside.join(instance);
    await go.run(instance);
    postMessage({ kind: "gone", value: "The program has ended." });
  } catch (error) {
    postMessage({ kind: "gone", value: String(error) });
  }
};
onmessage = ({ data }) => {
  if (data.vectors) start(data.vectors);
  else if (data.piece) packed.write(unescaped(data.piece)).catch(() => {}); // start tells what is wrong
  else if (data.whole) packed.close().catch(() => {});
  else if (globalThis.ask) pass(data);
  else waiting.push(data);
};
