// The door to the functions of the program, which runs in a worker of this page.
// Same exports as the door over HTTP.
const { worker, words: catalogues } = globalThis.page;

// Failure is an error in words for people.
export class Failure extends Error {
  constructor(error) { super(error.message); this.kind = error.kind; }
}

let last = 0, gone = "";
const asked = new Map();
worker.onmessage = ({ data: { id, kind, value } }) => {
  if (kind === "ready") return;
  if (kind === "gone") { end(value); return; }
  const one = asked.get(id);
  if (kind === "tell") { one.tell(JSON.parse(value)); return; }
  asked.delete(id);
  if (kind === "error") one.reject(new Failure(JSON.parse(value)));
  else one.resolve(typeof value === "string" ? JSON.parse(value) : value);
};
const end = (why) => {
  gone = why;
  for (const one of asked.values()) one.reject(new Failure({ kind: "fault", message: why }));
  asked.clear();
};
worker.onerror = (e) => end(e.message || "The program inside this page cannot be started.");

const ask = (what, text, file, tell = () => {}) => new Promise((resolve, reject) => {
  if (gone) { reject(new Failure({ kind: "fault", message: gone })); return; }
  asked.set(++last, { resolve, reject, tell });
  worker.postMessage({ id: last, what, text, file });
});

// asWords writes the fields of a request as an address would.
const asWords = (request) => JSON.stringify(Object.fromEntries(Object.entries(request).filter(([, v]) => v !== undefined && v !== "" && v !== false).map(([k, v]) => [k, String(v)])));

// posted are the functions whose requests hold more than words.
const posted = new Set(["words", "example", "read", "light", "fit", "score", "undo", "edit"]);

// call answers a request.
export const call = (name, request = {}) => ask(name, posted.has(name) ? JSON.stringify(request) : asWords(request));

// watch tells how far a job is until it is over, and returns it then.
export const watch = (job, tell, signal) => new Promise((resolve, reject) => {
  let left = false;
  if (signal) signal.addEventListener("abort", () => { left = true; reject(new DOMException("left", "AbortError")); });
  ask("watch", asWords({ job }), undefined, (now) => left || tell(now)).then((now) => { left || tell(now); resolve(now); }, reject);
});

// upload keeps a file, and tells how many bytes have gone.
export const upload = (file, tell) => ask("put", "", file, ([done, total]) => tell(done, total));

// save gives a file to the person.
const save = ({ name, type, bytes }) => {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([bytes], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
};

// saves makes a link one that saves a run in another form ("export"), or the places
// of new records ("scores").
export const saves = (a, what, request) => {
  a.href = "#";
  a.removeAttribute("download");
  a.onclick = (e) => {
    e.preventDefault();
    if (!a.hasAttribute("href") || a.getAttribute("aria-busy")) return;
    a.setAttribute("aria-busy", "true");
    a.parentElement.querySelector(".alert")?.remove();
    ask(what, asWords(request)).then(save, (error) => {
      const p = document.createElement("p");
      p.className = "alert";
      p.setAttribute("role", "alert");
      p.textContent = error.message;
      a.after(p);
    }).finally(() => a.removeAttribute("aria-busy"));
  };
  return a;
};

// frames shows a run in another form inside a frame, which may ask nobody for
// anything either.
export const frames = (frame, request) => {
  frame.setAttribute("sandbox", "allow-scripts");
  ask("export", asWords(request)).then(({ bytes }) => { frame.srcdoc = new TextDecoder().decode(bytes); }, () => frame.remove());
  return frame;
};

// words gives the catalogue of a language.
export const words = async (language) => catalogues[language];

// alone says that there is no program beside this page.
export const alone = true;
