// What we read: the first rows as they were understood, what a row is, repairs,
// three questions, and whether the data are enough.
import { h, t, has, number, go, query, setQuery, link, alertBox, retold, say } from "./ui.js";
import { call, watch } from "./door.js";
import { stepName, stepWords } from "./job.js";

const settingsNow = () => { try { return JSON.parse(query().get("settings") || "{}"); } catch { return {}; } };
// change reads anew under other settings; the way back leads to those of before.
const change = (settings) => { setQuery({ settings: Object.keys(settings).length ? JSON.stringify(settings) : "" }, true); dispatchEvent(new Event("moved")); };

// firstRows is the table of the first rows.
const firstRows = (read) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("read.rows") },
  h("table", { class: "rows" },
    h("thead", {}, h("tr", {}, read.table.head.map((name, i) => h("th", { scope: "col" }, i === 0 ? t("read.id") : name || word(read.unit.features))))),
    h("tbody", {}, read.table.rows.map((row) => h("tr", {}, row.map((cell, i) => h(i ? "td" : "th", i ? {} : { scope: "row" }, cell || "–")))))));

const option = (q, o, settings) => {
  const value = (on) => {
    const next = { ...settings };
    if (q.many) {
      const list = new Set(q.options.filter((x) => x.on).map((x) => x.value));
      on ? list.add(o.value) : list.delete(o.value);
      next[q.field] = [...list];
    } else next[q.field] = o.value;
    change(next);
  };
  const key = `question.${q.id}.${o.value}`;
  const label = o.label || (has(key) ? t(key) : o.value);
  return h("label", { class: "option" },
    h("input", { type: q.many ? "checkbox" : "radio", name: q.id, value: o.value, checked: o.on, onchange: (e) => value(e.target.checked) }),
    h("span", {}, label, o.n ? h("span", { class: "quiet" }, " " + t("question.features", { n: number(o.n) })) : null));
};

const question = (q, settings) => {
  const many = q.options.length > 8;
  const list = h("div", { class: many ? "options many" : "options" }, q.options.map((o) => option(q, o, settings)));
  return h("fieldset", { class: "question" }, h("legend", {}, t("question." + q.id)), h("p", { class: "quiet small" }, t("question." + q.id + ".why")), list);
};

// word says what records are called, where the catalogue has it.
const word = (text) => has("word." + text) ? t("word." + text) : text;

const repair = (r, settings) => h("div", { class: "repair", "data-repair": r.id },
  h("p", {}, r.why || t("repair." + r.id + ".why", { about: word(r.about), n: number(r.n), all: number(r.all) })),
  h("button", { type: "button", onclick: () => {
    const next = { ...settings };
    next[r.field] = r.field === "exclude" ? [...(settings.exclude || []), r.value] : r.field === "min_codes" ? Number(r.value) : r.value;
    change(next);
  } }, t("repair." + r.id, { about: word(r.about) })));

const weight = (w) => t("weight." + w.weight);

// lightCard tells whether the data are enough; it asks while the person reads.
const lightCard = (data, settings, signal, holder) => {
  const card = h("section", { class: "panel light", "aria-labelledby": "light" }, h("h2", { id: "light" }, t("light.title")), h("p", { class: "quiet" }, t("light.asking")));
  const show = async (x) => {
    [x.reason, x.remedy] = await retold([x.reason, x.remedy || ""]);
    const k = x.verdict && x.verdict.groups;
    card.className = "panel light " + x.light;
    card.replaceChildren(h("h2", { id: "light" }, t("light.title")),
      h("p", { class: "lamp" }, h("span", { class: "dot", "aria-hidden": "true" }), h("strong", {}, t("light." + x.light)), k ? h("span", {}, " " + t(k === 1 ? "light.one" : "light.groups", { n: k })) : null),
      h("p", {}, x.reason), x.remedy ? h("p", { class: "quiet" }, x.remedy) : null);
    say(t("light." + x.light));
  };
  (async () => {
    try {
      const job = await call("light", { data, settings });
      holder.job = job.id;
      const over = await watch(job.id, (now) => {
        const s = now.steps[now.steps.length - 1];
        card.lastChild.textContent = s ? stepName(s) + " " + stepWords(s) : t("light.asking");
      }, signal);
      holder.job = null;
      over.state === "done" ? await show(over.result) : card.lastChild.replaceWith(over.state === "cancelled" ? h("p", { class: "quiet" }, t("job.gone")) : alertBox(over.error));
    } catch (e) { if (e.name !== "AbortError") card.lastChild.replaceWith(alertBox(e)); }
  })();
  signal.addEventListener("abort", () => holder.job && call("cancel", { job: holder.job }).catch(() => {}));
  return card;
};

export default async ({ main, signal }, data) => {
  const settings = settingsNow();
  const began = await call("read", { data, settings });
  let reading = true;
  signal.addEventListener("abort", () => reading && call("cancel", { job: began.id }).catch(() => {}));
  const words = h("p", { class: "quiet" });
  main.replaceChildren(h("p", { class: "eyebrow" }, data), h("h1", {}, t("read.reading")), words);
  const job = await watch(began.id, (now) => { const s = now.steps[now.steps.length - 1]; words.textContent = s ? stepName(s) + " " + stepWords(s) : ""; }, signal);
  reading = false;
  if (job.state !== "done") {
    return { title: t("read.failed"), body: [h("p", { class: "eyebrow" }, data), h("h1", {}, t("read.failed")), alertBox(job.error), h("p", {}, t("read.failed.what")), h("p", {}, link("/", {}, t("back.start")))] };
  }
  const read = job.result, holder = { job: null };
  const { notes, repaired, warnings } = read, said = await retold([...notes, ...repaired.map((r) => r.name), ...warnings.map((w) => w.text), ...warnings.map((w) => w.remedy || ""), read.words || ""]);
  const next = (n) => said.splice(0, n);
  next(notes.length).forEach((x, i) => { notes[i] = x; });
  next(repaired.length).forEach((x, i) => { repaired[i].name = x; });
  next(warnings.length).forEach((x, i) => { warnings[i].text = x; });
  next(warnings.length).forEach((x, i) => { warnings[i].remedy = x; });
  read.words = said[0];
  const status = h("div", {});
  const size = h("input", { type: "number", id: "size", min: "1", max: "500", inputmode: "numeric", value: settings.groups || "", placeholder: t("read.size.auto") });
  const courses = read.what === "sequences" ? h("input", { type: "number", id: "courses", min: "1", max: "20", inputmode: "numeric", value: settings.courses || "", placeholder: t("read.courses.none") }) : null;
  const dates = read.columns.filter((c) => c.role === "beside").map((c) => c.name);
  if (settings.time && !dates.includes(settings.time)) dates.unshift(settings.time);
  const time = dates.length && read.what === "texts" ? h("select", { id: "time", onchange: (e) => { const next = { ...settings }; e.target.value ? next.time = e.target.value : delete next.time; change(next); } },
    h("option", { value: "" }, t("read.time.none")), dates.map((c) => h("option", { value: c, selected: c === settings.time }, c))) : null;
  const name = h("input", { type: "text", id: "name", maxlength: "60", value: data.replace(/\..*$/, "") });
  const find = async () => {
    find.button.disabled = true;
    try {
      const wanted = { ...settings };
      delete wanted.groups;
      if (Number(size.value) > 0) wanted.groups = Number(size.value);
      delete wanted.courses;
      if (courses && Number(courses.value) > 0) wanted.courses = Number(courses.value);
      // The number of groups is being judged already: the fit takes that over, unless a number is asked for.
      if (holder.job && wanted.groups) await call("cancel", { job: holder.job }).catch(() => {});
      const fit = await call("fit", { data, settings: wanted, name: name.value });
      holder.job = null;
      go("/jobs/" + fit.id);
    } catch (e) { find.button.disabled = false; status.replaceChildren(alertBox(e)); }
  };
  find.button = h("button", { type: "button", class: "primary", id: "find", onclick: find }, t("read.find"));
  const beside = read.columns.filter((c) => c.role === "beside").map((c) => c.name);
  const count = (n, word) => h("p", { class: "big" }, h("span", { class: "value" }, n), " ", h("span", { class: "label" }, word));
  return {
    title: t("read.title"),
    body: [
      h("p", { class: "eyebrow" }, data),
      h("h1", {}, t("read.title")),
      h("p", { class: "lead" }, t("what." + read.what)),
      h("div", { class: "numbers" },
        count(read.records === null ? t("withheld") : number(read.records), word(read.unit.many)), count(number(read.features), word(read.unit.features)),
        beside.length ? count(number(beside.length), t("read.beside", { names: beside.slice(0, 6).join(", ") + (beside.length > 6 ? "…" : "") })) : null),
      h("div", { class: "columns" },
        h("div", { class: "leftside" },
          h("div", {}, h("h2", {}, t("read.rows")), h("p", { class: "quiet" }, t("read.rows.why", { n: read.table.rows.length })), firstRows(read),
            read.table.more ? h("p", { class: "quiet" }, t("read.more", { n: number(read.table.more) })) : null),
          h("section", {}, h("h2", {}, t("read.understood")), h("ul", {}, read.notes.map((n) => h("li", {}, n)),
            read.repaired.map((r) => h("li", {}, t("read.repaired", { what: r.name, n: r.n === null ? t("few") : number(r.n) }))))),
          read.top.length ? h("details", {}, h("summary", {}, t("read.top", { features: word(read.unit.features) })), h("ol", {}, read.top.slice(0, 20).map((f) => h("li", {}, f.name, f.n === null ? "" : h("span", { class: "quiet" }, " " + number(f.n)))))) : null),
        h("div", { class: "rightside" },
          lightCard(data, settings, signal, holder),
          h("section", { class: "panel go", "aria-label": t("read.find") },
            h("p", {}, find.button), h("p", { class: "quiet small" }, t("read.find.why")),
            h("details", {}, h("summary", {}, t("read.more.settings")),
              h("p", {}, h("label", { for: "size" }, t("read.size")), size), h("p", { class: "quiet small" }, t("read.size.why")),
              courses ? [h("p", {}, h("label", { for: "courses" }, t("read.courses")), courses), h("p", { class: "quiet small" }, t("read.courses.why"))] : null,
              time ? [h("p", {}, h("label", { for: "time" }, t("read.time")), time), h("p", { class: "quiet small" }, t("read.time.why"))] : null,
              h("p", {}, h("label", { for: "name" }, t("read.name")), name)), status),
          read.repairs.length ? h("section", { class: "panel" }, h("h2", {}, t("read.repairs")), read.repairs.map((r) => repair({ ...r, all: read.records }, settings))) : null,
          read.warnings.length ? h("section", { class: "panel" }, h("h2", {}, t("read.warnings")), read.warnings.map((w) => h("div", { class: "warning" }, h("p", {}, h("strong", {}, weight(w) + "."), " ", w.text, w.remedy ? " " + w.remedy : "")))) : null,
          h("section", { class: "panel", "aria-labelledby": "questions" }, h("h2", { id: "questions" }, t("read.questions")), read.questions.map((q) => question(q, settings))),
          read.words ? h("p", { class: "quiet small" }, read.words) : null)),
    ],
  };
};
