// Compare: two groups of this run, or this run and another.
import { h, t, lang, number, percent, query, setQuery, alertBox, retold } from "./ui.js";
import { call } from "./door.js";

const choice = (id, label, options, now, changed) => h("p", {}, h("label", { for: id }, label),
  h("select", { id, onchange: (e) => changed(e.target.value) }, options.map(([value, words]) => h("option", { value, selected: value === now }, words))));

const name = (g) => [g.name, " ", h("span", { class: "id" }, g.id)];

// many is how many records a group has, as far as it is told.
const many = (g) => g.n === null ? t("withheld") : `${number(g.n)} (${percent(g.share)})`;

// changes names what is more or less frequent in the second run.
const changes = (list) => list.slice(0, 3).map((x) => {
  const of = (v) => ["average", "value"].includes(x.of) ? number(Math.round(100 * v) / 100) : percent(v);
  return h("div", {}, capital(x.short || x.title), " ", h("span", { class: "quiet" }, `${of(x.a.share)} → ${of(x.b.share)}`));
});
const capital = (s) => s.slice(0, 1).toUpperCase() + s.slice(1);

// pairs is the table of the groups that belong together; how many records are in both is
// known where single records could be found in both runs.
const pairs = (c) => {
  const counted = c.matched !== "features";
  return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("compare.pairs") }, h("table", { class: "pairs" },
    h("caption", {}, t("compare.pairs")),
    h("thead", {}, h("tr", {}, ["A: " + c.a.name, t("compare.size"), "B: " + c.b.name, t("compare.size"), counted ? t("compare.both") : null, t("compare.changed")].filter(Boolean).map((x) => h("th", { scope: "col" }, x)))),
    h("tbody", {}, c.pairs.map((p) => h("tr", {}, h("th", { scope: "row" }, name(p.a)), h("td", { "data-of": t("compare.size") }, many(p.a)), h("td", { class: "wrap", "data-of": "B" }, name(p.b)), h("td", { "data-of": t("compare.size") }, many(p.b)),
      counted ? h("td", { "data-of": t("compare.both") }, p.both === null ? t(p.like ? "compare.like." + p.like : "withheld") : number(p.both)) : null,
      h("td", { class: "wrap", "data-of": t("compare.changed") }, p.features.length ? changes(p.features) : t("compare.nothing")))))));
};

// alone lists the groups that have no partner in the other run.
const alone = (c) => [["A: " + c.a.name, c.alone_a], ["B: " + c.b.name, c.alone_b]].filter(([, list]) => list.length).map(([of, list]) =>
  h("p", {}, h("strong", {}, t("compare.alone", { of })), " ", list.map((x, i) => [i ? "; " : "", name(x.group), " ", h("span", { class: "quiet" }, many(x.group))])));

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
      const c = await call("compare", { run: run.run, with: other, language: lang() });
      const said = await retold([...c.summary, ...c.warnings.map((w) => w.text)]);
      second.replaceChildren(h("p", { class: "quiet" }, t("compare.sides", { a: c.a.name, b: c.b.name })), ...c.summary.map((_, i) => h("p", {}, said[i])),
        h("div", { class: "numbers" }, c.ari === null ? null : h("p", { class: "big" }, h("span", { class: "value" }, c.ari.toFixed(c.ari_within >= 0.1 ? 1 : 2)), " ", h("span", { class: "label" }, t("compare.ari"))),
          c.stayed === null ? null : h("p", { class: "big" }, h("span", { class: "value" }, percent(c.stayed)), " ", h("span", { class: "label" }, t("compare.stayed")))),
        c.pairs.length ? pairs(c) : "", ...alone(c), ...c.warnings.map((_, i) => h("div", { class: "warning" }, h("p", {}, said[c.summary.length + i]))));
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
