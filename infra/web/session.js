// From the file that is sent to the report: each stage as it happens.
import { h, percent, put, say, soon } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import * as store from "/web/store.js";
import { act, icon, link, problemBox, title } from "/web/pieces.js";

const words = texts.session;
const order = ["queued", "awaitingUpload", "waiting", "processing", "complete"];

/** The step at which a session is: while it is worked on, its stage tells whether that has begun, and whether the report is left. */
function stepOf({ status, stage }) {
    if (status !== "processing") return status;
    return !stage ? "waiting" : stage === "report" ? "complete" : "processing";
}

/** What happens at a step, in words. */
const happening = (step, { stage }) => (step === "processing" && words.stages[stage]) || words.now[step];

/** What may be otherwise in a moment: the connection, the server's load, another tab that sends, an address that is over. */
const passing = new Set(["unreachable", "upload-in-progress", "upload-missing", "upload-changed", "upload-address-expired"]);
const passes = (error) => passing.has(error.code) || error.status >= 500 || error.status === 408 || error.status === 429;

export async function show({ parts: [id], go }) {
    let session = await api.call("GET", `/v1/sessions/${encodeURIComponent(id)}`);
    if (session.status === "complete") {
        location.replace(`#/report/${id}`);
        return [];
    }
    const control = new AbortController();
    // Of this visit, or of one that was interrupted.
    const kept = await store.ofSession(id, api.user.id);
    const file = api.recordings.get(id) ?? kept?.blob;
    if (file) api.recordings.set(id, file);
    let sent = null;
    let sending = false;
    // Whether all of it is there, so that only the last word has to be said again.
    let arrived = false;
    let failed = null;
    let tries = 0;
    // Until it is tried again by itself.
    let pause = null;
    let away = null;
    const heading = title(words.title);
    const body = h("div", { class: "stack" });
    const wrong = h("div");

    const end = (name, text, ...actions) => {
        heading.textContent = name;
        say(name);
        put(body, h("section", { class: "card" }, h("p", {}, text), h("div", { class: "row" }, actions)));
    };
    const record = (kind) => link("#/record", words.record, kind);

    // What stays in place while figures change, so that nobody loses the place where they are.
    const stages = h("ol", { class: "stages" });
    const bar = h("progress", { max: 1, value: 0, "aria-label": words.title });
    const now = h("p", {});
    const trouble = h("div");
    const card = h("section", { class: "card" }, stages, bar, now, trouble, h("p", { class: "small soft" }, words.patience), wrong,
        h("div", {}, act(words.cancel, "quiet small-button", async () => {
            changed(await api.call("POST", `/v1/sessions/${id}/cancel`));
        }, wrong)));
    let drawn = null;

    const draw = () => {
        if (!card.isConnected) put(body, card);
        const step = stepOf(session);
        const at = order.indexOf(step);
        const what = happening(step, session);
        const before = step === "waiting" && session.queuePosition ? words.before(session.queuePosition - 1) : "";
        if (drawn !== what + before) {
            drawn = what + before;
            put(stages, order.map((status, place) => h("li", { class: place < at ? "done" : place === at ? "now" : null, "aria-current": place === at && "step" },
                h("i", { "aria-hidden": "true" }, place < at && icon("check")), place === at ? what : words.steps[status])));
            say(before || what);
        }
        const share = session.status === "processing" ? session.progress : session.status === "awaitingUpload" ? sent ?? 0 : 0;
        // Nobody can say for how long.
        if (step === "queued" || step === "waiting") bar.removeAttribute("value");
        else bar.value = share;
        now.textContent = session.status === "awaitingUpload" && sent !== null ? words.sending(percent(sent)) : step === "processing" ? percent(share) : before;
        put(trouble, pause && h("div", { class: "warn stack tight" }, h("p", {}, navigator.onLine === false ? words.waitsOffline : pause.why), h("div", {}, act(words.sendNow, "quiet small-button", send))),
            !pause && away && h("p", { class: "warn" }, words.lost),
            failed && problemBox(failed, act(words.sendAgain, "small-button", send)),
            sending && !kept && h("p", { class: "warn" }, words.stayOpen));
    };

    const send = async () => {
        if (sending) return;
        clearTimeout(pause?.timer);
        pause = null;
        sending = true;
        failed = null;
        draw();
        try {
            // One tab sends; the others wait, and find it sent.
            await (navigator.locks ? navigator.locks.request(`mirrormate.upload.${id}`, { signal: control.signal }, deliver) : deliver());
        } catch (error) {
            if (error.name === "AbortError" || control.signal.aborted) return;
            if (["upload-missing", "upload-changed"].includes(error.code)) arrived = false;
            if (passes(error)) again(error);
            else failed = error;
        } finally {
            sending = false;
            if (!control.signal.aborted && !api.isOver(session)) draw();
        }
    };

    async function deliver() {
        // The address may be over by now, or the file there.
        const now = await api.call("GET", `/v1/sessions/${id}`);
        if (now.status !== "awaitingUpload") return changed(now);
        if (!arrived) {
            await api.upload(now.upload, file, (share) => {
                sent = share;
                draw();
            }, control.signal);
            arrived = true;
        }
        changed(await api.call("POST", `/v1/sessions/${id}/finalize`, {}));
    }

    /** Tries again by itself, each time later, or as soon as there is a network. */
    function again(error) {
        const seconds = error.retryAfter ?? Math.min(30, 2 ** tries);
        tries += 1;
        sent = null;
        pause = { timer: setTimeout(send, seconds * 1000 * (1 + Math.random() / 4)), why: texts.problems[error.code] ?? words.waits };
    }
    addEventListener("online", () => pause && send(), { signal: control.signal });

    function changed(next) {
        if (control.signal.aborted) return;
        if (!next) {
            end(words.gone, texts.errors.notFound, record());
            return;
        }
        session = next;
        // The server has it, or will not take it any more.
        if (kept && session.status !== "queued" && session.status !== "awaitingUpload") store.drop(kept.key);
        if (session.status === "complete") {
            location.replace(`#/report/${id}`);
        } else if (session.status === "cancelled") end(words.cancelled, words.cancelledText, record());
        else if (session.status === "expired") end(words.expired, words.expiredText, record());
        else if (session.status === "refused") end(words.refused, words.refusedText(soon(session.refusal.resetsAt)), link("#/history", texts.nav.history));
        else if (session.status === "error") {
            end(words.failed, [session.error.title, session.error.retryable && ` ${words.retry}`], record());
        } else if (session.status === "awaitingUpload" && !file) {
            const cancel = async () => changed(await api.call("POST", `/v1/sessions/${id}/cancel`));
            end(words.missing, words.missingText, act(words.cancel, "", cancel, wrong), record("quiet"), wrong);
        } else {
            draw();
            if (session.status === "awaitingUpload" && !sending && !failed && !pause) send();
        }
    }

    changed(session);
    if (!api.isOver(session)) {
        api.follow(id, { changed, signal: control.signal, lost: (error) => {
            if (away === null && error === null) return;
            away = error;
            if (!api.isOver(session) && card.isConnected) draw();
        } }).catch((error) => put(wrong, problemBox(error)));
    }
    return {
        leave: () => {
            clearTimeout(pause?.timer);
            control.abort();
        },
        elements: [heading, body],
    };
}
