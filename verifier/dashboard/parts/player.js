// Plays a recording (whole, or in pieces) or a finding's clip, draws what was seen over each very frame, steps frame by frame.
// data: {key, src, piece, at, from, to, start, speeds, fastest, report, watched: [[from, to]], bookmarks: [t], keep, own,
//        play, loop: [from, to] | null, finding, moment, clip_looks, frame, span: [from, to], extent: [from, to], marks, place,
//        ahead: [finding], along: address | null}
// All times are the review's, in which the file begins at `at`. `src` ends in "/" where pieces of `piece` seconds are played.
// `clip_looks` is the address that tells frames, looks, zones and the table's clock of a stretch; `frame` that of a frame's picture.
// What the findings of `ahead` need is fetched while this one is looked at.
// `span` is asked of it at once, `extent` is what the lanes of the marks show.
// `along` is the address that tells the whole recording: {extent: [from, to], marks}.
// tells: watched {from, to, turn}, away {t, turn} (a moment outside of the clip was chosen), bookmark and own {t, clock, turn}; on the document "verifier-shown": the finding's moment was on screen.
const TEXT = "input, textarea, select, [contenteditable=true]";
const TAKES_SPACE = `${TEXT}, button, a, summary, [role=button], [role=slider], [role=tab], [role=checkbox], [role=option]`;
const SAME_S = 0.004;       // times of one frame differ by less, by rounding
const BETWEEN_S = 0.6;      // between two looks further apart nothing is drawn
const AHEAD = 8, KEPT = 80; // pictures fetched ahead of a step, and kept
const LATER_MS = 1000;      // after which pictures are fetched ahead, and the whole recording is drawn: until then the clip needs the computer
const CHUNK_S = 60, EDGE_S = 5;
const CELL_S = 0.5;         // of the decisive seconds each such part must have been on screen; our own choice
const TEXT_PX = 13;         // of the words drawn over the picture (player.css)
const LAYERS = ["cards", "chips", "hands", "zones"];
const ROVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];  // go from mark to mark of a timeline
const SVG = "http://www.w3.org/2000/svg";
let current = null;

// The window is listened to once: Streamlit runs a component anew at each change and takes no listener away.
window.addEventListener("keydown", (event) => current?.root.isConnected && current.press(event), true);

const matches = (event, what) => event.composedPath().some((one) => one.matches?.(what));

const minutes = (t) => {
  const whole = Math.max(0, Math.floor(Math.round(t * 1000) / 1000)), two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}` : Math.floor(whole / 60)}:${two(whole % 60)}`;
};

const looksAt = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
// Clip and looks of the findings that come next: finding -> {clip: address of its bytes here, stretches: address -> promise}.
const fetched = new Map();
const fetchAhead = async (finding) => {
  if (fetched.has(finding)) return;
  const kept = { clip: null, stretches: new Map() }, name = encodeURIComponent(finding);
  fetched.set(finding, kept);
  try {
    const [clip, told] = await Promise.all([fetch(`/room/clip/${name}?ahead=1`), fetch(`/room/ahead/${name}`)]);
    if (told.ok) {
      const { clip_looks: stretch } = await told.json();
      kept.stretches.set(stretch, looksAt(stretch));
      kept.stretches.get(stretch).catch(() => kept.stretches.delete(stretch));  // it is asked for again when it is needed
    }
    if (clip.ok) {
      const bytes = await clip.blob();
      if (fetched.get(finding) === kept) kept.clip = URL.createObjectURL(bytes);
    }
  } catch { /* the server is not reached: the finding's own page tells it */ }
};
const keepFetched = (findings) => {
  for (const [finding, kept] of fetched) {
    if (findings.includes(finding)) continue;
    fetched.delete(finding);
    if (kept.clip) URL.revokeObjectURL(kept.clip);
  }
};

// What is known of the recording that was looked at last: {address, told}. The next finding is often of the same one.
let wholeKept = { address: null, told: null };
const wholeAt = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(await answer.text());
  const told = await answer.text();
  const changed = wholeKept.address !== address || wholeKept.told !== told;
  wholeKept = { address, told };
  return changed;
};

class Player {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.video = root.querySelector("video");
    this.layers = new Set(["cards", "chips", "hands", "place"]);
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.listen();
  }

  // ---- what is shown
  take(data, tell) {
    const fresh = this.data?.key !== data.key, before = JSON.stringify(this.data?.marks);
    this.data = data;
    this.tell = tell;
    if (fresh) this.begin();
    else if (JSON.stringify(data.marks) !== before) this.lanes();
    setTimeout(() => {
      if (this.data !== data) return;
      this.along();
      data.ahead?.forEach(fetchAhead);
    }, LATER_MS);
    this.paint();
  }
  begin() {
    const data = this.data;
    Object.assign(this, { piece: -1, open: null, told: -Infinity, wall: 0, media: 0, turn: this.turn ?? 0, index: null, looping: !!data.loop, shown: false });
    this.frames = []; this.looks = []; this.zones = []; this.clock = null; this.got = []; this.pictures = new Map(); this.cells = new Set();
    this.part("still").hidden = true;
    this.part("told").textContent = "";
    this.video.removeAttribute("src");
    this.unzoom();
    this.part("keep").hidden = !data.keep;
    this.part("own").hidden = !data.own;
    if (typeof data.own === "string") this.part("own").textContent = data.own;
    this.part("loop").hidden = !data.loop;
    this.part("forth").hidden = this.part("back").hidden = !!data.loop;
    this.part("layers").hidden = this.part("before").hidden = this.part("after").hidden = !data.clip_looks;
    this.part("speed").replaceChildren(...data.speeds.map((one) => new Option(`${one}×`, one, one === 1, one === 1)));
    this.part("layers").replaceChildren(...LAYERS.map((name) => this.toggle(name)));
    this.lanes();
    if (this.drawn && this.drawn.address !== data.along) this.undrawn();
    this.seek(data.start, data.play);
    this.want(data.start);
    keepFetched([data.finding, ...(data.ahead ?? [])]);
  }
  toggle(name) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.setAttribute("aria-pressed", this.layers.has(name));
    button.onclick = () => {
      if (!this.layers.delete(name)) this.layers.add(name);
      button.setAttribute("aria-pressed", this.layers.has(name));
      this.draw();
    };
    return button;
  }

  // ---- what was seen, told by the server a stretch at a time
  async want(t) {
    const data = this.data;
    if (!data.clip_looks) return;
    let [from, to] = data.span ?? [Math.floor(t / CHUNK_S) * CHUNK_S, (Math.floor(t / CHUNK_S) + 1) * CHUNK_S];
    if (data.span) [from, to] = data.span;
    if (this.got.some((one) => one === from)) return;
    this.got.push(from);
    try {
      const address = `${data.clip_looks}${from.toFixed(3)}/${to.toFixed(3)}`;
      const stretch = await (fetched.get(data.finding)?.stretches.get(address) ?? looksAt(address));
      if (this.data.key !== data.key) return;
      const times = new Set(this.frames.map((one) => one[0]));
      this.frames = [...this.frames, ...stretch.frames.filter((one) => !times.has(one[0]))].sort((a, b) => a[0] - b[0]);
      this.looks = [...this.looks, ...stretch.looks].sort((a, b) => a.t - b.t);
      this.zones = stretch.zones;
      if (stretch.without_frames) this.part("told").textContent = `Single frames cannot be shown: ${stretch.without_frames}`;
      this.size = stretch.size ?? this.size;
      this.clock = this.clock ?? stretch.clock;
      if (this.size) this.root.style.setProperty("--shape", `${this.size[0]} / ${this.size[1]}`);
      this.lanes();
      if (!data.src && this.frames.length) this.freeze(this.nearest(data.moment), 0);  // no clip: the frame that shows it
      else if (data.span) setTimeout(() => { if (this.data.key === data.key) this.ahead(this.nearest(data.moment), 0); }, LATER_MS);
      this.paint();
    } catch (error) {
      this.part("caption").textContent = `What was seen cannot be drawn: ${error.message}`;
    }
  }

  // ---- time
  offset() { return this.data.at + (this.data.piece ? Math.max(this.piece, 0) * this.data.piece : 0); }
  now() { return this.index !== null ? this.frames[this.index][1] : this.offset() + this.video.currentTime; }
  words(t) {
    if (!this.clock) {
      return `${minutes(t)} into the recording`;
    }
    const shown = new Date(Date.parse(`${this.clock}Z`) + Math.round(t * 1000));
    return shown.toISOString().slice(11, 19);
  }
  nearest(t) {
    let best = 0;
    this.frames.forEach((one, place) => { if (one[1] <= t + SAME_S) best = place; });
    return best;
  }

  // ---- playing
  seek(t, play) {
    this.report();
    this.moving();
    const data = this.data;
    const at = Math.min(Math.max(t, data.from), Math.max(data.from, data.to - 0.05));
    if (data.piece) {
      const piece = Math.floor((at - data.at) / data.piece);
      if (piece !== this.piece) {
        this.piece = piece;
        this.video.src = `${data.src}${piece}`;
      }
      this.video.currentTime = at - data.at - piece * data.piece;
    } else if (data.src) {
      if (!this.video.getAttribute("src")) this.video.src = fetched.get(data.finding)?.clip ?? data.src;
      this.video.currentTime = at - data.at;
    }
    this.video.playbackRate = Number(this.part("speed").value) || 1;
    if (play) this.run();
  }
  run() {
    this.video.play().catch(() => {});
  }
  toggles() {
    if (!this.video.paused) return this.video.pause();
    if (this.index === null) return this.run();
    const t = this.now(), [from, to] = [this.data.from, this.data.to];
    this.seek(t < from || t >= to - 0.1 ? this.data.loop?.[0] ?? from : t, true);
  }
  moving() {
    this.index = null;
    this.part("still").hidden = true;
  }
  again() {
    this.looping = !!this.data.loop;
    this.part("loop").setAttribute("aria-pressed", this.looping);
    this.seek(this.data.loop?.[0] ?? this.data.start, true);
  }

  // ---- one frame: every press counts, whether its picture has come or not
  step(by) {
    if (!this.frames.length) return this.seek(this.now() + by / 25, false);
    this.video.pause();
    const from = this.index ?? this.nearest(this.offset() + this.video.currentTime);
    this.freeze(from + by, by);
  }
  look(by) {
    const t = this.now();
    const next = by > 0 ? this.looks.find((one) => one.t > t + SAME_S) : this.looks.findLast((one) => one.t < t - SAME_S);
    if (next && this.frames.length) { this.video.pause(); this.freeze(this.nearest(next.t), by); }
  }
  goes(t) {
    if (this.data.finding) this.show(t);
    else this.seek(t, !this.video.paused);
  }
  show(t) {
    this.video.pause();
    if (this.frames.length && t >= this.frames[0][1] - 1 && t <= this.frames.at(-1)[1] + 1) this.freeze(this.nearest(t), 1);
    else this.seek(t, false);
  }
  freeze(place, by) {
    this.index = Math.min(Math.max(place, 0), this.frames.length - 1);
    const picture = this.picture(this.index);
    const place_ = this.index;
    const put = () => {
      if (this.index !== place_) return;
      this.part("still").replaceChildren(picture);
      this.part("still").hidden = false;
      this.draw();
      this.witness(this.now(), this.reached(this.now()));
    };
    if (picture.complete && picture.naturalWidth) put();
    else picture.addEventListener("load", put, { once: true });
    this.ahead(this.index, by);
    this.want(this.now());
    this.paint();
  }
  picture(place) {
    const number = this.frames[place][0];
    let found = this.pictures.get(number);
    if (!found) {
      found = new Image();
      found.alt = "";
      found.src = `${this.data.frame}${number}`;
      found.onerror = () => { this.part("told").textContent = "⚠ This frame cannot be shown: the recording is damaged or not here."; };
      this.pictures.set(number, found);
      if (this.pictures.size > KEPT) this.pictures.delete(this.pictures.keys().next().value);
    }
    return found;
  }
  ahead(place, by) {
    if (!this.frames.length) return;
    const [back, forth] = by > 0 ? [1, AHEAD] : by < 0 ? [AHEAD, 1] : [2, 2];
    for (let near = Math.max(0, place - back); near <= Math.min(this.frames.length - 1, place + forth); near++) this.picture(near);
  }

  // ---- drawn over it
  paint() {
    const data = this.data, t = this.now();
    const whole = Math.max(data.to - data.from, 0.1);
    const percent = (one) => `${Math.min(100, Math.max(0, ((one - data.from) / whole) * 100))}%`;
    const bar = this.part("bar");
    bar.querySelectorAll("b").forEach((one) => one.remove());
    const put = (name, from, to) => {
      const one = bar.insertBefore(document.createElement("b"), this.part("now"));
      one.className = name;
      one.style.left = percent(from);
      if (to !== undefined) one.style.width = `calc(${percent(to)} - ${percent(from)})`;
    };
    for (const [from, to] of data.watched) put("seen", from, to);
    if (data.loop) put("decides", data.loop[0], data.loop[1]);
    for (const one of data.bookmarks) put("mark", one);
    this.part("now").style.left = percent(t);
    for (const [name, extent] of [["lanes", data.extent], ["along", this.drawn?.extent]]) {
      const [from, to] = extent ?? [0, 1], left = `${Math.min(100, Math.max(0, ((t - from) / Math.max(to - from, 0.1)) * 100))}%`;
      this.part(name).querySelectorAll(".lane i").forEach((one) => { one.style.left = left; });
    }
    this.part("clock").textContent = data.finding ? this.words(t) : `${this.clock ? `${this.words(t)} · ` : ""}${minutes(t)} of ${minutes(data.to)}`;
    this.draw();
  }
  draw(at = this.now()) {
    const over = this.part("over"), t = this.frames.length ? this.frames[this.nearest(at)][1] : at;
    over.replaceChildren();
    this.written = [];
    if (!this.size) return;
    over.setAttribute("viewBox", `0 0 ${this.size[0]} ${this.size[1]}`);
    const width = this.part("stage").clientWidth || 1;
    this.unit = this.size[0] / width;
    this.root.style.setProperty("--unit", `${this.unit}px`);
    const look = this.looks.find((one) => Math.abs(one.t - t) <= SAME_S);
    const things = look ? look.things : this.between(t);
    const zones = this.layers.has("zones") ? this.zones : [];
    for (const one of [...zones, ...(this.data.place ? [this.data.place] : [])]) this.outline(over, one, false);
    for (const one of things ?? []) if (this.layers.has(one.layer)) this.outline(over, one, !look);
    if (!this.data.clip_looks || !this.frames.length) return;
    const says = look ? "drawn: what the software saw in this very frame"
      : things ? "drawn: between two frames that the software looked at" : "the software did not look at this frame";
    if (this.part("caption").textContent !== says) this.part("caption").textContent = says;
  }
  // Where things lay between two looks: what both saw, on the straight way. Only while the picture moves: a frame that
  // stands still shows what was seen in it, or nothing.
  between(t) {
    if (this.index !== null || this.video.paused) return null;
    const after = this.looks.findIndex((one) => one.t > t);
    const [a, b] = [this.looks[after - 1], this.looks[after]];
    if (!a || !b || b.t - a.t > BETWEEN_S) return null;
    const share = (t - a.t) / (b.t - a.t);
    const later = new Map(b.things.filter((one) => one.id !== undefined && one.id !== null).map((one) => [`${one.layer} ${one.id}`, one]));
    return a.things.flatMap((one) => {
      const other = later.get(`${one.layer} ${one.id}`);
      if (!other) return [];
      return [{ ...one, points: one.points.map(([x, y], n) => [x + (other.points[n][0] - x) * share, y + (other.points[n][1] - y) * share]) }];
    });
  }
  outline(over, thing, between) {
    const round = (thing.radius ?? 0) > 0;
    const shape = over.appendChild(document.createElementNS(SVG, round ? "circle" : "polygon"));
    shape.setAttribute("class", `${thing.layer}${between ? " between" : ""}`);
    if (round) {
      shape.setAttribute("cx", thing.points[0][0]);
      shape.setAttribute("cy", thing.points[0][1]);
      shape.setAttribute("r", thing.radius);
    } else shape.setAttribute("points", thing.points.map((one) => one.join(",")).join(" "));
    const radius = thing.radius ?? 0, across = thing.points.map((one) => one[0]), down = thing.points.map((one) => one[1]);
    const text = over.appendChild(document.createElementNS(SVG, "text"));
    text.textContent = thing.words;
    const x = Math.min(...across) - radius;
    text.setAttribute("x", x);
    text.setAttribute("y", this.free(x, Math.min(...down) - radius - 3, Math.max(...down) + radius, thing.words));
  }
  // Where words of a thing are written that lie over no others: above it, else below, else further up or down.
  free(x, top, bottom, words) {
    const high = TEXT_PX * 1.1 * this.unit, wide = words.length * TEXT_PX * 0.58 * this.unit;
    const lies = (y) => this.written.some((one) => x < one.x + one.wide && one.x < x + wide && Math.abs(y - one.y) < high);
    const y = [top, bottom + high, top - high, bottom + 2 * high, top - 2 * high].find((one) => one > high && one < this.size[1] && !lies(one)) ?? top;
    this.written.push({ x, y, wide });
    return y;
  }
  lanes() {
    this.fill(this.part("lanes"), this.data.marks, this.data.extent, (t) => this.goes(t));
  }
  // The whole recording, asked for once the finding is looked at: its marks are many, and nobody waits for them.
  async along() {
    const { key, along: address } = this.data, box = this.part("along");
    box.hidden = !address;
    if (!address) return;
    try {
      const changed = await wholeAt(address);
      if (this.data.key !== key || !(changed || this.drawn?.address !== address || this.drawn.clock !== this.clock)) return;
      const { marks, extent } = JSON.parse(wholeKept.told);
      this.drawn = { address, extent, clock: this.clock };
      this.fill(box, marks, extent, (t) => (t >= this.data.from && t <= this.data.to ? this.goes(t) : this.away(t)));
      box.style.minHeight = "";
      this.paint();
    } catch (error) {
      this.part("told").textContent = `The whole recording cannot be shown: ${error.message}`;
    }
  }
  // Of another recording nothing stays but the height, so that what stands below does not jump.
  undrawn() {
    const box = this.part("along");
    box.style.minHeight = `${box.clientHeight}px`;
    box.replaceChildren();
    this.drawn = null;
  }
  away(t) {
    this.turn += 1;
    this.tell("away", { t, turn: `${Date.now()}-${this.turn}` });
  }
  fill(box, marks, extent, go) {
    box.replaceChildren();
    if (!marks?.length) return;
    const whole = Math.max(extent[1] - extent[0], 0.1), percent = (t) => ((Math.min(Math.max(t, extent[0]), extent[1]) - extent[0]) / whole) * 100;
    for (const lane of new Set(marks.map((one) => one.lane))) {
      const row = box.appendChild(document.createElement("div"));
      row.className = "lane";
      const name = row.appendChild(document.createElement("span"));
      name.className = "name";
      name.textContent = name.title = lane;
      const line = row.appendChild(document.createElement("div"));
      line.className = "line";
      for (const one of marks.filter((each) => each.lane === lane)) {
        const button = line.appendChild(document.createElement("button"));
        button.type = "button";
        button.className = `${one.kind}${one.cited ? " cited" : ""}${one.weak ? " weak" : ""}`;
        button.tabIndex = -1;
        button.style.left = `min(${percent(one.t)}%, 100% - 8px)`;  // its least width (player.css) stays within the line
        button.style.width = `${percent(one.t_end) - percent(one.t)}%`;
        button.title = button.ariaLabel = `${this.words(one.t)}: ${one.label}`;
        button.onclick = (event) => {
          if (event.detail) button.blur();  // after a click of the mouse the arrow keys step frames
          go(one.t);
        };
        button.onfocus = () => this.stop(box, button);
      }
      line.appendChild(document.createElement("i"));
      line.onclick = (event) => { if (event.target === line) go(extent[0] + (event.offsetX / line.clientWidth) * whole); };
    }
    const first = box.querySelector("button.finding") ?? box.querySelector("button");
    if (first) first.tabIndex = 0;
  }
  // Of a timeline's many marks one is a stop of the tab key: that which had the focus last (a roving tabindex).
  stop(box, mark) {
    for (const other of box.querySelectorAll("button[tabindex='0']")) other.tabIndex = -1;
    mark.tabIndex = 0;
  }
  // Left and right go along a row, Home and End to its ends, up and down to the nearest mark of the next row.
  rove(key, mark) {
    const line = mark.parentElement, row = [...line.querySelectorAll("button")], at = row.indexOf(mark);
    const along = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: row.length - 1 }[key];
    if (along !== undefined) return row[along]?.focus();
    let lane = line.parentElement;
    do lane = key === "ArrowUp" ? lane.previousElementSibling : lane.nextElementSibling;
    while (lane && !lane.querySelector("button"));
    const far = (one) => Math.abs(one.offsetLeft - mark.offsetLeft);
    if (lane) [...lane.querySelectorAll("button")].reduce((best, one) => (far(one) < far(best) ? one : best)).focus();
  }

  // ---- what really played, and whether the finding's moment was on screen
  report() {
    if (this.data.report && this.open && this.open[1] - this.open[0] > 0.3) {
      this.turn += 1;
      this.told = performance.now();
      this.tell("watched", { from: this.open[0], to: this.open[1], turn: `${Date.now()}-${this.turn}` });
    }
    this.open = null;
  }
  // From one moment to another the recording was on screen. The decisive seconds were shown once each part of them was:
  // to jump behind them is not to see them. Without a clip one frame of the finding's end is enough.
  witness(from, to = from) {
    const { finding, src, loop, moment } = this.data, cell = (t) => Math.floor(t / CELL_S);
    if (this.shown || !finding || document.hidden) return;
    for (let n = cell(from); n <= cell(to); n++) this.cells.add(n);
    const last = cell(moment - 0.05);
    for (let n = Math.min(last, cell(src ? loop[0] : moment)); n <= last; n++) if (!this.cells.has(n)) return;
    this.shown = true;
    window.verifierShown = finding;  // for the page's keys, which may be drawn later than the clip has played
    document.dispatchEvent(new CustomEvent("verifier-shown", { detail: finding }));
  }
  // The moment that is reached where `media` is on screen: the end of the clip stands for what comes after it.
  reached(media) {
    const { to, moment } = this.data;
    return moment !== null && media >= to - 0.3 ? Math.max(media, moment) : media;
  }
  moved() {
    const wall = performance.now() / 1000, media = this.offset() + this.video.currentTime, data = this.data;
    const ran = media - this.media, passed = wall - this.wall;
    const natural = ran > 0 && ran <= passed * data.fastest * 1.5 + 0.3;
    if (!this.video.paused && !document.hidden && natural) {
      if (this.open) this.open[1] = media;
      else this.open = [this.media, media];
      if (data.report && this.open[1] - this.open[0] >= data.report * this.video.playbackRate) this.report();
      this.witness(this.media, this.reached(media));
    } else if (!natural && ran !== 0) this.report();
    this.wall = wall;
    this.media = media;
    if (!this.video.paused && this.looping && media >= data.loop[1]) this.seek(data.loop[0], true);
    else if (media >= data.to && !this.video.paused) this.video.pause();
    this.want(media);
    if (!data.span) this.want(media + EDGE_S);
    if (this.index === null) this.paint();
  }
  presented(_, told) {
    const t = this.offset() + (Math.abs(told.mediaTime - this.video.currentTime) < 1 ? told.mediaTime : this.video.currentTime);
    if (this.index === null) this.draw(t);
    this.video.requestVideoFrameCallback((now, next) => this.presented(now, next));
  }

  // ---- zoom and pan
  unzoom() { this.zoom = { scale: 1, x: 0, y: 0 }; this.place(); }
  place() {
    const { scale } = this.zoom, box = this.part("stage");
    this.zoom.x = Math.min(0, Math.max(box.clientWidth * (1 - scale), this.zoom.x));
    this.zoom.y = Math.min(0, Math.max(box.clientHeight * (1 - scale), this.zoom.y));
    this.part("film").style.transform = `translate(${this.zoom.x}px, ${this.zoom.y}px) scale(${scale})`;
    this.part("stage").style.cursor = scale > 1 ? "grab" : "zoom-in";
  }
  nearer(by, x = null, y = null) {
    const box = this.part("stage"), old = this.zoom.scale, scale = Math.min(8, Math.max(1, old * by));
    const [px, py] = [x ?? box.clientWidth / 2, y ?? box.clientHeight / 2];
    this.zoom = { scale, x: px - ((px - this.zoom.x) / old) * scale, y: py - ((py - this.zoom.y) / old) * scale };
    this.place();
  }
  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.().catch(() => {});
  }

  // ---- hands on it
  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || matches(event, `${TEXT}, .canvas`)) return;  // a drawing has keys of its own
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const mark = event.composedPath()[0]?.closest?.(".lane button");
    if (mark && this.root.contains(mark) && ROVES.includes(key)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return this.rove(key, mark);
    }
    if (window.verifierKeys?.root.isConnected && window.verifierKeys.takes(key)) return;
    const acts = {
      " ": () => event.repeat || this.toggles(), k: () => event.repeat || this.toggles(),
      j: () => this.seek(this.now() - (this.data.loop ? 2 : 5), !this.video.paused), l: () => this.faster(),
      ",": () => this.step(-1), ".": () => this.step(1), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      ArrowUp: () => this.look(1), ArrowDown: () => this.look(-1), v: () => this.again(), f: () => this.full(),
      "+": () => this.nearer(1.5), "-": () => this.nearer(1 / 1.5), "=": () => this.unzoom(),
    };
    if (!acts[key] || (key === " " && matches(event, TAKES_SPACE) && !matches(event, ".lanes"))) return;
    if (key.startsWith("Arrow") && (!this.data.clip_looks || matches(event, "[role=listbox], [role=tab], [role=radio], [role=slider]"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    acts[key]();
  }
  faster() {
    if (this.video.paused) return this.toggles();
    const choice = this.part("speed"), next = choice.selectedIndex + 1;
    if (next < choice.options.length) choice.selectedIndex = next;
    choice.onchange();
  }
  listen() {
    const { video, part } = this;
    video.ontimeupdate = () => this.moved();
    video.onpause = () => { this.report(); part("play").textContent = "Play"; this.paint(); };
    video.onplay = () => {
      this.wall = performance.now() / 1000;
      this.media = this.offset() + video.currentTime;
      part("play").textContent = "Pause";
    };
    video.onplaying = () => {
      if (!this.data.report || this.open || performance.now() - this.told < 5000) return;  // what was just told counts from there
      this.told = performance.now();
      this.turn += 1;  // an empty stretch: play begins, and time on the wall counts from here
      const t = this.offset() + video.currentTime;
      this.tell("watched", { from: t, to: t, turn: `${Date.now()}-${this.turn}` });
    };
    video.onended = () => {
      const { data } = this;
      this.witness(this.media, Math.max(this.media, data.moment ?? 0));
      if (data.piece && this.now() < data.to - 0.2) this.seek(data.at + (this.piece + 1) * data.piece, true);
      else if (data.loop) this.seek(this.looping ? data.loop[0] : data.from, true);
    };
    video.onerror = () => { part("told").textContent = "⚠ The recording cannot be played here."; };
    video.onratechange = () => { if (video.playbackRate > this.data.fastest) video.playbackRate = this.data.fastest; };
    video.requestVideoFrameCallback?.((now, told) => this.presented(now, told));
    part("play").onclick = () => this.toggles();
    part("back").onclick = () => this.seek(this.now() - 5, !video.paused);
    part("forth").onclick = () => this.seek(this.now() + 5, !video.paused);
    part("before").onclick = () => this.step(-1);
    part("after").onclick = () => this.step(1);
    part("full").onclick = () => this.full();
    part("loop").onclick = () => {
      this.looping = !this.looping;
      part("loop").setAttribute("aria-pressed", this.looping);
    };
    part("keep").onclick = () => { this.turn += 1; this.tell("bookmark", { t: this.now(), clock: this.clock, turn: `${Date.now()}-${this.turn}` }); };
    part("own").onclick = () => {
      video.pause();
      this.turn += 1;
      this.tell("own", { t: this.now(), clock: this.clock, turn: `${Date.now()}-${this.turn}` });
    };
    part("speed").onchange = () => { video.playbackRate = Number(part("speed").value); };
    part("bar").onclick = (event) => {
      const box = part("bar").getBoundingClientRect();
      this.seek(this.data.from + ((event.clientX - box.left) / box.width) * (this.data.to - this.data.from), !video.paused);
    };
    const stage = part("stage");
    let held = null;
    stage.onpointerdown = (event) => { held = { x: event.clientX, y: event.clientY, moved: false }; stage.setPointerCapture(event.pointerId); };
    stage.onpointermove = (event) => {
      if (!held) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moved && Math.hypot(dx, dy) < 4) return;
      this.zoom.x += dx;
      this.zoom.y += dy;
      held = { x: event.clientX, y: event.clientY, moved: true };
      this.place();
    };
    stage.onpointerup = () => {
      const click = held && !held.moved;
      held = null;
      if (click) this.toggles();
    };
    stage.ondblclick = (event) => {
      const box = stage.getBoundingClientRect();
      if (this.zoom.scale > 1) this.unzoom();
      else this.nearer(2.5, event.clientX - box.left, event.clientY - box.top);
    };
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.zoom.scale === 1) return;  // the page scrolls
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      this.nearer(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".player");
  root.verifierPlayer ??= new Player(root);
  current = root.verifierPlayer;
  current.take(data, setTriggerValue);
}
