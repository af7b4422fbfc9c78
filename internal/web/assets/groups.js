// Groups: the picture of the whole, the slider between fewer and more, the tree,
// and the group that was chosen.
import { h, t, lang, piece, query, setQuery, link, go, alertBox, say } from "./ui.js";
import { call } from "./door.js";

// idOf turns the name of a place in the page back into the id of a group.
const idOf = (slug) => slug.replaceAll("-", ".");

// editor is a small form that changes one thing of a group.
const editor = (label, value, long, save) => {
  const field = h(long ? "textarea" : "input", { id: "edit", rows: "3", maxlength: long ? "2000" : "80" });
  field.value = value;
  const form = h("form", { class: "editor", onsubmit: (e) => { e.preventDefault(); once(form.querySelector(".primary"), () => save(field.value)); } },
    h("label", { for: "edit" }, label), field,
    h("p", { class: "row" }, h("button", { class: "primary" }, t("save")), h("button", { type: "button", onclick: () => form.dispatchEvent(new Event("left")) }, t("cancel"))));
  return form;
};

// once does something once, however often a button is clicked meanwhile.
const once = async (button, doit) => {
  if (button.disabled) return;
  button.disabled = true;
  try { await doit(); } finally { button.disabled = false; }
};

// answers keeps what is told of groups while a screen is shown: who points at a group or
// walks to it has it asked for, and the click finds it there.
const answers = (run) => {
  const kept = new Map(), most = 60;
  return (id) => {
    if (!kept.has(id)) {
      if (kept.size >= most) kept.clear();
      const told = call("group", { run: run.run, group: id, lambda: query().get("lambda") || "", language: lang() });
      told.catch(() => kept.delete(id));
      kept.set(id, told);
    }
    return kept.get(id);
  };
};

// panel draws one group, with what can be done with it.
const panel = async (run, id, ask, redraw) => {
  const one = await ask(id);
  const g = one.group, at = "/runs/" + encodeURIComponent(run.run);
  const status = h("div", { "aria-live": "polite" });
  const change = async (kind, text) => {
    try { await call("edit", { run: run.run, group: id, kind, text }); say(t("edit.done")); redraw(id); } catch (e) { status.replaceChildren(alertBox(e)); }
  };
  const edit = (from, kind, label, value, long) => {
    const form = editor(label, value, long, (text) => change(kind, text));
    form.addEventListener("left", () => { status.replaceChildren(); from.focus(); });
    status.replaceChildren(form);
    form.querySelector("#edit").focus();
  };
  const inside = async () => {
    try { const job = await call("fit", { run: run.run, group: id, settings: {} }); go("/jobs/" + job.id); } catch (e) { status.replaceChildren(alertBox(e)); }
  };
  const parent = run.report.groups.find((x) => x.id === g.parent);
  const sibling = parent && parent.children.find((x) => x !== g.id);
  const near = g.nearest && g.nearest[0] ? g.nearest[0].id : sibling;
  const box = h("article", { class: "chosen", style: one.style, "data-group": id, "aria-labelledby": "chosen" },
    h("p", { class: "row back" }, h("button", { type: "button", class: "plain", onclick: () => redraw("") }, "← " + t("group.all"))),
    h("h2", { id: "chosen", tabindex: "-1" }, one.pinned ? h("span", { title: t("group.pinned") }, "★ ") : null, g.name, " ", h("span", { class: "id" }, g.id)),
    h("div", { class: "actions row" },
      h("button", { type: "button", onclick: (e) => edit(e.currentTarget, "rename", t("group.newname"), g.name) }, t("group.rename")),
      h("button", { type: "button", onclick: (e) => edit(e.currentTarget, "note", t("group.newnote"), one.note, true) }, t("group.note")),
      h("button", { type: "button", "aria-pressed": String(one.pinned), onclick: (e) => once(e.currentTarget, () => change(one.pinned ? "unpin" : "pin", "")) }, one.pinned ? t("group.unpin") : t("group.pin")),
      one.inside ? h("button", { type: "button", onclick: (e) => once(e.currentTarget, inside) }, t("group.inside")) : null,
      near ? link(`${at}/compare?a=${g.id}&b=${near}`, { class: "button" }, t("group.beside")) : null,
      link(`${at}/members?group=${g.id}`, { class: "button" }, t("group.members"))),
    status,
    one.note ? h("p", { class: "note" }, h("strong", {}, t("group.note") + ": "), one.note) : null,
    h("div", { class: "told", html: one.html }));
  const told = box.querySelector(".told"), tables = [...told.children].filter((e) => e.classList.contains("scroll"));
  if (tables.length) told.append(h("details", {}, h("summary", {}, t("group.tables")), tables));
  box.querySelectorAll('a[href="#main"]').forEach((a) => a.closest("p").remove());
  parts.save(box);
  return box;
};

// treePane shows how the groups split: beside the groups where there is room, and before
// them, closed, where there is none.
const treePane = (tree) => {
  const head = h("h2", { id: "treehead" }, t("groups.tree")), keys = h("p", { class: "quiet small" }, t("groups.keys"));
  if (matchMedia("(min-width: 1000px)").matches) return h("div", { class: "treepane" }, head, keys, tree);
  return h("details", { class: "treepane", open: query().get("tree") === "open", ontoggle: (e) => setQuery({ tree: e.target.open ? "open" : "" }) }, h("summary", {}, head), keys, tree);
};

export default async (_, run) => {
  const r = run.report, html = run.html;
  const whole = h("div", { class: "wholepart", html: html.whole });
  const cards = h("div", { class: "cardpart", html: html.cards });
  const evidence = h("div", { html: html.evidence });
  const tree = evidence.querySelector("ul.tree");
  const list = evidence.querySelector("#all");
  list && list.remove();
  const root = h("div", { class: "groups" });
  const side = h("div", { class: "side" });
  const isTree = r.shape === "tree" && r.groups.length > 3;

  const ask = answers(run);
  const near = (e) => {
    const a = e.target.closest?.('a[href^="#group-"], [role="treeitem"]');
    a && ask(idOf(a.dataset.group || a.getAttribute("href").slice(7))).catch(() => {});
  };
  root.addEventListener("pointerover", near);
  root.addEventListener("focusin", near);

  let asked = 0; // the group that was clicked last is shown, whichever answer comes last
  const show = async (id, focus) => {
    const mine = ++asked;
    setQuery({ group: id }, focus);
    root.querySelectorAll("[aria-selected]").forEach((e) => e.removeAttribute("aria-selected"));
    if (!id) { side.replaceChildren(cards); focus && root.querySelector("#cards")?.scrollIntoView({ block: "nearest" }); return; }
    try {
      const box = await panel(run, id, ask, async (next) => { // an edit changed the words of the whole
        if (next) { setQuery({ group: next }); dispatchEvent(new Event("moved")); } else show("", true);
      });
      if (mine !== asked) return;
      side.replaceChildren(box);
      const item = tree && tree.querySelector(`[data-group="${CSS.escape(id.replaceAll(".", "-"))}"]`);
      item && item.setAttribute("aria-selected", "true");
      if (focus) { box.querySelector("#chosen").focus({ preventScroll: true }); if (box.getBoundingClientRect().top > innerHeight * 0.6 || box.getBoundingClientRect().top < 0) box.scrollIntoView({ block: "start" }); }
      say(box.querySelector("#chosen").textContent);
    } catch (e) { mine === asked && side.replaceChildren(alertBox(e)); }
  };

  root.append(
    h("header", { class: "claimbox" }, h("div", { html: html.claim }), run.edits ? h("p", {}, h("button", { type: "button", class: "plain", id: "undo", onclick: (e) => once(e.currentTarget, async () => {
      try { await call("undo", { run: run.run }); say(t("edit.undone")); dispatchEvent(new Event("moved")); } catch (error) { side.prepend(alertBox(error)); }
    }) }, t("edit.undo"))) : null),
    h("div", { html: html.numbers }),
    whole,
    h("div", { class: isTree ? "columns" : "" },
      isTree ? treePane(tree) : null,
      side),
    h("div", { html: html.outcomes }), h("div", { html: html.next }), evidence, h("div", { html: html.methods }));
  side.replaceChildren(cards);

  root.addEventListener("click", (e) => {
    const a = e.target.closest('a[href^="#group-"]');
    if (!a || a.getAttribute("role") === "treeitem") return;
    e.preventDefault();
    show(idOf(a.getAttribute("href").slice(7)), true);
  });
  if (tree) {
    tree.setAttribute("aria-labelledby", "treehead");
    parts.tree(tree, (item) => show(idOf(item.dataset.group), true));
  }
  return {
    title: t("tab.groups"),
    body: [root],
    shown: async () => {
      parts.save(root);
      const slider = root.querySelector("#level");
      const q = query();
      const move = parts.slider(root, (k) => setQuery({ level: k === Number(slider.dataset.best) ? "" : k }));
      if (slider && q.get("level")) { slider.value = q.get("level"); move(); }
      if (q.get("group")) await show(q.get("group"), false);
    },
  };
};
