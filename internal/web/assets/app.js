// The workbench: which screen is shown, by the address; the frame around it.
import { h, t, learn, isReviewed, link, alertBox, say } from "./ui.js";
import { path, move, arrive } from "./place.js";
import start from "./start.js";
import read from "./read.js";
import job from "./job.js";
import run from "./run.js";
import studies from "./studies.js";
import settings from "./settings.js";
import help from "./help.js";

const screens = [
  [/^\/$/, start],
  [/^\/data\/([^/]+)$/, read],
  [/^\/jobs\/([^/]+)$/, job],
  [/^\/runs\/([^/]+)(?:\/(\w+))?$/, run],
  [/^\/studies$/, studies],
  [/^\/settings$/, settings],
  [/^\/help$/, help],
];

let leaving = new AbortController(), shown = "";

// mark remembers what has the focus, so that a screen that is drawn anew with another
// answer does not lose it: a person walks on from where the click was.
const mark = () => {
  const e = document.activeElement;
  if (!e || e === document.body || !document.getElementById("main").contains(e)) return null;
  if (e.id && e.id !== "main") return "#" + CSS.escape(e.id);
  return e.name ? `[name="${CSS.escape(e.name)}"][value="${CSS.escape(e.value)}"]` : null;
};

// frame draws what is around every screen.
const frame = () => {
  document.getElementById("skip").textContent = t("skip");
  const nav = document.getElementById("nav");
  const items = [["/", "nav.start"], ["/settings", "nav.settings"], ["/help", "nav.help"]];
  nav.replaceChildren(...items.map(([to, key]) => link(to, { "aria-current": path() === to ? "page" : false }, t(key))));
  document.getElementById("foot").replaceChildren(h("p", { class: "quiet" }, t("foot"), isReviewed() ? "" : " " + t("unreviewed")));
};

// draw shows the screen of the address.
const draw = async () => {
  leaving.abort();
  leaving = new AbortController();
  const signal = leaving.signal;
  frame();
  const main = document.getElementById("main");
  const same = path() === shown, focus = same && mark(), height = same ? scrollY : 0;
  if (same) main.style.minHeight = main.offsetHeight + "px"; // nothing jumps meanwhile
  shown = path();
  for (const [pattern, screen] of screens) {
    const found = path().match(pattern);
    if (!found) continue;
    const words = found.slice(1).map((x) => x && decodeURIComponent(x));
    main.replaceChildren(h("h1", { class: "unseen" }, t("loading")), h("p", { class: "quiet loading", "aria-hidden": "true" }, t("loading")));
    try {
      const page = await screen({ main, signal }, ...words);
      if (signal.aborted) return;
      document.title = page.title + " – moiety";
      main.replaceChildren(...page.body);
      page.shown && page.shown(main);
      main.style.minHeight = "";
      const before = focus && main.querySelector(focus);
      (before || main).focus({ preventScroll: true });
      scrollTo(0, height);
      before || say(page.title);
    } catch (error) {
      if (signal.aborted || error.name === "AbortError") return;
      document.title = t("error.title") + " – moiety";
      main.style.minHeight = "";
      main.replaceChildren(h("h1", {}, t("error.title")), alertBox(error), h("p", {}, link("/", {}, t("back.start"))));
      if (!error.kind) console.error(error);
    }
    return;
  }
  main.replaceChildren(h("h1", {}, t("error.title")), h("p", {}, t("nowhere")), h("p", {}, link("/", {}, t("back.start"))));
};

// Links inside the house change the screen without loading the page anew.
document.addEventListener("click", (e) => {
  const a = e.target.closest("a[data-go]");
  if (!a || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  move(a.dataset.go);
  draw();
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "?" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select")) return;
  e.preventDefault();
  move("/help");
  draw();
});
addEventListener("popstate", draw);
addEventListener("moved", draw);
addEventListener("language", draw);

arrive();
const wanted = localStorage.getItem("language") || (navigator.language || "en").slice(0, 2);
await learn(wanted === "es" ? "es" : "en");
draw();
