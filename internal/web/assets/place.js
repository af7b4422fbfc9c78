// The address of a screen: here the address of the page. A page that is a file has
// one address alone and puts another module in place of this one, with the same
// exports.

// path and search are the parts of where we are.
export const path = () => location.pathname;
export const search = () => location.search;

// href is what a link to a screen points to.
export const href = (to) => to;

// move changes the address; the screen is drawn by who called.
export const move = (to, replace) => history[replace ? "replaceState" : "pushState"](null, "", to);

// arrive tidies the address of the first screen: the key is in it once, and the
// browser keeps it as a cookie.
export const arrive = () => {
  const address = new URL(location.href);
  if (!address.searchParams.has("token")) return;
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
};
