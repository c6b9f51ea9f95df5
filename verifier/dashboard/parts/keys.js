// Keys of the page of one finding. data: {finding, keys: {key: class of its button}, safe: keys that store nothing, note: class of the note's field,
// most: characters of a note that are kept, reveal, opens: key whose button brings further ones, coming: their keys while they are not drawn}
// tells: shown (a finding's id: its decisive seconds were on screen)
// Streamlit runs this anew at each change of data and never takes away what an earlier run listened to. So the window
// is listened to once; what the listeners go by is the latest page that was drawn.
const TICK = "input[type=checkbox]";  // takes no letters: the keys act beside it, too, though Streamlit's own do not
const TEXT = `input:not([type=checkbox]), textarea, select, [contenteditable=true]`;
const NOTE_MS = 300;
const EARLY_MS = 10000; // for which a key waits for its button at most; our own choice
let page = null;
let opened = null; // {finding, until}: its further buttons were asked for, and are still being drawn
let early = null;  // {finding, key}: pressed meanwhile
let waiting = 0;

const within = (event, what) => event.composedPath().some((one) => one.matches?.(what));
// In view is what lies within the window and under nothing else: a player that fills the screen or a dialog hides the rest.
const inView = (button) => {
  const box = button.getBoundingClientRect();
  if (!(box.height > 0 && box.top >= 0 && box.bottom <= window.innerHeight && box.left >= 0 && box.right <= window.innerWidth)) return false;
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return !!top && (button.contains(top) || top.contains(button));
};
const bring = (button) => {
  if (document.fullscreenElement) document.exitFullscreen();
  button?.scrollIntoView({ block: "center" });
};

// A key never decides by a button that is not in view: the first press only brings it there. Keys that store nothing
// act in any case, also while their button is still being drawn.
const pressed = (event) => {
  if (!page?.root.isConnected || event.ctrlKey || event.altKey || event.metaKey || within(event, TEXT)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = page.data.keys[key];
  if (key === "Escape") early = null;
  if (comes(key)) {
    event.stopImmediatePropagation();
    event.preventDefault();
    if (!event.repeat) early = { finding: page.data.finding, key };
    return;
  }
  if (event.repeat && (name || key.length === 1)) return event.stopImmediatePropagation();
  if (!name) return;
  if (page.data.safe.includes(key)) {
    event.stopImmediatePropagation();
    event.preventDefault();
    if (key === page.data.opens) opens();
    if (document.fullscreenElement) document.exitFullscreen();  // what it opens or takes back is to be seen
    return once(`.${name} button:enabled`, (button) => button.click());
  }
  const button = [...document.querySelectorAll(`.${name} button`)].find((one) => one.offsetParent);
  if (button && inView(button)) {
    if (!within(event, TICK)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    return button.click();
  }
  bring(button);
  event.stopImmediatePropagation();
};
// Further buttons (the reasons) are drawn only once the server has answered. A key that is pressed for one of them
// meanwhile waits: it presses its button once, where that is in view and may be pressed, and on no other finding.
const opens = () => { opened = { finding: page.data.finding, until: performance.now() + EARLY_MS }; };
const comes = (key) => opened?.finding === page.data.finding && performance.now() < opened.until && page.data.coming.includes(key);
// A button that decides never keeps the focus: the next press of the space bar would decide again.
const clicked = (event) => {
  if (!page?.root.isConnected) return;
  if (within(event, `.${page.data.keys[page.data.opens]}`)) opens();
  const decides = Object.entries(page.data.keys).filter(([key]) => !page.data.safe.includes(key));
  if (decides.some(([, name]) => within(event, `.${name}`))) setTimeout(toHeading);
};
const toHeading = () => {
  const heading = document.querySelector("[data-testid=stHeading] h2");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  if (heading) heading.style.outline = "none";
};
const pressEarly = (data) => {
  if (!early || !opened) return;
  const name = early.finding === data.finding ? data.keys[early.key] : null;
  if (early.finding === data.finding && !name) return;  // not drawn yet
  const { finding } = early, late = opened.until;
  early = opened = null;
  if (!name || performance.now() > late) return;
  once(`.${name} button`, (button) => {
    if (page.data.finding !== finding || button.disabled) return;
    if (inView(button)) button.click();
    else bring(button);
  });
};
// Does something with an element of this finding's page as soon as it is there.
const once = (what, act, tries = 40) => {
  const found = document.querySelector(what);
  if (found) act(found);
  else if (tries > 0) setTimeout(() => once(what, act, tries - 1), 50);
};
// What is typed is kept on the server while it is typed, and when the page goes away.
const noteField = () => (page?.root.isConnected ? document.querySelector(`.${page.data.note} textarea`) : null);
const send = () => {
  const field = noteField();
  if (!waiting || !field) return;
  clearTimeout(waiting);
  waiting = 0;
  fetch(`/room/note/${encodeURIComponent(page.data.finding)}`, { method: "POST", body: field.value.slice(0, page.data.most), keepalive: true }).catch(() => {});
};
const typed = (event) => {
  if (!noteField() || event.target !== noteField()) return;
  clearTimeout(waiting);
  waiting = setTimeout(send, NOTE_MS);
};

// The player says that the decisive seconds were on screen.
const shown = () => {
  if (!page?.root.isConnected || page.told === page.data.finding || window.verifierShown !== page.data.finding) return;
  page.told = page.data.finding;
  page.tell("shown", page.data.finding);
};

window.addEventListener("keydown", pressed, true);
document.addEventListener("click", clicked, true);
window.addEventListener("pagehide", send);
document.addEventListener("focusout", send, true);
document.addEventListener("input", typed, true);
document.addEventListener("verifier-shown", shown);

export default function ({ data, parentElement, setTriggerValue }) {
  if (page && page.data.finding !== data.finding) {
    send();
    toHeading();
  }
  const told = page?.data.finding === data.finding ? page.told : null;
  page = window.verifierKeys = { root: parentElement.host ?? parentElement, data, tell: setTriggerValue, told, takes: (key) => key in data.keys || comes(key) };
  if (data.reveal) opened = early ? opened : null;
  if (data.reveal) once(`.${data.reveal} button:last-of-type`, (one) => one.closest(`.${data.reveal}`).scrollIntoView({ block: "nearest" }));
  pressEarly(data);
  setTimeout(shown);
}
