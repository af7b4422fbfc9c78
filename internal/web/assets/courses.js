// Courses: states over time, where they lead, and the kinds of sequences by how they
// pass through the states.
import { h, t, has, lang, number, percent, alertBox, retold } from "./ui.js";
import { call } from "./door.js";
import { trends } from "./trends.js";

// kinds tells the kinds of sequences, each in words and with its table of moves.
const kinds = (r, said) => {
  const named = (id) => (r.groups.find((g) => g.id === id) || {}).name || id;
  return h("div", { class: "cards" }, r.courses.map((c, i) => {
    const states = [...new Set(c.from.flatMap((f) => f.moves.map((m) => m.to)))];
    return h("article", { class: "card course", style: "--hue-edge: var(--muted)", "data-course": c.id },
      h("h3", {}, t("courses.kind", { id: c.id })),
      h("p", { class: "size" }, h("strong", {}, percent(c.share)), " ", h("span", { class: "quiet" }, c.n === null ? t("withheld") : t("courses.of", { n: number(c.n), many: has("word." + r.unit.many) ? t("word." + r.unit.many) : r.unit.many }))),
      h("p", {}, said[i]),
      c.from.length ? h("details", {}, h("summary", {}, t("courses.moves")), h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("courses.moves.of", { id: c.id }) }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("courses.from")), h("th", { scope: "col" }, t("courses.time")), states.map((s) => h("th", { scope: "col" }, t("courses.to", { id: s }))))),
        h("tbody", {}, c.from.map((f) => h("tr", {}, h("th", { scope: "row" }, named(f.state), " ", h("span", { class: "id" }, f.state)), h("td", {}, percent(f.time)),
          states.map((s) => { const m = f.moves.find((x) => x.to === s); return h("td", {}, m && m.probability !== null ? m.probability.toFixed(2) : "–"); }))))))) : null);
  }));
};

export default async (_, run) => {
  const r = run.report, names = ["strips", "moves", "heatmap"];
  const boxes = names.map(() => h("div", {}, h("p", { class: "quiet" }, t("loading"))));
  const over = trends(run);
  return {
    title: t("tab.courses"),
    body: [h("h1", {}, t("courses.title")), h("p", { class: "lead" }, t("courses.lead")), ...boxes.slice(0, 2),
      h("section", { id: "kinds" }, h("h2", {}, t("courses.kinds")), r.courses.length ? kinds(r, await retold(r.courses.map((c) => c.words))) : h("p", { class: "quiet" }, t("courses.none"))),
      over.some ? h("section", {}, h("h2", {}, t("courses.over")), over.box) : "", boxes[2]],
    shown: () => {
      over.fill();
      names.forEach((name, i) => call("picture", { run: run.run, name, language: lang() }).then(
        (p) => { boxes[i].innerHTML = p.html; parts.save(boxes[i]); },
        (e) => boxes[i].replaceChildren(e.kind === "refused" ? "" : alertBox(e))));
    },
  };
};
