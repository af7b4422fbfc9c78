// The one page: the pieces of this file become modules, and the program inside it
// a worker. Nothing is asked of anybody.
const text = (id) => document.getElementById(id).textContent;
const files = JSON.parse(text("files"));
const blob = (code) => URL.createObjectURL(new Blob([code], { type: "text/javascript" }));

// unescaped returns the bytes of the program: each is a character of windows-1252;
// those that a page cannot hold as they are come as "=" and the byte plus 64.
const unescaped = (page) => {
  const high = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";
  const byte = new Map([...high].map((c, i) => [c.charCodeAt(0), 0x80 + i]));
  const out = new Uint8Array(page.length);
  let n = 0;
  for (let i = 0; i < page.length; i++) {
    const code = page.charCodeAt(i);
    out[n++] = code === 0x3d ? page.charCodeAt(++i) - 64 : code < 0x80 ? code : byte.get(code) ?? code;
  }
  return out.subarray(0, n);
};

const style = document.createElement("style");
style.textContent = files["report.css"] + files["app.css"];
document.head.append(style);

const worker = new Worker(blob(files["memory.js"] + files["wasm_exec.js"] + files["kernel.js"] + files["worker.js"]));
const program = unescaped(text("program")).slice();
document.getElementById("program").remove();
const vectors = Uint8Array.from(atob(files.vectors), (c) => c.charCodeAt(0));
worker.postMessage({ program, vectors }, [program.buffer]);
globalThis.page = { worker, words: { en: JSON.parse(files["en.json"]), es: JSON.parse(files["es.json"]) } };

// Modules come after those that they import: order says so.
const urls = {};
for (const name of files.order) urls[name] = blob(files[name].replace(/(from|import) "\.\/([\w.]+)"/g, (_, word, of) => `${word} "${urls[of]}"`));
import(urls["app.js"]);
