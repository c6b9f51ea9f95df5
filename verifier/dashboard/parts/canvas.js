// Polygons over a picture: drag a zone or a corner; arrow keys move the chosen corner; + adds a corner, Delete takes it.
// Ctrl+Z or the button takes the last change back.
// data: {image, width, height, drawing: {name: [[x, y]]}, assumed: [name], version}; tells: drawing {name: [[x, y]]}
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".canvas");
  const svg = root.querySelector("svg");
  const told = root.querySelector("[data-part=told]");
  const back = root.querySelector("[data-part=undo]");
  const CHANGES_MOST = 200; // that can be taken back
  const NS = "http://www.w3.org/2000/svg";
  let state = root.verifierState;
  if (!state || state.version !== data.version) {
    state = root.verifierState = { version: data.version, drawing: structuredClone(data.drawing), first: data.drawing, past: [], zone: null, corner: 0, drag: null };
    svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
    svg.querySelector("image").setAttribute("href", data.image);
    svg.querySelector("image").setAttribute("width", data.width);
    svg.querySelector("image").setAttribute("height", data.height);
  }
  const size = data.width / 1280;
  const clamp = ([x, y]) => [Math.min(Math.max(x, 0), data.width), Math.min(Math.max(y, 0), data.height)];
  const say = () => setStateValue("drawing", structuredClone(state.drawing));
  const remember = (drawing) => { state.past = [...state.past.slice(1 - CHANGES_MOST), drawing]; };
  const undo = () => {
    if (!state.past.length) return;
    clearTimeout(state.timer);
    state.drawing = state.past.pop();
    state.corner = 0;
    paint();
    say();
  };
  const make = (tag, parent, fields) => {
    const one = parent.appendChild(document.createElementNS(NS, tag));
    for (const [name, value] of Object.entries(fields)) one.setAttribute(name, value);
    return one;
  };
  const paint = () => {
    const layer = svg.querySelector("g");
    const held = parentElement.activeElement || document.activeElement;
    const focused = held && held.dataset && held.dataset.zone ? [held.dataset.zone, held.dataset.corner] : null;
    layer.replaceChildren();
    for (const [zone, points] of Object.entries(state.drawing)) {
      const chosen = zone === state.zone;
      const kind = zone === "card" ? "card" : zone.startsWith("space") ? "space" : "zone";
      const assumed = data.assumed.includes(zone) && JSON.stringify(points) === JSON.stringify(state.first[zone]);
      const group = make("g", layer, { class: `${kind}${chosen ? " chosen" : ""}${assumed ? " assumed" : ""}` });
      const shape = make("polygon", group, { points: points.map((p) => p.join(",")).join(" "), "stroke-width": 2.5 * size });
      shape.dataset.zone = zone;
      const x = points.reduce((sum, p) => sum + p[0], 0) / points.length;
      const area = /^space \d$/.test(zone); // its middle is its spot's
      const y = area ? Math.min(...points.map((p) => p[1])) + 20 * size : points.reduce((sum, p) => sum + p[1], 0) / points.length;
      const label = make("text", group, { x, y, "font-size": 17 * size, "text-anchor": "middle", "stroke-width": 4 * size });
      label.textContent = zone.replace(/^space \d /, "").replace("_", " ") + (assumed ? ", assumed" : "");
      points.forEach((point, corner) => {
        const dot = make("circle", group, { cx: point[0], cy: point[1], r: (chosen ? 7 : 4) * size, tabindex: 0, role: "slider", "aria-label": `${zone}, corner ${corner + 1}`, "aria-valuemin": 0, "aria-valuemax": data.width, "aria-valuenow": Math.round(point[0]), "aria-valuetext": `${Math.round(point[0])} across, ${Math.round(point[1])} down` });
        dot.dataset.zone = zone;
        dot.dataset.corner = corner;
        if (focused && focused[0] === zone && focused[1] === String(corner)) dot.focus();
      });
    }
    told.textContent = state.zone ? `${state.zone.replace("_", " ")}, corner ${state.corner + 1}` : "Nothing chosen";
    back.disabled = !state.past.length;
  };
  const at = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  svg.onpointerdown = (event) => {
    const zone = event.target.dataset.zone;
    if (!zone) return;
    state.zone = zone;
    const corner = event.target.dataset.corner;
    if (corner !== undefined) state.corner = Number(corner);
    state.drag = { corner: corner === undefined ? null : Number(corner), from: at(event), was: structuredClone(state.drawing[zone]), whole: structuredClone(state.drawing) };
    svg.setPointerCapture(event.pointerId);
    if (corner === undefined) svg.focus({ preventScroll: true }); // so that its keys are heard
    paint();
  };
  svg.onpointermove = (event) => {
    if (!state.drag) return;
    const [x, y] = at(event), [x0, y0] = state.drag.from;
    state.drawing[state.zone] = state.drag.was.map((point, index) =>
      state.drag.corner === null || state.drag.corner === index ? clamp([point[0] + x - x0, point[1] + y - y0]) : point);
    paint();
  };
  svg.onpointerup = () => {
    if (!state.drag) return;
    const { whole } = state.drag;
    state.drag = null;
    if (JSON.stringify(whole) === JSON.stringify(state.drawing)) return;
    remember(whole);
    paint();
    say();
  };
  back.onclick = undo;
  svg.onfocusin = (event) => {
    if (!event.target.dataset.zone || state.drag) return;
    state.zone = event.target.dataset.zone;
    state.corner = Number(event.target.dataset.corner || 0);
    told.textContent = `${state.zone.replace("_", " ")}, corner ${state.corner + 1}`;
  };
  root.onkeydown = (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      event.stopPropagation();
      undo();
      return;
    }
    const points = state.zone && state.drawing[state.zone];
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!points) return;
    const whole = structuredClone(state.drawing);
    const many = (event.shiftKey ? 10 : 1) * size;
    if (step) points[state.corner] = clamp([points[state.corner][0] + step[0] * many, points[state.corner][1] + step[1] * many]);
    else if (event.key === "+") {
      const [a, b] = [points[state.corner], points[(state.corner + 1) % points.length]];
      points.splice(state.corner + 1, 0, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    } else if (event.key === "Delete" && points.length > 3) {
      points.splice(state.corner, 1);
      state.corner = 0;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    remember(whole);
    paint();
    clearTimeout(state.timer);
    state.timer = setTimeout(say, 400);
  };
  paint();
}
