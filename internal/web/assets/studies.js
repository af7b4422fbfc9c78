// Studies with other sites: how far each is, who is awaited, and what has left a site.
import { h, t, number, bytes, link, retold } from "./ui.js";
import { call } from "./door.js";

// resting says that no site has sent anything since the last round: it is not begun, or
// there is none, which nobody but the sites can know.
const resting = (s) => s.rounds > 0 && s.missing.length === s.sites;

const state = (s) => {
  if (s.problem) return h("p", { class: "alert" }, s.problem);
  if (s.stopped) return h("p", { class: "alert" }, t("study.stopped", { site: s.stopped }));
  if (s.site) return h("p", {}, t(s.sent.length > 1 ? "study.home" : "study.home.joined", { n: number(s.rounds) }));
  if (s.unnamed) return h("p", {}, t("study.joining", { n: number(s.joined.length), all: number(s.sites) }));
  if (resting(s)) return h("p", {}, t("study.rest", { n: number(s.rounds) }));
  if (s.missing.length) return h("p", {}, t("study.waiting", { n: number(s.rounds), sites: s.missing.join(", ") }));
  return h("p", {}, t("study.ready", { n: number(s.rounds) }));
};

// typed is what to type in a terminal; lines part between words alone, not after "-".
const typed = (text) => h("pre", { tabindex: "0" }, h("code", {}, text.split(/(\s+)/).map((word) => /\S/.test(word) ? h("span", { class: "typed" }, word) : word)));

// commands are what to type next: rounds are begun where the keys are, in a terminal.
const commands = (s) => {
  if (s.problem) return null;
  const what = s.site ? [`moiety study round ${s.folder} --wait`, `moiety study close ${s.folder} -o RUN`] :
    s.unnamed ? [`moiety study join ${s.folder} DATA --site NAME`] : [`moiety study round ${s.folder} --wait`, `moiety study close ${s.folder} -o RUN`];
  return h("div", {}, h("p", { class: "quiet" }, t("study.next")), typed(what.join("\n")));
};

const sent = (s) => s.sent.length ? h("details", {}, h("summary", {}, t("study.sent", { n: number(s.sent.length), size: bytes(s.sent.reduce((sum, x) => sum + x.bytes, 0)) })),
  h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("study.sent.table") }, h("table", {},
    h("thead", {}, h("tr", {}, ["round", "what", "size", "file", "sum"].map((k) => h("th", { scope: "col" }, t("study.col." + k))))),
    h("tbody", {}, s.sent.map((x) => h("tr", {}, h("th", { scope: "row" }, number(x.round)), h("td", { class: "wrap" }, x.what), h("td", {}, bytes(x.bytes)), h("td", {}, x.file), h("td", {}, h("code", {}, x.sum.slice(0, 16) + "…")))))))) : null;

const card = (s) => h("section", { class: "panel study" },
  h("p", { class: "eyebrow" }, t(s.site ? "study.is.home" : "study.is.lead") + " · " + s.folder),
  h("h2", {}, s.site ? `${s.name}: ${s.site}` : s.name || s.folder),
  s.problem ? null : h("div", { class: "numbers" },
    h("p", { class: "big" }, h("span", { class: "value" }, number(s.sites)), " ", h("span", { class: "label" }, t("study.sites"))),
    h("p", { class: "big" }, h("span", { class: "value" }, number(s.rounds)), " ", h("span", { class: "label" }, t("study.rounds")))),
  state(s),
  s.joined.length ? h("ul", { class: "sites" }, s.joined.map((name) => h("li", {}, name, " ", h("span", { class: "quiet" }, t(s.unnamed || resting(s) ? "study.has.joined" : s.missing.includes(name) ? "study.awaited" : "study.has.sent"))))) : null,
  s.problem ? null : h("p", { class: "quiet" }, t(s.open ? "study.open" : "study.secure")),
  commands(s), sent(s));

export default async () => {
  const { studies } = await call("studies");
  const sent = studies.flatMap((s) => s.sent), said = await retold(sent.map((x) => x.what));
  sent.forEach((x, i) => { x.what = said[i]; });
  return {
    title: t("study.title"),
    body: [h("h1", {}, t("study.title")), h("p", { class: "lead" }, t("study.lead")),
      ...(studies.length ? studies.map(card) : [h("p", {}, t("study.none")), typed("moiety study new NAME --sites 3")]),
      h("p", {}, link("/", {}, t("back.start")))],
  };
};
