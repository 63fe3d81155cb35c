// From the file that is sent to the report: each stage as it happens.
import { h, percent, put, say, soon } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import * as store from "/web/store.js";
import { act, icon, link, problemBox, title } from "/web/pieces.js";
import { upload } from "/web/upload.js";

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
const passing = new Set(["unreachable", "upload-in-progress", "upload-missing", "upload-changed", "upload-locked", "upload-offset-mismatch", "upload-gone"]);
const passes = (error) => passing.has(error.code) || error.status >= 500 || error.status === 408 || error.status === 429;

export async function show({ parts: [id], go }) {
    // Of this visit, or of one that was interrupted.
    const kept = await store.ofSession(id, api.user.id);
    const file = api.recordings.get(id) ?? kept?.blob;
    let session;
    try {
        session = await api.call("GET", `/v1/sessions/${encodeURIComponent(id)}`);
    } catch (error) {
        // Nobody can send to a session that was deleted.
        if (kept && error.code === "not-found") store.drop(kept.key);
        throw error;
    }
    if (file) api.recordings.set(id, file);
    if (session.status === "complete") {
        if (kept) store.drop(kept.key);
        location.replace(`#/report/${id}`);
        return [];
    }
    const control = new AbortController();
    // Where an upload that was begun goes on.
    let address = kept?.upload ?? null;
    const remember = async (place) => {
        address = place;
        if (kept && !control.signal.aborted) await store.keep({ ...kept, upload: place });
    };
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
    const advice = h("p", { class: "small soft" });
    const card = h("section", { class: "card" }, stages, bar, now, trouble, advice, wrong,
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
        const isHere = file && (session.status === "queued" || session.status === "awaitingUpload");
        // Nobody can say for how long.
        if (step === "queued" || step === "waiting") bar.removeAttribute("value");
        else bar.value = share;
        now.textContent = session.status === "awaitingUpload" && sent !== null && !pause ? words.sending(percent(sent)) : step === "processing" ? percent(share) : before;
        advice.textContent = !isHere ? words.patience : kept ? words.staying(soon(session.expiresAt)) : words.stayOpen;
        advice.className = isHere && !kept ? "warn" : "small soft";
        put(trouble, pause && h("div", { class: "warn stack tight" }, h("p", {}, navigator.onLine === false ? words.waitsOffline(Boolean(kept)) : pause.why), h("div", {}, act(words.sendNow, "quiet small-button", send))),
            !pause && away && h("p", { class: "warn" }, words.lost),
            failed && problemBox(failed, act(words.sendAgain, "small-button", send)));
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
            // What it says that it has is not there: all of it is sent anew.
            if (error.code === "upload-missing") await remember(null);
            if (passes(error)) again(error);
            else failed = error;
        } finally {
            sending = false;
            if (!control.signal.aborted && !api.isOver(session)) draw();
        }
    };

    async function deliver() {
        // Its time may be over by now, or the file there.
        const now = await api.call("GET", `/v1/sessions/${id}`);
        if (now.status !== "awaitingUpload") return changed(now);
        if (!arrived) {
            // Another tab may have begun it.
            if (kept) address = (await store.ofSession(id, api.user.id))?.upload ?? null;
            await upload(id, file, { address, began: remember, signal: control.signal, progress: (share) => {
                sent = share;
                draw();
            } });
            arrived = true;
        }
        changed(await api.call("POST", `/v1/sessions/${id}/finalize`, {}));
    }

    /** Tries again by itself, each time later, or as soon as there is a network. */
    function again(error) {
        const seconds = error.retryAfter ?? Math.min(30, 2 ** tries);
        tries += 1;
        pause = { timer: setTimeout(send, seconds * 1000 * (1 + Math.random() / 4)), why: texts.problems[error.code] ?? words.waits };
    }
    addEventListener("online", () => pause && send(), { signal: control.signal });
    // A phone stops what is out of sight.
    document.addEventListener("visibilitychange", () => !document.hidden && pause && send(), { signal: control.signal });
    addEventListener("beforeunload", (event) => {
        if (file && !kept && (session.status === "queued" || session.status === "awaitingUpload")) event.preventDefault();
    }, { signal: control.signal });

    function stop() {
        clearTimeout(pause?.timer);
        control.abort();
    }

    function changed(next) {
        if (control.signal.aborted) return;
        if (!next) {
            end(words.gone, texts.errors.notFound, record());
            return;
        }
        session = next;
        // The server has it, or will not take it any more; one that came too late or too often waits for another session.
        if (kept && (session.status === "expired" || session.status === "refused")) store.unbind(id, api.user.id);
        else if (kept && session.status !== "queued" && session.status !== "awaitingUpload") store.drop(kept.key);
        if (session.status === "complete") {
            location.replace(`#/report/${id}`);
        } else if (session.status === "cancelled") end(words.cancelled, words.cancelledText, record());
        else if (session.status === "expired") end(words.expired, kept ? words.expiredKept : words.expiredText, kept ? link("#/record", words.sendAgain) : record());
        else if (session.status === "refused") end(words.refused, [words.refusedText(soon(session.refusal.resetsAt)), kept && ` ${texts.record.keptHere}`], link("#/history", texts.nav.history));
        else if (session.status === "error") {
            const once = kept && session.error.retryable && act(words.sendAgain, "", async () => {
                await store.keep({ ...kept, key: id, session: undefined, upload: undefined });
                go("record");
            }, wrong);
            end(words.failed, [session.error.title, session.error.retryable && ` ${words.retry}`], once, record(once ? "quiet" : ""), wrong);
        } else if (session.status === "awaitingUpload" && !file) {
            const cancel = async () => changed(await api.call("POST", `/v1/sessions/${id}/cancel`));
            end(words.missing, words.missingText, act(words.cancel, "", cancel, wrong), record("quiet"), wrong);
        } else {
            draw();
            if (session.status === "awaitingUpload" && !sending && !failed && !pause) send();
        }
        // Nothing of it is sent any more.
        if (api.isOver(session)) stop();
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
        leave: stop,
        elements: [heading, body],
    };
}
