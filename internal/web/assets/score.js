// Score: where the records of a new file belong.
import { h, t, number, percent, bytes, query, setQuery, alertBox, bar, retold } from "./ui.js";
import { call, upload, watch, saves } from "./door.js";
import { stepName, stepWords } from "./job.js";

// named is a group by the name that the screens give it.
const named = (run, g) => (run.report.groups.find((x) => x.id === g.id) || g).name;

const table = (run, x) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("score.sizes") }, h("table", { class: "side scored" },
  h("caption", {}, t("score.sizes")),
  h("thead", {}, h("tr", {}, ["", "", t("score.now"), t("score.before")].map((c) => c ? h("th", { scope: "col" }, c) : h("td", {})))),
  h("tbody", {}, x.groups.map((g) => h("tr", { style: g.style }, h("th", { scope: "row" }, named(run, g), " ", h("span", { class: "id" }, g.id)),
    h("td", { class: "barcell" }, h("span", { class: "room" }, h("span", { class: "bar", style: `width:${(100 * (g.share || 0)).toFixed(1)}%` }), g.before === null ? null : h("span", { class: "tick", style: `left:${(100 * g.before).toFixed(1)}%` }))),
    h("td", { "data-of": t("score.now") }, g.n === null ? t("withheld") : `${percent(g.share)} (${number(g.n)})`), h("td", { class: "quiet", "data-of": t("score.before") }, percent(g.before)))))));

export default async ({ signal }, run) => {
  const files = (await call("data")).data;
  const out = h("div", { "aria-live": "polite" });
  const score = async (data) => {
    setQuery({ data });
    try {
      const job = await call("score", { run: run.run, data });
      let working = true;
      signal.addEventListener("abort", () => working && call("cancel", { job: job.id }).catch(() => {}));
      const over = await watch(job.id, (now) => { const s = now.steps[now.steps.length - 1]; out.replaceChildren(h("p", { class: "quiet" }, s ? stepName(s) + " " + stepWords(s) : t("loading"))); }, signal);
      working = false;
      if (over.state !== "done") { out.replaceChildren(alertBox(over.error)); return; }
      const x = over.result, warned = await retold(x.warnings.flatMap((w) => [w.text, w.remedy]));
      out.replaceChildren(h("h2", { id: "scored" }, t("score.done", { n: x.records === null ? t("few") : number(x.records), data })), table(run, x), h("p", { class: "quiet key" }, t("score.key")),
        h("p", {}, saves(h("a", { class: "button primary", download: "" }, t("score.save")), "scores", { run: run.run, data })), h("p", { class: "quiet small" }, t("records.careful")),
        ...x.warnings.map((w, i) => h("div", { class: "warning" }, h("p", {}, h("strong", {}, t("weight." + w.weight) + "."), " ", warned[2 * i], " ", warned[2 * i + 1]))));
    } catch (e) { if (e.name !== "AbortError") out.replaceChildren(alertBox(e)); }
  };
  const input = h("input", { type: "file", id: "file", class: "unseen", onchange: async () => {
    const file = input.files[0];
    input.value = ""; // the same file may be chosen again
    if (!file) return;
    try {
      const kept = await upload(file, (done, total) => out.replaceChildren(bar(done, total, t("start.uploading", { done: bytes(done), total: bytes(total) }))));
      score(kept.id);
    } catch (e) { out.replaceChildren(alertBox(e)); }
  } });
  const earlier = h("select", { id: "earlier", onchange: (e) => e.target.value && score(e.target.value) }, h("option", { value: "" }, t("score.choose")), files.map((f) => h("option", { value: f.id, selected: f.id === query().get("data") }, f.id)));
  return {
    title: t("tab.score"),
    body: [h("h1", {}, t("score.title")), h("p", { class: "lead" }, t("score.lead")),
      h("div", { class: "drop small" }, h("p", {}, input, h("label", { for: "file", class: "button primary" }, t("score.file"))), files.length ? h("p", {}, h("label", { for: "earlier" }, t("score.earlier")), " ", earlier) : null), out],
    shown: () => query().get("data") && score(query().get("data")),
  };
};
