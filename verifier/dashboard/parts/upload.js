// Sends a recording in pieces and shows how far it is; a transfer that broke off goes on where it was.
// data: {piece}; tells: uploaded {id, name, turn}
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".upload");
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  if (root.verifierBusy) return;
  const say = (text, wrong) => {
    part("told").textContent = text;
    part("told").className = wrong ? "wrong" : "";
  };
  const asked = async (url, body) => {
    const answer = await fetch(url, { method: "POST", body, credentials: "same-origin" });
    if (!answer.ok) {
      const error = new Error(await answer.text());
      error.final = answer.status < 500;
      throw error;
    }
    return answer.json();
  };
  const patiently = async (call) => {
    for (let wait = 1; ; wait = Math.min(wait * 2, 30)) {
      try {
        return await call();
      } catch (error) {
        if (error.final || error.message.startsWith("the recording cannot")) throw error;
        say(`The connection is interrupted; it goes on by itself (${wait} s) …`, true);
        await new Promise((done) => setTimeout(done, wait * 1000));
      }
    }
  };
  // Whether what has come is the beginning of this file. Browsers hash on this computer's own address and over HTTPS only.
  const sameSoFar = async (file, now) => {
    if (!now.got) return true;
    if (!crypto.subtle) return false;
    const came = await asked(`/room/upload/${now.id}/came`);
    for (let number = 0; number < came.length; number++) {
      const piece = file.slice(number * data.piece, Math.min((number + 1) * data.piece, now.got));
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await piece.arrayBuffer()));
      if (Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") !== came[number]) return false;
    }
    return true;
  };
  const send = async (file) => {
    root.verifierBusy = true;
    part("pick").disabled = true;
    const began = performance.now();
    try {
      const begin = (anew = "") => asked(`/room/upload?name=${encodeURIComponent(file.name)}&size=${file.size}&changed=${file.lastModified}${anew}`);
      let now = await patiently(() => begin());
      if (!(await patiently(() => sameSoFar(file, now)))) now = await patiently(() => begin("&anew=1"));
      const already = now.got;
      while (now.got < now.size) {
        const piece = file.slice(now.got, now.got + data.piece);
        const at = now.got;
        now = await patiently(async () => {
          try {
            return await asked(`/room/upload/${now.id}/${at}`, piece);
          } catch (error) {
            if (!error.final) throw error;
            const there = await begin();
            if (there.id === now.id && there.got > at) return there;
            throw error;
          }
        });
        const seconds = (performance.now() - began) / 1000;
        const rate = (now.got - already) / Math.max(seconds, 0.1);
        const left = (now.size - now.got) / Math.max(rate, 1);
        part("bar").value = now.got / now.size;
        say(`${(now.got / 1e6).toFixed(0)} of ${(now.size / 1e6).toFixed(0)} MB, ${(rate / 1e6).toFixed(1)} MB/s, about ${left < 90 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`} left`);
      }
      part("bar").value = 1;
      say(`${now.name} is here.`);
      setTriggerValue("uploaded", { id: now.id, turn: Date.now() });
    } catch (error) {
      say(error.message, true);
    } finally {
      root.verifierBusy = false;
      part("pick").disabled = false;
    }
  };
  part("pick").onchange = (event) => {
    const file = event.target.files[0];
    if (file) send(file);
  };
}
