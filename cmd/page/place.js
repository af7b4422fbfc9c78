// The address of a screen: a page that is a file has one address, and the screen is
// in its fragment.
let last = "/";
const now = () => {
  const at = location.hash.slice(1);
  if (at.startsWith("/")) last = at;
  return last;
};

// path and search are the parts of where we are.
export const path = () => now().replace(/\?.*/, "");
export const search = () => now().replace(/^[^?]*/, "");

// href is what a link to a screen points to.
export const href = (to) => "#" + to;

// move changes the address; the screen is drawn by who called.
export const move = (to, replace) => history[replace ? "replaceState" : "pushState"](null, "", "#" + to);

// arrive has links to places on a screen lead there without changing the address.
export const arrive = () => document.addEventListener("click", (e) => {
  const a = e.target.closest('a[href^="#"]:not([data-go])');
  if (!a || e.defaultPrevented) return;
  e.preventDefault();
  const to = document.getElementById(a.getAttribute("href").slice(1));
  if (!to) return;
  to.scrollIntoView();
  to.focus({ preventScroll: true });
});
