// What the components of the report do in a browser. The report and the workbench
// share it; nothing happens until a page asks for it.
const parts = {};

// slider binds the slider between fewer and more groups to the cards and cells
// below root, and calls moved with the number of groups.
parts.slider = (root, moved) => {
  const slider = root.querySelector("#level");
  if (!slider) return;
  slider.parentElement.hidden = false;
  const cards = [...root.querySelectorAll(".card[data-born]")], cells = [...root.querySelectorAll(".whole a.cell")];
  const said = root.querySelector("#level-said");
  const move = () => {
    const k = Number(slider.value);
    const now = (e) => Number(e.dataset.born) <= k && k < Number(e.dataset.gone);
    let n = 0;
    cards.forEach((c) => { c.hidden = !now(c); n += now(c); });
    cells.forEach((c) => c.classList.toggle("off", Number(c.dataset.born) > k));
    said.textContent = slider.dataset.said.replace("#", n);
    if (moved) moved(k);
  };
  slider.addEventListener("input", move);
  said.textContent = slider.dataset.said.replace("#", slider.value);
  return move;
};

// save offers the pictures below root as files, made here and nowhere else.
parts.save = (() => {
  const load = (name, blob) => {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  };
  const drawn = (figure) => [...figure.querySelectorAll("svg")].find((s) => s.getBoundingClientRect().width > 0);
  const plain = (svg) => { // colours by their value, since a file has no page around it
    const style = getComputedStyle(document.documentElement);
    const text = new XMLSerializer().serializeToString(svg);
    return text.replace(/var\((--[a-z0-9-]+),?[^)]*\)/g, (all, name) => style.getPropertyValue(name).trim() || all);
  };
  const savers = {
    svg: (figure, svg) => load(figure.id + ".svg", new Blob([plain(svg)], { type: "image/svg+xml" })),
    png: (figure, svg) => {
      const box = svg.viewBox.baseVal, image = new Image(), canvas = document.createElement("canvas");
      canvas.width = 2 * box.width;
      canvas.height = 2 * box.height;
      image.onload = () => { canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height); canvas.toBlob((b) => load(figure.id + ".png", b)); };
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(plain(svg).replace("<svg ", `<svg width="${box.width}" height="${box.height}" `));
    },
    csv: (figure) => {
      const cell = (c) => /[",\n]/.test(c) ? '"' + c.replaceAll('"', '""') + '"' : c;
      const rows = [...figure.querySelectorAll("table tr")].map((r) => [...r.cells].map((c) => cell(c.textContent)).join(","));
      load(figure.id + ".csv", new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
    },
  };
  document.addEventListener("click", (e) => {
    const kind = e.target.dataset && e.target.dataset.save;
    if (!kind) return;
    const figure = e.target.closest("figure");
    savers[kind](figure, drawn(figure));
  });
  return (root) => root.querySelectorAll(".save").forEach((p) => { p.hidden = false; });
})();

// tree makes the tree of groups one tab stop: arrow keys, search by typing; visit
// is called with the item that was chosen.
parts.tree = (tree, visit) => {
  if (!tree) return;
  const all = [...tree.querySelectorAll('[role="treeitem"]')];
  const parent = (e) => { const list = e.closest('[role="group"]'); return list ? list.previousElementSibling : null; };
  const shown = () => all.filter((e) => {
    for (let p = parent(e); p; p = parent(p)) if (p.getAttribute("aria-expanded") === "false") return false;
    return true;
  });
  let typed = "", last = 0;
  const focus = (e) => {
    if (!e) return;
    all.forEach((x) => { x.tabIndex = x === e ? 0 : -1; });
    e.focus();
  };
  const open = (e, yes) => e.hasAttribute("aria-expanded") && e.setAttribute("aria-expanded", String(yes));
  const search = (at, key, now) => {
    typed = now - last < 800 ? typed + key : key;
    last = now;
    const list = shown(), from = list.indexOf(at) + (typed.length === 1 ? 1 : 0);
    const words = (e) => e.textContent.trim().toLowerCase();
    const found = list.slice(from).concat(list).find((e) => words(e).startsWith(typed) || words(e).includes(" " + typed));
    focus(found);
  };
  tree.addEventListener("keydown", (e) => {
    const at = document.activeElement.closest('[role="treeitem"]');
    if (!at || e.ctrlKey || e.metaKey || e.altKey) return;
    const list = shown(), i = list.indexOf(at), opened = at.getAttribute("aria-expanded");
    switch (e.key) {
      case "ArrowDown": focus(list[i + 1]); break;
      case "ArrowUp": focus(list[i - 1]); break;
      case "ArrowRight": if (opened === "false") open(at, true); else if (opened) focus(list[i + 1]); break;
      case "ArrowLeft": if (opened === "true") open(at, false); else focus(parent(at)); break;
      case "Home": focus(list[0]); break;
      case "End": focus(list[list.length - 1]); break;
      case "*": all.filter((x) => parent(x) === parent(at)).forEach((x) => open(x, true)); break;
      case "[": depth(at, -1); break;
      case "]": depth(at, 1); break;
      case "Enter": case " ": visit(at); break;
      default:
        if (e.key.length !== 1) return;
        search(at, e.key.toLowerCase(), e.timeStamp);
    }
    e.preventDefault();
  });
  // depth opens the tree one level further, or closes the deepest open level.
  const depth = (at, by) => {
    const level = (e) => Number(e.getAttribute("aria-level"));
    const deepest = Math.max(...shown().map(level)) + by;
    all.forEach((e) => open(e, level(e) < deepest));
    while (!shown().includes(at)) at = parent(at);
    focus(at);
  };
  tree.addEventListener("click", (e) => {
    const at = e.target.closest('[role="treeitem"]');
    if (!at) return;
    e.preventDefault();
    focus(at);
    if (e.target.classList.contains("twig")) open(at, at.getAttribute("aria-expanded") === "false");
    else visit(at);
  });
  all[0].tabIndex = 0;
};
