// Start: drop a file, try an example, find an earlier analysis.
import { h, t, number, bytes, date, go, query, link, alertBox, bar, say } from "./ui.js";
import { call, upload, alone } from "./door.js";

let busy = false; // one file, or one example, at a time

// entries are what was dropped, as far as the browser tells.
const folder = (transfer) => [...(transfer.items || [])].some((i) => i.webkitGetAsEntry?.()?.isDirectory);

// dropped takes what was let go over the page.
const dropped = (e, status) => {
  const files = e.dataTransfer?.files || [];
  const no = (key) => status.replaceChildren(alertBox({ kind: "refused", message: t(key) }));
  if (folder(e.dataTransfer)) no("start.folder");
  else if (files.length > 1) no("start.several");
  else if (files.length === 1) give(files[0], status);
};

const give = async (file, status) => {
  if (busy) return;
  if (!file.size) { status.replaceChildren(alertBox({ kind: "unreadable", message: t("start.empty", { name: file.name }) })); return; }
  busy = true;
  try {
    const kept = await upload(file, (done, total) => status.replaceChildren(bar(done, total, t("start.uploading", { done: bytes(done), total: bytes(total) }))));
    go("/data/" + encodeURIComponent(kept.id));
  } catch (error) {
    status.replaceChildren(alertBox(error));
  } finally { busy = false; }
};

const dropArea = (status) => {
  const input = h("input", { type: "file", id: "file", class: "unseen", onchange: () => {
    const file = input.files[0];
    input.value = ""; // the same file may be chosen again
    file && give(file, status);
  } });
  const area = h("div", { class: "drop" },
    h("svg", { html: "" }),
    h("p", { class: "dropline" }, t("start.drop")),
    h("p", {}, input, h("label", { for: "file", class: "button primary" }, t("start.choose"))),
    h("p", { class: "quiet" }, t("start.stays")),
    h("p", { class: "quiet small" }, t(alone ? "start.kinds.alone" : "start.kinds")),
    alone ? h("p", { class: "quiet small" }, t("start.alone")) : null);
  area.firstChild.remove();
  const over = (on) => (e) => { e.preventDefault(); area.classList.toggle("over", on); };
  area.addEventListener("dragenter", over(true));
  area.addEventListener("dragover", over(true));
  area.addEventListener("dragleave", over(false));
  area.addEventListener("drop", (e) => { over(false)(e); e.stopPropagation(); dropped(e, status); });
  return area;
};

const example = (kind, status) => h("button", {
  type: "button", class: "example", "data-example": kind, onclick: async () => {
    if (busy) return;
    busy = true;
    status.replaceChildren(h("p", { class: "quiet" }, t("start.making")));
    try {
      const made = await call("example", { kind });
      go("/data/" + encodeURIComponent(made.data.id) + "?settings=" + encodeURIComponent(JSON.stringify(made.settings)));
    } catch (error) { status.replaceChildren(alertBox(error)); } finally { busy = false; }
  },
}, h("strong", {}, t("example." + kind)), h("span", { class: "quiet" }, t("example." + kind + ".what")));

// removal asks once more before something is deleted.
const removal = (name, doit) => {
  const ask = h("button", { type: "button", class: "plain", "aria-label": t("delete.what", { name }), onclick: () => {
    const yes = h("button", { type: "button", class: "warn", onclick: async () => {
      yes.disabled = true;
      try { await doit(); go("/", true); } catch (error) { box.replaceChildren(alertBox(error)); }
    } }, t("delete.yes"));
    const no = h("button", { type: "button", onclick: () => { box.replaceChildren(ask); ask.focus(); } }, t("delete.no"));
    box.replaceChildren(yes, " ", no);
    yes.focus();
  } }, t("delete"));
  const box = h("span", { class: "removal" }, ask);
  return box;
};

const runCard = (run) => h("li", { class: "item" },
  h("div", {}, run.problem ? h("strong", {}, run.id) : link("/runs/" + encodeURIComponent(run.id), { class: "name" }, run.id),
    run.problem ? h("p", { class: "alert" }, run.problem) :
      h("p", { class: "quiet" }, [t(run.groups === 1 ? "start.onegroup" : "start.groups", { n: number(run.groups) }), run.records === null ? "" : t("start.records", { n: number(run.records) }),
        run.within ? t("start.within", { within: run.within }) : run.files.join(", "), date(run.date)].filter(Boolean).join(" · "))),
  removal(run.id, () => call("dropRun", { run: run.id })));

const fileItem = (file) => h("li", { class: "item" },
  h("div", {}, link("/data/" + encodeURIComponent(file.id), { class: "name" }, file.id), h("p", { class: "quiet" }, bytes(file.bytes) + " · " + date(file.date))),
  removal(file.id, () => call("dropData", { data: file.id })));

// lists fills in what is known only once the program has answered: the page is there
// before.
const lists = async (from, status, examples, rest) => {
  try {
    const [about, runs, data, jobs] = await Promise.all([call("about"), call("runs", { from: from || "" }), call("data"), call("jobs")]);
    const busy = jobs.jobs.filter((j) => j.kind === "fit" && ["waiting", "running"].includes(j.state));
    examples.replaceChildren(...about.examples.map((k) => example(k, status)));
    rest.replaceChildren(...[
      busy.length ? h("section", {}, h("h2", {}, t("start.busy")), h("ul", { class: "items" }, busy.map((j) => h("li", { class: "item" }, link("/jobs/" + j.id, { class: "name" }, j.subject), h("span", { class: "quiet" }, t("state." + j.state)))))) : null,
      h("section", {}, h("h2", {}, t("start.earlier")),
        runs.runs.length ? h("ul", { class: "items" }, runs.runs.map(runCard)) : h("p", { class: "quiet" }, t("start.none")),
        h("p", { class: "row" }, from ? link("/", {}, t("page.first")) : null, runs.next ? link("/?from=" + runs.next, {}, t("page.next")) : null)),
      about.studies ? h("section", {}, h("h2", {}, t("study.title")), h("p", {}, link("/studies", { class: "name" }, t("study.some", { n: number(about.studies) })))) : null,
      data.data.length ? h("section", {}, h("h2", {}, t("start.files")), h("p", { class: "quiet" }, t("start.files.why")), h("ul", { class: "items" }, data.data.map(fileItem))) : null,
    ].filter(Boolean));
  } catch (error) { rest.replaceChildren(alertBox(error)); }
};

export default async () => {
  const status = h("div", { class: "status", "aria-live": "polite" });
  const examples = h("div", { class: "row", role: "group", "aria-labelledby": "examples" });
  const rest = h("div", { class: "begun" }, h("p", { class: "quiet loading" }, t("loading")));
  return {
    title: t("nav.start"),
    body: [
      h("div", { class: "hero" },
        h("h1", {}, t("start.title")), h("p", { class: "lead" }, t("start.lead")),
        dropArea(status), status,
        h("div", { class: "examples" }, h("p", { class: "quiet", id: "examples" }, t("start.examples")), examples)),
      rest,
    ],
    shown: (main) => {
      main.ondragover = (e) => e.preventDefault();
      main.ondrop = (e) => { e.preventDefault(); dropped(e, status); }; // beside the area is near enough
      lists(Number(query().get("from")) || 0, status, examples, rest);
    },
  };
};
