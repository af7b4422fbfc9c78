// Compare: two groups of this run, or this run and another.
import { h, t, lang, number, percent, query, setQuery, alertBox } from "./ui.js";
import { call } from "./door.js";

const choice = (id, label, options, now, changed) => h("p", {}, h("label", { for: id }, label),
  h("select", { id, onchange: (e) => changed(e.target.value) }, options.map(([value, words]) => h("option", { value, selected: value === now }, words))));

const pairs = (c) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("compare.pairs") }, h("table", {},
  h("caption", {}, t("compare.pairs")),
  h("thead", {}, h("tr", {}, [c.a.name, c.b.name, t("compare.both"), t("compare.changed")].map((x) => h("th", { scope: "col" }, x)))),
  h("tbody", {}, c.pairs.map((p) => h("tr", {}, h("th", { scope: "row" }, name(c.a, p.a)), h("td", { class: "wrap" }, name(c.b, p.b)),
    h("td", {}, p.shared === null || p.shared === undefined ? "–" : number(p.shared)), h("td", { class: "wrap" }, (p.changes || []).slice(0, 3).map((x) => x.title || x.name).join(", ") || "–"))))));

const name = (side, at) => {
  const g = typeof at === "object" ? at : (side.groups || [])[at];
  return g ? `${g.name} (${g.id})` : "";
};

export default async (_, run) => {
  const q = query(), r = run.report;
  const groups = r.groups.filter((g) => !g.whole).map((g) => [g.id, `${g.name} (${g.id})`]);
  const others = (await call("runs", { most: 500 })).runs.filter((x) => x.id !== run.run && !x.problem);
  const out = h("div", { "aria-live": "polite" }), second = h("div", { "aria-live": "polite" });
  let a = q.get("a") || (groups[0] || [""])[0], b = q.get("b") || (groups[1] || [""])[0], other = q.get("with") || "";

  const beside = async () => {
    if (!a || !b || a === b) { out.replaceChildren(h("p", { class: "quiet" }, t("compare.two"))); return; }
    setQuery({ a, b });
    try {
      const x = await call("beside", { run: run.run, a, b, language: lang() });
      out.replaceChildren(h("div", { class: "told", html: x.html }));
      parts.save(out);
    } catch (e) { out.replaceChildren(alertBox(e)); }
  };
  const runs = async () => {
    setQuery({ with: other });
    if (!other) { second.replaceChildren(); return; }
    second.replaceChildren(h("p", { class: "quiet" }, t("loading")));
    try {
      const c = await call("compare", { run: run.run, with: other });
      second.replaceChildren(...c.summary.map((s) => h("p", {}, s)),
        h("div", { class: "numbers" }, c.ari === null ? null : h("p", { class: "big" }, h("span", { class: "value" }, c.ari.toFixed(2)), " ", h("span", { class: "label" }, t("compare.ari"))),
          c.stayed === null ? null : h("p", { class: "big" }, h("span", { class: "value" }, percent(c.stayed)), " ", h("span", { class: "label" }, t("compare.stayed")))),
        c.pairs.length ? pairs(c) : "", ...c.warnings.map((w) => h("div", { class: "warning" }, h("p", {}, w.text))));
    } catch (e) { second.replaceChildren(alertBox(e)); }
  };
  return {
    title: t("tab.compare"),
    body: [
      h("h1", {}, t("compare.title")),
      groups.length > 1 ? h("section", {}, h("h2", {}, t("compare.groups")),
        h("div", { class: "row" }, choice("a", t("compare.a"), groups, a, (v) => { a = v; beside(); }), choice("b", t("compare.b"), groups, b, (v) => { b = v; beside(); })), out) : h("p", {}, t("compare.one")),
      h("section", {}, h("h2", {}, t("compare.runs")), h("p", { class: "quiet" }, t("compare.runs.why")),
        others.length ? choice("with", t("compare.with"), [["", t("compare.choose")], ...others.map((x) => [x.id, x.id])], other, (v) => { other = v; runs(); }) : h("p", {}, t("compare.none")), second),
    ],
    shown: () => { beside(); if (other) runs(); },
  };
};
