// The one page: the pieces of this file become modules, and the program inside it
// a worker. Nothing is asked of anybody.
const text = (id) => document.getElementById(id).textContent;
const files = JSON.parse(text("files"));
const blob = (code) => URL.createObjectURL(new Blob([code], { type: "text/javascript" }));

const style = document.createElement("style");
style.textContent = files["report.css"] + files["app.css"];
document.head.append(style);

const worker = new Worker(blob(files["memory.js"] + files["wasm_exec.js"] + files["kernel.js"] + files["worker.js"]));
// The program stands behind this script, so that the first screen is there while it is
// still being read; begin is called behind it. It goes to the worker in pieces, which makes
// bytes of them and unpacks them as they come: the whole is nowhere a second time.
const begin = () => {
  worker.postMessage({ vectors: Uint8Array.from(atob(files.vectors), (c) => c.charCodeAt(0)) });
  const element = document.getElementById("program"), program = element.textContent, size = 1 << 20;
  for (let at = 0; at < program.length; at += size) worker.postMessage({ piece: program.slice(at, at + size) });
  worker.postMessage({ whole: true });
  element.remove();
};
globalThis.page = { worker, begin, words: { en: JSON.parse(files["en.json"]), es: JSON.parse(files["es.json"]) } };

// Modules come after those that they import: order says so.
const urls = {};
for (const name of files.order) urls[name] = blob(files[name].replace(/(from|import) "\.\/([\w.]+)"/g, (_, word, of) => `${word} "${urls[of]}"`));
import(urls["app.js"]);
