// Keys of the page of one finding. data: {finding}
// The space bar plays or pauses the clip, wherever the focus is, but for what takes the space bar itself. A key that is
// held down decides one finding, not the next one, too. When another finding comes up, the focus goes to its heading.
const TEXT = "input, textarea, select, [contenteditable=true]";
const TAKES_SPACE = `${TEXT}, button, a, summary, video, [role=button], [role=slider], [role=tab], [role=checkbox]`;

export default function ({ data, parentElement }) {
  const held = (event) => {
    if (event.repeat && !event.ctrlKey && event.key.length === 1 && event.key !== " " && !event.target.closest?.(TEXT)) {
      event.stopImmediatePropagation();
    }
  };
  const pressed = (event) => {
    if (event.key !== " " || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(TAKES_SPACE)) return;
    const video = document.querySelector("[data-testid=stVideo]");
    if (!video) return;
    event.preventDefault();
    if (event.repeat) return;
    if (video.paused) video.play().catch(() => {});
    else video.pause();
  };
  window.addEventListener("keydown", held, true);
  document.addEventListener("keydown", pressed);
  if (parentElement.verifierFinding !== undefined && parentElement.verifierFinding !== data.finding) {
    const heading = document.querySelector("[data-testid=stHeading] h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    if (heading) heading.style.outline = "none";
  }
  parentElement.verifierFinding = data.finding;
  return () => {
    window.removeEventListener("keydown", held, true);
    document.removeEventListener("keydown", pressed);
  };
}
