// Courses: states over time, and where they lead.
import { h, t, alertBox } from "./ui.js";
import { call } from "./door.js";

export default async (_, run) => {
  const names = ["strips", "moves", "heatmap"];
  const boxes = names.map(() => h("div", {}, h("p", { class: "quiet" }, t("loading"))));
  return {
    title: t("tab.courses"),
    body: [h("h1", {}, t("courses.title")), h("p", { class: "lead" }, t("courses.lead")), ...boxes],
    shown: () => names.forEach((name, i) => call("picture", { run: run.run, name }).then(
      (p) => { boxes[i].innerHTML = p.html; parts.save(boxes[i]); },
      (e) => boxes[i].replaceChildren(e.kind === "refused" ? "" : alertBox(e)))),
  };
};
