"use strict";
// The button for light and dark; without it the page follows the system. In a frame the
// page around it has the say: the name of the frame is its choice.
(function () {
  const button = document.getElementById("theme");
  if (!button) return;
  const root = document.documentElement;
  if (window.parent !== window) {
    button.hidden = true;
    if (["light", "dark"].includes(window.name)) root.dataset.theme = window.name;
  }
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => { button.textContent = dark() ? "Light page" : "Dark page"; };
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; tell(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  tell();
})();
