// From the file that is sent to the report: each stage as it happens.
import { h, percent, put, say, soon } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import * as store from "/web/store.js";
import { act, icon, link, problemBox, title } from "/web/pieces.js";
import { isOpen, sender, settle } from "/web/sending.js";

const words = texts.session;
const order = ["queued", "awaitingUpload", "waiting", "processing", "complete"];

/** The step at which a session is: while it is worked on, its stage tells whether that has begun, and whether the report is left. */
function stepOf({ status, stage }) {
    if (status !== "processing") return status;
    return !stage ? "waiting" : stage === "report" ? "complete" : "processing";
}

/** What happens at a step, in words. */
const happening = (step, { stage }) => (step === "processing" && words.stages[stage]) || words.now[step];

export async function show({ parts: [id], go }) {
    // Of this visit, or of one that was interrupted; of a session that is over it may wait for another one already.
    const owner = api.user.id;
    const kept = await store.ofSession(id, owner);
    const isHere = Boolean(kept ?? (await store.unbound(id, owner)));
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
        settle(session, owner);
        location.replace(`#/report/${id}`);
        return [];
    }
    const control = new AbortController();
    const sending = file && isOpen(session) ? sender(id, file, kept) : null;
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
        const share = session.status === "processing" ? session.progress : session.status === "awaitingUpload" ? sending?.share ?? 0 : 0;
        const { pause, failed } = sending ?? {};
        // Nobody can say for how long.
        if (step === "queued" || step === "waiting") bar.removeAttribute("value");
        else bar.value = share;
        const isSent = session.status === "awaitingUpload" && sending && sending.share !== null && !pause;
        now.textContent = isSent ? words.sending(percent(share)) : step === "processing" ? percent(share) : before;
        const isCareless = sending && isOpen(session) && !sending.isKept;
        advice.textContent = !sending || !isOpen(session) ? words.patience : isCareless ? words.stayOpen : words.staying(soon(session.expiresAt));
        advice.className = isCareless ? "warn" : "small soft";
        put(trouble, pause && h("div", { class: "warn stack tight" }, h("p", {}, navigator.onLine === false ? words.waitsOffline(sending.isKept) : pause.why), h("div", {}, act(words.sendNow, "quiet small-button", sending.send))),
            !pause && away && h("p", { class: "warn" }, words.lost),
            failed && problemBox(failed, act(words.sendAgain, "small-button", sending.send)));
    };

    function changed(next) {
        if (control.signal.aborted) return;
        if (!next) {
            sending?.stop();
            if (kept) store.drop(kept.key);
            end(words.gone, texts.errors.notFound, record());
            return;
        }
        session = next;
        settle(session, owner);
        if (session.status === "complete") {
            location.replace(`#/report/${id}`);
        } else if (session.status === "cancelled") end(words.cancelled, words.cancelledText, record());
        else if (session.status === "expired") end(words.expired, isHere ? words.expiredKept : words.expiredText, isHere ? link("#/record", words.sendAgain) : record());
        else if (session.status === "refused") end(words.refused, [words.refusedText(soon(session.refusal.resetsAt)), isHere && ` ${texts.record.keptHere}`], link("#/history", texts.nav.history));
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
            if (isOpen(session)) sending?.start();
        }
    }

    const unwatch = sending?.watch({ draw: () => !api.isOver(session) && card.isConnected && draw(), changed });
    changed(session);
    if (!api.isOver(session)) {
        api.follow(id, { changed, signal: control.signal, lost: (error) => {
            if (away === null && error === null) return;
            away = error;
            if (!api.isOver(session) && card.isConnected) draw();
        } }).catch((error) => put(wrong, problemBox(error)));
    }
    return {
        // What is sent goes on.
        leave: () => {
            unwatch?.();
            control.abort();
        },
        elements: [heading, body],
    };
}
