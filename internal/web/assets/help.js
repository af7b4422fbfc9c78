// Help: how it works, keys, and the words that pages use.
import { h, t, has } from "./ui.js";

const numbered = (prefix) => {
  const out = [];
  for (let i = 1; has(`${prefix}.${i}`); i++) out.push(i);
  return out;
};

export default async () => ({
  title: t("nav.help"),
  body: [h("div", { class: "narrow" }, h("h1", {}, t("nav.help")),
    h("h2", {}, t("help.how")), h("ol", {}, numbered("how").map((i) => h("li", {}, t("how." + i)))),
    h("h2", {}, t("help.keys")), h("dl", { class: "facts keys" }, numbered("key").map((i) => [h("dt", {}, h("kbd", {}, t("key." + i))), h("dd", {}, t(`key.${i}.does`))])),
    h("h2", {}, t("help.words")), h("dl", { class: "glossary" }, numbered("word").map((i) => [h("dt", {}, t("word." + i)), h("dd", {}, t(`word.${i}.means`))])),
    h("h2", {}, t("help.safe")), h("p", {}, t("help.safe.1")), h("p", {}, t("help.safe.2")))],
});
