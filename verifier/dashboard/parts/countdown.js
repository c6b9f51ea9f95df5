// Seconds that run down. data: {left}; tells: over
const AFTER_MS = 400;
export default function ({ data, parentElement, setTriggerValue }) {
  const shown = parentElement.querySelector("span");
  clearInterval(shown.verifierTick);
  const end = performance.now() + data.left * 1000;
  let told = false;
  const tick = () => {
    const left = end - performance.now();
    shown.textContent = `${Math.max(0, Math.ceil(left / 1000))} s`;
    if (told || left > -AFTER_MS) return;
    told = true;
    clearInterval(shown.verifierTick);
    if (shown.isConnected) setTriggerValue("over", true);
  };
  shown.verifierTick = setInterval(tick, 200);
  tick();
  return () => clearInterval(shown.verifierTick);
}
