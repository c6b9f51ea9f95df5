// "?" opens the list of the keys. data: {button: class of its button}
const TEXT = "input, textarea, select, [contenteditable=true]";
let page = null;

window.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !page?.root.isConnected || event.composedPath().some((one) => one.matches?.(TEXT))) return;
  document.querySelector(`.${page.data.button} button`)?.click();
}, true);

// The address of a finding that "back" leads to is that finding's. Streamlit would keep the one that was looked at last.
window.addEventListener("popstate", () => {
  if (/\/finding$/.test(location.pathname) && !location.hash) location.replace(location.href);
});

// What Streamlit's own elements lack for screen readers: the menu's sections are lists, with their headings beside them.
const mend = () => {
  for (const menu of document.querySelectorAll("[data-testid=stSidebarNavItems]")) {
    if (menu.getAttribute("role") !== "none") menu.setAttribute("role", "none");
    for (const section of menu.querySelectorAll(":scope > div:not([role])")) section.setAttribute("role", "list");
  }
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });

export default function ({ data, parentElement }) {
  mend();
  page = { root: parentElement.host ?? parentElement, data };
}
