// A run: its groups, and the screens beside them.
import { h, t, lang, link, query } from "./ui.js";
import { call } from "./door.js";
import groups from "./groups.js";
import compare from "./compare.js";
import score from "./score.js";
import report from "./report.js";
import members from "./members.js";
import texts from "./texts.js";
import courses from "./courses.js";

const screens = { "": groups, compare, score, report, members, texts, courses };

export default async (page, id, screen = "") => {
  const draw = screens[screen];
  if (!draw) throw Object.assign(new Error(t("nowhere")), { kind: "unknown" });
  const lambda = query().get("lambda") || "";
  const run = await call("groups", { run: id, lambda, language: lang() });
  const at = "/runs/" + encodeURIComponent(id);
  const tabs = [["", "tab.groups"], run.topics ? ["texts", "tab.texts"] : null, run.sequences ? ["courses", "tab.courses"] : null,
    ["members", "tab.members"], ["compare", "tab.compare"], ["score", "tab.score"], ["report", "tab.report"]].filter(Boolean);
  const nav = h("nav", { class: "tabs", "aria-label": t("tab.label") },
    tabs.map(([to, key]) => link(to ? at + "/" + to : at, { "aria-current": to === screen ? "page" : false }, t(key))));
  const inside = await draw(page, run, at);
  return { ...inside, title: inside.title + ": " + id, body: [h("p", { class: "eyebrow where" }, link("/", {}, t("nav.start")), " › ", id), nav, ...inside.body] };
};
