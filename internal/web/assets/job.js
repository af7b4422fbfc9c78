// Running: the steps with their counts, the time, and a button to cancel.
import { h, t, has, number, bytes, duration, go, link, alertBox, say } from "./ui.js";
import { call, watch } from "./door.js";

const count = (n, unit) => unit === "bytes" ? bytes(n) : number(n);
const unitWord = (unit) => unit === "bytes" ? "" : " " + (has("unit." + unit) ? t("unit." + unit) : unit);

// stepWords tells how far a step is: "4,096 of 6,000 records".
export const stepWords = (s) => {
  if (s.unit === "%") return s.total ? number(s.done) + "\u00a0%" : "";
  if (!s.done && !s.total) return s.note || "";
  if (s.unit === "iterations") return t("job.round", { done: number(s.done) }); // most end long before their limit
  return s.total ? t("job.of", { done: count(s.done, s.unit), total: count(s.total, s.unit) + unitWord(s.unit) }) : count(s.done, s.unit) + unitWord(s.unit);
};
export const stepName = (s) => has("step." + s.name) ? t("step." + s.name) : s.name;

// steps draws the stages of a job.
export const steps = (job) => h("ol", { class: "steps" }, job.steps.map((s, i) => {
  const now = i === job.steps.length - 1 && job.state === "running";
  return h("li", { class: now ? "now" : "over" },
    h("span", { class: "sign", "aria-hidden": "true" }, now ? "▸" : "✓"), h("span", { class: "stepname" }, stepName(s)), h("span", { class: "quiet" }, stepWords(s)),
    now && s.total ? h("progress", { max: s.total, value: Math.min(s.done, s.total), "aria-label": stepName(s) }) : null);
}));

export default async ({ signal }, id) => {
  const first = await call("job", { job: id });
  const list = h("div", {}), time = h("p", { class: "quiet", role: "timer" }), status = h("div", {});
  const cancel = h("button", { type: "button", onclick: async () => {
    cancel.disabled = true;
    try { await call("cancel", { job: id }); } catch (e) { cancel.disabled = false; status.replaceChildren(alertBox(e)); }
  } }, t("job.cancel"));
  const began = Date.now() - 1000 * first.seconds;
  let clock, left = "";
  const tell = (job) => {
    left = job.left > 0 ? " · " + t("job.left", { time: duration(job.left) }) : "";
    list.replaceChildren(job.state === "waiting" ? h("p", {}, t("job.waiting", { n: number(job.waiting) })) : steps(job));
  };
  const done = (job) => {
    clearInterval(clock);
    cancel.remove();
    if (job.state === "done" && job.run) { say(t("job.done")); go("/runs/" + encodeURIComponent(job.run), true); return; }
    time.textContent = "";
    status.replaceChildren(job.state === "cancelled" ? h("p", {}, t("job.gone")) : alertBox(job.error || { kind: "fault", message: "" }),
      h("p", { class: "row" }, h("button", { type: "button", onclick: () => history.back() }, t("back")), link("/", {}, t("back.start"))));
  };
  tell(first);
  return {
    title: t("job.title"),
    body: [h("div", { class: "narrow" }, h("p", { class: "eyebrow" }, first.subject), h("h1", {}, t("job.title")), h("p", { class: "lead" }, t("job.lead")), list, time, h("p", { class: "actions" }, cancel), status)],
    shown: () => {
      clock = setInterval(() => { time.textContent = t("job.time", { time: duration((Date.now() - began) / 1000) }) + left; }, 1000);
      signal.addEventListener("abort", () => clearInterval(clock));
      watch(id, tell, signal).then(done, (e) => { clearInterval(clock); if (e.name !== "AbortError") status.replaceChildren(alertBox(e)); });
    },
  };
};
