// Small helpers for screens: elements, words, numbers, addresses.
import { path, search, href, move } from "./place.js";
import { call, words } from "./door.js";

// h makes an element. Attributes that begin with "on" are listeners, html is a
// piece that Go has written and escaped.
export const h = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (name === "html") e.innerHTML = value;
    else e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children.flat(9).filter((c) => c !== undefined && c !== null && c !== false));
  return e;
};

// piece makes elements of what Go has written.
export const piece = (html) => {
  const t = document.createElement("template");
  t.innerHTML = html;
  return t.content;
};

let catalogue = {}, fallback = {}, language = "en";

// learn reads the words of a language.
export const learn = async (lang) => {
  fallback = await words("en");
  catalogue = lang === "en" ? fallback : await words(lang);
  language = lang;
  document.documentElement.lang = lang;
};

export const lang = () => language;
export const isReviewed = () => catalogue._reviewed === "yes";

// t gives the words of a key, with values put in: {n}.
export const t = (key, values = {}) => {
  const text = catalogue[key] ?? fallback[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
};

// has says whether there are words for a key.
export const has = (key) => key in fallback;

export const number = (n) => n === null || n === undefined ? "" : new Intl.NumberFormat(language).format(n);
export const percent = (share) => share === null || share === undefined ? t("withheld") :
  new Intl.NumberFormat(language, { maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(100 * share) + "\u00a0%"; // as the report writes it
export const bytes = (n) => n < 1e6 ? number(Math.max(1, Math.round(n / 1e3))) + " kB" : number(Math.round(n / 1e5) / 10) + " MB";
export const date = (text) => {
  const d = new Date(text);
  return isNaN(d) ? "" : new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(d);
};
export const duration = (s) => s < 90 ? t("seconds", { n: Math.max(1, Math.round(s)) }) : t("minutes", { n: Math.round(s / 60) });

// say tells screen readers something.
export const say = (text) => { document.getElementById("said").textContent = text; };

// query reads and changes the state in the address.
export const query = () => new URLSearchParams(search());
export const setQuery = (changes, push) => {
  const q = query();
  for (const [k, v] of Object.entries(changes)) v === "" || v === null || v === undefined ? q.delete(k) : q.set(k, v);
  const at = path() + (q.size ? "?" + q : "");
  if (at !== path() + search()) move(at, !push);
};

// go leads to another screen.
export const go = (to, replace) => {
  move(to, replace);
  dispatchEvent(new Event("moved"));
};

// link is a link inside the house.
export const link = (to, attributes, ...children) => h("a", { href: href(to), "data-go": to, ...attributes }, ...children);

// retold says texts that the program keeps in English in the language of the screens.
export const retold = async (texts) => {
  if (lang() === "en" || !texts.some(Boolean)) return texts;
  try { return (await call("words", { language: lang(), texts })).texts; } catch { return texts; }
};

// alertBox tells what went wrong, in words, with what to do.
export const alertBox = (error) => {
  const words = h("span", {}, error.message === "gone" ? t("error.gone.why") : error.message);
  if (error.message && error.message !== "gone") {
    words.ariaBusy = "true";
    retold([error.message]).then(([said]) => { words.textContent = said; words.ariaBusy = "false"; });
  }
  return h("div", { class: "alert", role: "alert" }, h("p", {}, h("strong", {}, t("error." + (error.kind || "fault"))), " ", words));
};

// bar is a bar of progress with words.
export const bar = (done, total, words) => total > 0 ?
  h("div", { class: "progress" }, h("progress", { max: total, value: Math.min(done, total), "aria-label": words }), h("span", { class: "quiet" }, words)) :
  h("div", { class: "progress" }, h("span", { class: "quiet" }, words));
