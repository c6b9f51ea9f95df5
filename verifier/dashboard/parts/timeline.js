// The events of a stretch of time as marks to click on, in lanes; the chosen moment as a line.
// data: {start, end, now, marks: [{t, t_end, lane, label, cited, weak}]}; tells: at (seconds)
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".timeline");
  const span = Math.max(data.end - data.start, 0.1);
  const percent = (t) => `${Math.min(100, Math.max(0, ((t - data.start) / span) * 100))}%`;
  const lanes = [...new Set(data.marks.map((mark) => mark.lane))];
  root.replaceChildren();
  for (const lane of lanes) {
    const row = root.appendChild(document.createElement("div"));
    row.className = "lane";
    const name = row.appendChild(document.createElement("span"));
    name.className = "name";
    name.textContent = lane;
    const bar = row.appendChild(document.createElement("div"));
    bar.className = "bar";
    for (const mark of data.marks.filter((one) => one.lane === lane)) {
      const button = bar.appendChild(document.createElement("button"));
      button.className = `mark${mark.cited ? " cited" : ""}${mark.weak ? " weak" : ""}`;
      const from = Math.max(mark.t, data.start), until = Math.min(mark.t_end, data.end);
      button.style.left = percent(mark.t);
      button.style.width = `max(9px, ${(Math.max(0, until - from) / span) * 100}%)`;
      button.title = button.ariaLabel = `${mark.t.toFixed(1)} s: ${mark.label}`;
      button.textContent = mark.cited ? "▶" : "";
      button.onclick = () => setTriggerValue("at", mark.t);
    }
    const now = bar.appendChild(document.createElement("i"));
    now.style.left = percent(data.now);
    bar.onclick = (event) => {
      if (event.target !== bar) return;
      const box = bar.getBoundingClientRect();
      setTriggerValue("at", data.start + ((event.clientX - box.left) / box.width) * span);
    };
  }
  const ends = root.appendChild(document.createElement("div"));
  ends.className = "ends";
  for (const t of [data.start, (data.start + data.end) / 2, data.end]) {
    ends.appendChild(document.createElement("span")).textContent = `${t.toFixed(1)} s`;
  }
}
