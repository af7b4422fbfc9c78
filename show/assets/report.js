// A link to a group opens its section.
const show = (id) => {
  const head = document.getElementById(id);
  if (!head) return;
  for (let d = head.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  head.scrollIntoView();
  head.focus({ preventScroll: true });
};
document.addEventListener("click", (e) => {
  const a = e.target.closest('a[href^="#group-"]');
  if (!a || a.getAttribute("role") === "treeitem") return;
  e.preventDefault();
  history.replaceState(null, "", a.getAttribute("href"));
  show(a.getAttribute("href").slice(1));
});
if (location.hash.startsWith("#group-")) show(location.hash.slice(1));

parts.slider(document);
parts.save(document);
parts.tree(document.querySelector('[role="tree"]'), (e) => show("group-" + e.dataset.group));
