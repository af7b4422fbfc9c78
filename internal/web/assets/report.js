// Report and exports: every form in which a run leaves the workbench.
// Only forms that this run has are offered.
import { h, t, retold } from "./ui.js";
import { saves } from "./door.js";

export default async (_, run) => {
  const share = h("input", { type: "checkbox", id: "share" });
  const full = h("input", { type: "checkbox", id: "full" });
  const links = [];
  const one = (format, primary) => {
    const a = h("a", { class: primary ? "button primary" : "button", "data-format": format, download: "" }, t("export." + format));
    links.push([a, format]);
    return h("li", { class: "item" }, h("div", {}, h("strong", {}, t("export." + format + ".name")), h("p", { class: "quiet" }, t("export." + format + ".why"))), a);
  };
  const update = () => links.forEach(([a, format]) => {
    const more = {};
    if (share.checked) more.share = "true";
    if (full.checked && format === "pdf") more.full = "true";
    saves(a, "export", { run: run.run, format, ...more });
    const off = (format === "omop-cohort" || format === "run") && share.checked;
    a.classList.toggle("off", off);
    off ? a.removeAttribute("href") : null;
  });
  share.addEventListener("change", update);
  full.addEventListener("change", update);
  const health = run.report.data.health;
  const body = [h("h1", {}, t("report.title")), h("p", { class: "lead" }, t("report.lead")),
    h("section", { class: "panel" }, h("p", {}, h("label", { class: "option" }, share, h("span", {}, h("strong", {}, t("report.share")), " ", t("report.share.why")))),
      h("p", {}, h("label", { class: "option" }, full, h("span", {}, t("report.full")))),
      h("p", { class: "quiet small" }, t(health ? "report.masked" : "report.open"))),
    h("section", { class: "offers" }, h("h2", {}, t("report.people")), h("ul", { class: "items" }, one("pdf", true), one("html", true), one("png"), one("svg"), run.topics ? one("ldavis") : null)),
    h("section", { class: "offers" }, h("h2", {}, t("report.programs")), h("ul", { class: "items" }, one("csv"), one("json"), one("npz"), run.topics ? one("octis") : null, run.report.shape === "tree" ? one("dot") : null, run.dated ? one("omop-cohort") : null, one("model"), one("run"))),
    h("section", {}, h("h2", {}, t("report.methods")), h("p", { class: "methods" }, (await retold([run.report.methods]))[0]))];
  update();
  return { title: t("tab.report"), body };
};
