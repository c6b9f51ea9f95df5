// "?" opens the list of the keys. data: {button: class of its button}
const TEXT = "input, textarea, select, [contenteditable=true]";
let page = null;

window.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !page?.root.isConnected || event.composedPath().some((one) => one.matches?.(TEXT))) return;
  document.querySelector(`.${page.data.button} button`)?.click();
}, true);

export default function ({ data, parentElement }) {
  page = { root: parentElement.host ?? parentElement, data };
}
