// Who is in it: single records of a group, a part at a time.
import { h, t, number, percent, query, setQuery, alertBox } from "./ui.js";
import { call } from "./door.js";

// features lists what a record has; what marks the group is shaded.
export const features = (m, between = " · ") => h("span", { class: "words" }, m.features.map((f, i) => [i ? between : "", m.typical.includes(i) ? h("mark", {}, f) : h("span", {}, f)]));

// beside tells what was kept beside a record: the title of a document, an age.
export const beside = (m, x) => (x.beside || []).map((value, i) => value && `${m.beside[i]} ${value}`).filter(Boolean).join(" · ");

export default async (_, run) => {
  const r = run.report, q = query();
  const groups = r.groups.map((g) => [g.id, `${g.name} (${g.id})`]);
  let group = q.get("group") || r.groups[r.leaves[0]].id, from = Number(q.get("from")) || 0, show = q.get("show") === "true";
  const out = h("div", { "aria-live": "polite" });
  const load = async () => {
    setQuery({ group, from: from || "", show: show ? "true" : "" });
    try {
      const m = await call("members", { run: run.run, group, from: from || "", most: 50, show });
      if (m.hidden) {
        out.replaceChildren(h("div", { class: "panel" }, h("p", {}, t("members.hidden")), h("p", {}, h("button", { type: "button", class: "primary", onclick: () => { show = true; load(); } }, t("members.show")))));
        return;
      }
      const move = (to, key) => h("button", { type: "button", onclick: () => { from = to; load(); } }, t(key));
      out.replaceChildren(h("p", { class: "quiet" }, t("members.n", { n: m.n === null ? t("few") : number(m.n), from: number(from + 1), to: number(from + m.members.length) })),
        h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("tab.members") }, h("table", { class: "rows members" },
          h("thead", {}, h("tr", {}, [t("read.id"), t("members.sure"), t("members.has")].map((x) => h("th", { scope: "col" }, x)))),
          h("tbody", {}, m.members.map((x) => h("tr", {}, h("th", { scope: "row" }, x.id), h("td", {}, percent(x.probability)), h("td", { class: "wrap" }, beside(m, x) ? h("div", { class: "quiet small" }, beside(m, x)) : null, features(x, run.topics ? " " : " · "))))))),
        h("p", { class: "row" }, from ? move(Math.max(0, from - 50), "page.before") : null, m.next ? move(m.next, "page.next") : null), h("p", { class: "quiet small" }, t("members.key"), " ", t("records.careful")));
    } catch (e) { out.replaceChildren(alertBox(e)); }
  };
  return {
    title: t("tab.members"),
    body: [h("h1", {}, t("members.title")), h("p", {}, h("label", { for: "group" }, t("members.group")), " ",
      h("select", { id: "group", onchange: (e) => { group = e.target.value; from = 0; load(); } }, groups.map(([v, w]) => h("option", { value: v, selected: v === group }, w)))), out],
    shown: load,
  };
};
