// Plays a recording (whole, or in pieces) and tells which stretches were really played on screen.
// data: {src, piece, at, start, from, to, fastest, report, watched: [[from, to]], bookmarks: [t]}
// Times are the recording's, in which the file begins at `at`. `src` ends in "/" where pieces of `piece` seconds are played. tells: watched {from, to, turn}, bookmark {t, turn}
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".player");
  const video = root.querySelector("video");
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  let state = root.verifierState;
  const fresh = !state || state.src !== data.src || state.from !== data.from;
  if (fresh) state = root.verifierState = { src: data.src, from: data.from, piece: -1, open: null, told: -Infinity, wall: 0, media: 0, turn: 0 };
  state.data = data;
  const offset = () => data.at + (data.piece ? Math.max(state.piece, 0) * data.piece : 0);
  const now = () => offset() + video.currentTime;

  const paint = () => {
    const whole = Math.max(data.to - data.from, 0.1);
    const percent = (t) => ((t - data.from) / whole) * 100;
    const bar = part("bar");
    bar.querySelectorAll(".seen, .mark").forEach((one) => one.remove());
    for (const [from, to] of data.watched) {
      const seen = bar.appendChild(document.createElement("b"));
      seen.className = "seen";
      seen.style.left = `${percent(from)}%`;
      seen.style.width = `${percent(to) - percent(from)}%`;
    }
    for (const t of data.bookmarks) {
      const mark = bar.appendChild(document.createElement("b"));
      mark.className = "mark";
      mark.style.left = `${percent(t)}%`;
    }
    part("now").style.left = `${percent(now())}%`;
    part("clock").textContent = `${now().toFixed(1)} s of ${data.to.toFixed(0)} s`;
  };
  const tell = () => {
    if (state.open && state.open[1] - state.open[0] > 0.3) {
      state.turn += 1;
      state.told = performance.now();
      setTriggerValue("watched", { from: state.open[0], to: state.open[1], turn: `${Date.now()}-${state.turn}` });
    }
    state.open = null;
  };
  const seek = (t, play) => {
    tell();
    const at = Math.min(Math.max(t, data.from), Math.max(data.from, data.to - 0.05));
    if (data.piece) {
      const piece = Math.floor((at - data.at) / data.piece);
      if (piece !== state.piece) {
        state.piece = piece;
        video.src = `${data.src}${piece}`;
      }
      video.currentTime = at - data.at - piece * data.piece;
    } else {
      if (!video.getAttribute("src")) video.src = data.src;
      video.currentTime = at - data.at;
    }
    if (play) video.play().catch(() => {});
  };
  video.ontimeupdate = () => {
    const wall = performance.now() / 1000, media = now();
    const moved = media - state.media, passed = wall - state.wall;
    const natural = moved > 0 && moved <= passed * state.data.fastest * 1.5 + 0.3;
    if (!video.paused && !document.hidden && natural) {
      if (state.open) state.open[1] = media;
      else state.open = [state.media, media];
      if (state.open[1] - state.open[0] >= state.data.report * video.playbackRate) tell();
    } else if (!natural && moved !== 0) tell();
    state.wall = wall;
    state.media = media;
    if (media >= data.to && !video.paused) video.pause();
    paint();
  };
  video.onpause = () => { tell(); part("play").textContent = "Play"; };
  video.onplaying = () => {
    if (state.open || performance.now() - state.told < 5000) return;  // what was just told counts from there
    state.told = performance.now();
    state.turn += 1;  // an empty stretch: play begins, and time on the wall counts from here
    setTriggerValue("watched", { from: now(), to: now(), turn: `${Date.now()}-${state.turn}` });
  };
  video.onplay = () => { state.wall = performance.now() / 1000; state.media = now(); part("play").textContent = "Pause"; };
  video.onended = () => { if (data.piece && now() < data.to - 0.2) seek(data.at + (state.piece + 1) * data.piece, true); };
  video.onerror = () => { part("told").textContent = "⚠ The recording cannot be played here."; };
  part("play").onclick = () => (video.paused ? video.play().catch(() => {}) : video.pause());
  part("back").onclick = () => seek(now() - 5, !video.paused);
  part("forth").onclick = () => seek(now() + 5, !video.paused);
  part("keep").onclick = () => { state.turn += 1; setTriggerValue("bookmark", { t: now(), turn: `${Date.now()}-${state.turn}` }); };
  const speed = part("speed");
  if (fresh) {
    speed.replaceChildren(...[1, 1.25, 1.5, 2].filter((one) => one <= data.fastest).map((one) => new Option(`${one}×`, one)));
  }
  speed.onchange = () => { video.playbackRate = Number(speed.value); };
  video.onratechange = () => { if (video.playbackRate > data.fastest) video.playbackRate = data.fastest; };
  part("bar").onclick = (event) => {
    const box = part("bar").getBoundingClientRect();
    seek(data.from + ((event.clientX - box.left) / box.width) * (data.to - data.from), !video.paused);
  };
  if (fresh) seek(data.start, false);
  paint();
}
