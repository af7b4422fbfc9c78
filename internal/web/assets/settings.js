// Settings: language, light or dark, and where things are kept.
import { h, t, lang, learn, isReviewed } from "./ui.js";
import { call } from "./door.js";

const choice = (id, label, options, now, changed) => h("fieldset", { class: "question" }, h("legend", {}, label),
  h("div", { class: "options" }, options.map(([value, words]) => h("label", { class: "option" }, h("input", { type: "radio", name: id, value, checked: value === now, onchange: () => changed(value) }), h("span", {}, words)))));

export default async () => {
  const about = await call("about");
  const theme = (value) => {
    value ? localStorage.setItem("theme", value) : localStorage.removeItem("theme");
    value ? document.documentElement.dataset.theme = value : delete document.documentElement.dataset.theme;
  };
  const speak = async (value) => { localStorage.setItem("language", value); await learn(value); dispatchEvent(new Event("language")); };
  return {
    title: t("nav.settings"),
    body: [h("div", { class: "narrow" }, h("h1", {}, t("nav.settings")),
      choice("language", t("settings.language"), [["en", "English"], ["es", "Español (sin revisar)"]], lang(), speak), isReviewed() ? null : h("p", { class: "quiet" }, t("settings.unreviewed")),
      choice("theme", t("settings.theme"), [["", t("settings.system")], ["light", t("settings.light")], ["dark", t("settings.dark")]], localStorage.getItem("theme") || "", theme),
      h("h2", {}, t("settings.about")), h("dl", { class: "facts" }, h("dt", {}, t("settings.program")), h("dd", {}, about.program), h("dt", {}, t("settings.where")), h("dd", {}, about.workspace)),
      h("p", { class: "quiet" }, t("settings.cells")))],
  };
};
