// The tree of groups: one tab stop, arrow keys, search by typing.
(function () {
  const tree = document.querySelector('[role="tree"]');
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
  const visit = (e) => {
    const head = document.getElementById("group-" + e.dataset.group);
    head.scrollIntoView();
    head.focus({ preventScroll: true });
  };
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
})();
