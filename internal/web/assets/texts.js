// Texts: the map of topics with the bars of terms and their slider, a search for a
// word, topics over time, and documents with words shaded.
import { h, t, lang, percent, query, setQuery, link, alertBox } from "./ui.js";
import { call, frames } from "./door.js";
import { features, beside } from "./members.js";
import { trends } from "./trends.js";

// fitted makes a frame as tall as the page in it says that it is.
let framed = null;
const fitted = (frame) => (framed = frame);
addEventListener("message", (e) => {
  if (framed && e.source && e.source === framed.contentWindow && e.data.tall > 0) framed.style.height = `${Math.ceil(e.data.tall) + 2}px`;
});

export default async (_, run, at) => {
  const r = run.report, q = query();
  const topics = r.leaves.map((i) => r.groups[i]);
  let topic = q.get("group") || topics[0].id;
  const documents = h("div", { "aria-live": "polite" }), found = h("div", { "aria-live": "polite" });
  const load = async () => {
    setQuery({ group: topic });
    try {
      const m = await call("members", { run: run.run, group: topic, most: 12, best: true });
      documents.replaceChildren(m.members.length ? h("ul", { class: "items" }, m.members.map((x) => h("li", { class: "item text" }, h("div", {}, h("strong", {}, t("texts.document", { id: x.id })), " ", h("span", { class: "quiet" }, [percent(x.probability), beside(m, x)].filter(Boolean).join(" · ")), h("p", {}, features(x, " "))))))
        : h("p", { class: "quiet" }, t("members.hidden")));
    } catch (e) { documents.replaceChildren(alertBox(e)); }
  };
  const search = (word) => {
    setQuery({ word });
    word = word.trim().toLowerCase();
    if (!word) { found.replaceChildren(); return; }
    const hits = topics.flatMap((g) => g.typical.filter((f) => f.title.toLowerCase().includes(word)).map((f) => [g, f])).sort((a, b) => (b[1].share || 0) - (a[1].share || 0)).slice(0, 12);
    found.replaceChildren(hits.length ? h("ul", {}, hits.map(([g, f]) => h("li", {}, h("strong", {}, f.title), " – ", link(`${at}?group=${g.id}`, {}, g.name), " ", h("span", { class: "quiet" }, percent(f.share))))) : h("p", { class: "quiet" }, t("texts.notfound")));
  };
  const over = trends(run);
  const field = h("input", { type: "search", id: "word", value: q.get("word") || "", oninput: (e) => search(e.target.value) });
  return {
    title: t("tab.texts"),
    body: [h("h1", {}, t("texts.title")), h("p", { class: "lead" }, t("texts.lead")),
      fitted(frames(h("iframe", { class: "map", name: document.documentElement.dataset.theme, title: t("texts.map") }), { run: run.run, format: "ldavis", language: lang() })),
      h("section", {}, h("h2", {}, t("texts.search")), h("p", {}, h("label", { for: "word" }, t("texts.word")), " ", field), found),
      h("section", { id: "over" }, h("h2", {}, t("texts.over")), over.some ? over.box : h("p", { class: "quiet" }, t(over.withheld ? "texts.over.withheld" : "texts.over.none"))),
      h("section", {}, h("h2", {}, t("texts.documents")), h("p", {}, h("label", { for: "topic" }, t("texts.topic")), " ",
        h("select", { id: "topic", onchange: (e) => { topic = e.target.value; load(); } }, topics.map((g) => h("option", { value: g.id, selected: g.id === topic }, `${g.name} (${g.id})`)))),
        h("p", { class: "quiet small" }, t("texts.key")), documents)],
    shown: () => { load(); over.fill(); if (field.value) search(field.value); },
  };
};
