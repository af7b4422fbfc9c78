// The door to the functions of the program. This one goes over HTTP; a page that
// runs the program itself puts another in its place, with the same exports.

// routes says where each function lives; a test holds it against the table in Go.
export const routes = {
  about: ["GET", "/api/about"],
  words: ["POST", "/api/words"],
  studies: ["GET", "/api/studies"],
  data: ["GET", "/api/data"],
  dropData: ["DELETE", "/api/data/{data}"],
  example: ["POST", "/api/examples"],
  read: ["POST", "/api/read"],
  light: ["POST", "/api/light"],
  fit: ["POST", "/api/fit"],
  score: ["POST", "/api/score"],
  jobs: ["GET", "/api/jobs"],
  job: ["GET", "/api/jobs/{job}"],
  cancel: ["DELETE", "/api/jobs/{job}"],
  runs: ["GET", "/api/runs"],
  groups: ["GET", "/api/runs/{run}"],
  dropRun: ["DELETE", "/api/runs/{run}"],
  undo: ["POST", "/api/runs/{run}/undo"],
  group: ["GET", "/api/runs/{run}/groups/{group}"],
  edit: ["POST", "/api/runs/{run}/groups/{group}"],
  members: ["GET", "/api/runs/{run}/groups/{group}/members"],
  beside: ["GET", "/api/runs/{run}/beside"],
  picture: ["GET", "/api/runs/{run}/pictures/{name}"],
  compare: ["GET", "/api/runs/{run}/compare"],
};

// Failure is an error in words for people.
export class Failure extends Error {
  constructor(error) { super(error.message); this.kind = error.kind; }
}

const path = (template, request) => {
  const rest = { ...request };
  const at = template.replace(/\{(\w+)\}/g, (_, name) => { const v = rest[name]; delete rest[name]; return encodeURIComponent(v); });
  return [at, rest];
};

const answer = async (response) => {
  const text = await response.text();
  let body;
  try { body = JSON.parse(text); } catch { throw new Failure({ kind: "fault", message: text.slice(0, 200) || response.statusText }); }
  if (!response.ok) throw new Failure(body.error || { kind: "fault", message: response.statusText });
  return body;
};

// call answers a request.
export const call = async (name, request = {}) => {
  const [method, template] = routes[name];
  let [at, rest] = path(template, request);
  const options = { method };
  if (method === "POST") options.body = JSON.stringify(rest);
  else if (method === "GET") {
    const query = new URLSearchParams(Object.entries(rest).filter(([, v]) => v !== undefined && v !== "" && v !== false)).toString();
    if (query) at += "?" + query;
  }
  let response;
  try { response = await fetch(at, options); } catch { throw new Failure({ kind: "gone", message: "gone" }); }
  return answer(response);
};

// watch tells how far a job is until it is over, and returns it then.
export const watch = (job, tell, signal) => new Promise((resolve, reject) => {
  let events;
  const end = () => events.close();
  const over = (now) => !["waiting", "running"].includes(now.state);
  if (signal) signal.addEventListener("abort", () => { end(); reject(new DOMException("left", "AbortError")); });
  const listen = () => {
    events = new EventSource("/api/jobs/" + encodeURIComponent(job) + "/events");
    events.onmessage = (e) => {
      const now = JSON.parse(e.data);
      tell(now);
      if (over(now)) { end(); resolve(now); }
    };
    events.onerror = () => { // the stream was cut, or the server is gone: it is asked
      end();
      call("job", { job }).then((now) => { tell(now); over(now) ? resolve(now) : setTimeout(() => signal?.aborted || listen(), 1000); }, reject);
    };
  };
  listen();
});

// upload keeps a file, and tells how many bytes have gone.
export const upload = (file, tell) => new Promise((resolve, reject) => {
  const x = new XMLHttpRequest();
  x.open("PUT", "/api/data?name=" + encodeURIComponent(file.name));
  x.upload.onprogress = (e) => tell(e.loaded, e.total);
  x.onload = () => answer(new Response(x.responseText, { status: x.status })).then(resolve, reject);
  x.onerror = () => reject(new Failure({ kind: "gone", message: "gone" }));
  x.send(file);
});

// files says where what is saved as a file lives.
const files = { export: "/api/runs/{run}/export/{format}", scores: "/api/runs/{run}/scores" };

const fileURL = (what, request) => {
  const [at, rest] = path(files[what], request);
  return at + "?" + new URLSearchParams(rest);
};

// saves makes a link one that saves a run in another form ("export"), or the places
// of new records ("scores").
export const saves = (a, what, request) => {
  a.href = fileURL(what, request);
  return a;
};

// frames shows a run in another form inside a frame.
export const frames = (frame, request) => {
  frame.src = fileURL("export", { ...request, inline: "1" });
  return frame;
};

// alone says that a page has no program beside it.
export const alone = false;

// words reads the catalogue of a language.
export const words = (language) => fetch(`/assets/${language}.json`).then((r) => r.json());
