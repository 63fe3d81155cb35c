// A recording: by the camera or from a file, looked at once, then sent.
import { clock, h, put, s, say, unload, uuid, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import * as store from "/web/store.js";
import { busy, icon, link, problemBox, title } from "/web/pieces.js";
import { allowance } from "/web/quota.js";
import { isUnderWay } from "/web/sending.js";

const words = texts.record;
// The API allows 95; a recorder's last piece may be a little late.
const longest = 90;
const limit = 95;
const types = { "video/mp4": "video/mp4", "video/quicktime": "video/quicktime", "video/webm": "video/webm" };

export async function show({ go }) {
    const [quota, { waiting, going }] = await Promise.all([api.call("GET", "/v1/quota"), store.unsent(api.user.id)]);
    let scenario = waiting?.scenario ?? "general";
    let stop = () => {};
    // What the last step was; an answer that comes after another step begins nothing.
    let turn = 0;
    const stage = h("div", { class: "stack" });
    const prompt = h("p", {});
    const choose = (name) => {
        scenario = name;
        prompt.textContent = words.prompts[name];
    };
    const segments = h("fieldset", { class: "segments" }, h("legend", {}, words.for),
        Object.entries(words.scenarios).map(([name, text]) => [
            h("input", { type: "radio", name: "scenario", id: `for-${name}`, value: name, checked: name === scenario, onchange: () => choose(name) }),
            h("label", { for: `for-${name}` }, text)]));
    choose(scenario);

    const lead = h("p", { class: "lead" }, words.lead);
    const [name, text, toIt] = going && isUnderWay(going.session) ? [words.onItsWayTitle, words.onItsWayText, words.showIt] : [words.goingTitle, words.goingText, words.goOn];
    const open = going && h("section", { class: "card accent" }, h("h2", {}, name), h("p", {}, text), h("div", {}, link(`#/session/${going.session}`, toIt)));
    const intro = [lead, open, allowance(quota), quota.remaining === 0 && h("p", { class: "soft" }, words.later), segments].filter(Boolean);
    const idea = h("div", { class: "card accent", style: { gap: ".25rem" } }, h("p", { class: "eyebrow" }, words.prompt), prompt);
    // A camera needs the room; what was said before stands back.
    const only = (hasIdea, hasIntro) => {
        intro.forEach((element) => { element.hidden = !hasIntro; });
        idea.hidden = !hasIdea;
    };

    const begin = (error) => {
        stop();
        stop = () => {};
        turn += 1;
        only(true, true);
        const picker = h("input", { type: "file", accept: Object.keys(types).join(","), hidden: true, "aria-label": words.file, onchange: () => picker.files[0] && look(picker.files[0]) });
        const file = h("button", { type: "button", class: "choice quiet", onclick: () => picker.click(),
            ondragover: (event) => { event.preventDefault(); file.classList.add("dropping"); },
            ondragleave: () => file.classList.remove("dropping"),
            ondrop: (event) => { event.preventDefault(); file.classList.remove("dropping"); if (event.dataTransfer.files[0]) look(event.dataTransfer.files[0]); },
        }, icon("file"), words.file, h("span", { class: "small soft" }, words.fileHint));
        put(stage, error && h("div", { class: "problem", role: "alert" }, h("p", {}, error)),
            h("div", { class: "choices" },
                h("button", { type: "button", class: "choice", onclick: ({ currentTarget }) => busy(currentTarget, null, camera) }, icon("camera"), words.camera, h("span", { class: "small" }, words.cameraHint)), file), picker);
        // What had the focus is gone, but for the first time.
        stage.querySelector("button").focus({ preventScroll: true });
    };

    const camera = async () => {
        const refused = (text) => begin(text);
        if (!navigator.mediaDevices?.getUserMedia) return refused(isSecureContext ? words.noRecorder : words.insecure);
        if (!globalThis.MediaRecorder) return refused(words.noRecorder);
        const own = (turn += 1);
        let stream;
        say(words.asking);
        try {
            stream = await navigator.mediaDevices.getUserMedia({
                video: { width: { ideal: 1280 }, height: { ideal: 720 }, facingMode: "user" }, audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
        } catch (error) {
            return own === turn && refused({ NotAllowedError: words.denied, NotFoundError: words.noCamera, NotReadableError: words.busy }[error.name] ?? words.noCamera);
        }
        // Somebody answered who had gone on meanwhile: the camera is let go.
        if (own !== turn) return stream.getTracks().forEach((track) => track.stop());
        return record(stream);
    };

    const record = (stream) => {
        only(true, false);
        const type = ["video/mp4;codecs=avc1.42E01E,mp4a.40.2", "video/webm;codecs=vp8,opus", "video/webm", "video/mp4"].find((one) => MediaRecorder.isTypeSupported(one));
        const picture = h("video", { muted: true, autoplay: true, playsinline: true, srcObject: stream, "aria-label": words.mirror });
        const over = h("div", { class: "over" });
        const sound = meter(stream);
        const button = h("button", { type: "button" }, words.start);
        const leave = h("button", { type: "button", class: "quiet", onclick: () => begin() }, words.cameraLeave);
        // Keeps a phone that nobody touches for a minute from going dark, where that can be.
        const awake = navigator.wakeLock?.request("screen").catch(() => null);
        let recorder = null;
        let tick = 0;
        let left = false;
        stop = () => {
            left = true;
            clearInterval(tick);
            if (recorder?.state === "recording") recorder.stop();
            sound.end();
            stream.getTracks().forEach((track) => track.stop());
            awake?.then((lock) => lock?.release());
        };
        // Unplugged, or taken by the system: what is recorded until then is there to be looked at.
        stream.getTracks().forEach((track) => track.addEventListener("ended", () => {
            if (left) return;
            if (recorder?.state === "recording") recorder.stop();
            else begin(words.cameraGone);
        }));
        const start = async () => {
            button.disabled = true;
            for (const seconds of [3, 2, 1]) {
                put(over, h("div", { class: "count" }, String(seconds)));
                say(words.starting(seconds));
                await new Promise((resolve) => setTimeout(resolve, 1000));
                if (left) return;
            }
            const pieces = [];
            try {
                recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 2_500_000 });
                recorder.start(1000);
            } catch {
                return begin(words.noRecorder);
            }
            recorder.addEventListener("dataavailable", ({ data }) => data.size > 0 && pieces.push(data));
            const began = performance.now();
            recorder.addEventListener("stop", () => {
                if (left) return;
                const seconds = (performance.now() - began) / 1000;
                stop();
                // A recorder's own type names codecs, which are none of an upload's business.
                const blob = new Blob(pieces, { type: recorder.mimeType.split(";")[0] });
                if (blob.size) preview(blob, seconds, true);
                else begin(words.noRecorder);
            });
            const time = h("span", {}, clock(0));
            put(over, h("div", { class: "badge" }, h("i"), h("span", { class: "unseen" }, words.recording), time));
            say(words.recording);
            let isTold = false;
            tick = setInterval(() => {
                const seconds = (performance.now() - began) / 1000;
                if (!isTold && longest - seconds <= 20) {
                    isTold = true;
                    say(words.timeLeft(clock(longest - seconds)));
                }
                time.textContent = longest - seconds > 20 ? clock(seconds) : words.timeLeft(clock(longest - seconds));
                if (seconds >= longest) recorder.stop();
            }, 200);
            button.disabled = false;
            button.textContent = words.stop;
            button.className = "recording-now";
            button.onclick = () => recorder.stop();
            button.focus();
        };
        button.onclick = start;
        put(stage, h("div", { class: "stage mirror" }, picture,
            s("svg", { class: "frame", viewBox: "0 0 100 100", preserveAspectRatio: "xMidYMid meet", "aria-hidden": "true" },
                s("ellipse", { cx: 50, cy: 46, rx: 25, ry: 34, fill: "none", stroke: "#fff", "stroke-opacity": .7, "stroke-width": .6, "stroke-dasharray": "2.2 1.8" })),
            over, h("p", { class: "tip" }, words.hint)), sound.element, h("div", { class: "row" }, button, leave));
        button.focus();
    };

    const look = async (file) => {
        if (!types[file.type]) return begin(words.wrongType);
        const own = (turn += 1);
        const seconds = await lengthOf(file);
        return own === turn && preview(file, seconds, false);
    };

    const preview = (blob, seconds, recorded, again = null) => {
        only(false, false);
        const problem = seconds !== null && seconds < 3 ? words.tooShort : seconds > limit ? words.tooLong(limit) : null;
        // It is nowhere else: whoever looks at another view first, or reloads, finds it again.
        if (recorded && !problem) {
            key = { blob, scenario, id: uuid() };
            store.keep(kept(blob, seconds));
        }
        const address = URL.createObjectURL(blob);
        const video = h("video", { class: "player", src: address, controls: true, playsinline: true, preload: "metadata", "aria-label": words.preview });
        stop = () => unload(video, address);
        const wrong = h("div");
        const heading = h("h2", { tabindex: "-1" }, again ? words.waitingTitle : words.previewTitle);
        const send = h("button", { type: "button", onclick: () => busy(send, wrong, () => create(blob, seconds, wrong)) }, words.send);
        const another = () => {
            discard();
            begin();
            if (recorded) camera();
        };
        put(stage, h("section", { class: "card" }, heading, h("p", { class: "soft" }, again ? words.waitingLead : recorded ? words.previewLead : words.previewFileLead),
            video, problem && h("p", { class: "warn", role: "alert" }, problem), wrong,
            h("div", { class: "row" }, !problem && send,
                h("button", { type: "button", class: "quiet", onclick: another }, recorded ? words.redo : again ? words.discard : words.other))));
        heading.focus();
    };

    // The key is one recording's: pressed twice, also after a reload, it is one session.
    let key = waiting ? { blob: waiting.blob, scenario, id: waiting.key } : null;
    const kept = (blob, seconds) => ({ key: key.id, owner: api.user.id, blob, seconds, scenario });
    const discard = () => {
        if (key) store.drop(key.id);
        key = null;
    };
    const create = async (blob, seconds, wrong) => {
        if (key?.blob !== blob || key.scenario !== scenario) {
            discard();
            key = { blob, scenario, id: uuid() };
        }
        const recording = kept(blob, seconds);
        const isKept = await store.keep(recording);
        try {
            const session = await api.call("POST", "/v1/sessions", {
                kind: "mirrormate", contentType: blob.type, contentLength: blob.size, maxDurationSeconds: limit, timeZone: zone, scenario,
            }, { headers: { "Idempotency-Key": key.id } });
            api.recordings.set(session.id, blob);
            await store.keep({ ...recording, session: session.id });
            go(`session/${session.id}`);
        } catch (error) {
            const held = error.document?.heldBy?.id ?? error.document?.heldBy?.sessionId;
            const action = error.code === "address-unconfirmed" ? link("#/verify", texts.account.confirmNow, "small-button")
                : held ? link(`#/session/${held}`, texts.session.openIt, "small-button")
                    : isKept && error.code === "quota-exceeded" ? h("p", {}, words.keptHere) : null;
            if (!action) throw error;
            put(wrong, problemBox(error, action));
        }
    };

    begin();
    if (waiting) preview(waiting.blob, waiting.seconds, false, waiting);
    return {
        leave: () => {
            turn += 1;
            stop();
        },
        elements: [
            h("header", { class: "stack tight" }, title(words.title), lead), intro.slice(1), idea, stage,
        ],
    };
}

/** The length of a video; null where the browser cannot tell. */
function lengthOf(file) {
    return new Promise((resolve) => {
        const address = URL.createObjectURL(file);
        const end = (seconds) => {
            unload(video, address);
            resolve(Number.isFinite(seconds) ? seconds : null);
        };
        const video = h("video", { preload: "metadata", muted: true, src: address, onloadedmetadata: () => end(video.duration), onerror: () => end(null) });
        setTimeout(() => end(null), 4000);
    });
}

/** How loud it is: twelve bars, and a word for it. */
function meter(stream) {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 2048;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const bars = [...Array(12)].map((_, place) => s("rect", { x: place * 11, y: 0, width: 8, height: 22, rx: 3 }));
    const word = h("span", { class: "small soft" }, words.good);
    let slow = -30;
    let peaks = 0;
    const timer = setInterval(() => {
        analyser.getFloatTimeDomainData(samples);
        let sum = 0;
        let peak = 0;
        for (const sample of samples) {
            sum += sample * sample;
            peak = Math.max(peak, Math.abs(sample));
        }
        const loudness = 10 * Math.log10(sum / samples.length + 1e-10);
        slow = Math.max(loudness, slow - 1.2);
        peaks = peak > 0.985 ? 20 : Math.max(0, peaks - 1);
        const on = Math.round(((Math.min(0, Math.max(-60, loudness)) + 60) / 60) * bars.length);
        bars.forEach((bar, place) => bar.setAttribute("class", place < on ? (place > 9 ? "on hot" : "on") : ""));
        const text = peaks > 0 ? words.loud : slow < -52 ? words.quiet : words.good;
        if (word.textContent !== text) word.textContent = text;
    }, 80);
    return {
        element: h("div", { class: "meter" }, s("svg", { viewBox: "0 0 130 22", role: "img", "aria-label": words.level }, bars), word),
        end: () => {
            clearInterval(timer);
            context.close();
        },
    };
}
