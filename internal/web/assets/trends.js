// Groups over time, and by other columns: the drawings of the report, one below the
// other.
import { h, t, lang, alertBox } from "./ui.js";
import { call } from "./door.js";

// trends draws what the report tells of some columns, those of time first; fill loads the
// drawings.
export const trends = (run, wanted = () => true) => {
  const open = run.report.trends.filter((x) => !x.withheld); // drawings are numbered without those that are withheld
  const shown = open.map((x, i) => [x, "trend-" + (i + 1)]).filter(([x]) => wanted(x)).sort(([a], [b]) => (b.kind === "time") - (a.kind === "time"));
  const box = h("div", { class: "trends" }, shown.map(() => h("div", {}, h("p", { class: "quiet" }, t("loading")))));
  const fill = () => shown.forEach(([, name], i) => call("picture", { run: run.run, name, language: lang() }).then(
    (p) => { box.children[i].innerHTML = p.html; parts.save(box.children[i]); }, (e) => box.children[i].replaceChildren(alertBox(e))));
  return { box, fill, some: shown.length > 0, withheld: run.report.trends.some((x) => x.withheld && wanted(x)) };
};
