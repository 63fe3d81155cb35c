// Recordings on their way to the server, whichever view is shown meanwhile: one sender for each session of this visit.
import { say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import * as store from "/web/store.js";
import { upload } from "/web/upload.js";

const words = texts.session;
const senders = new Map();
// Nothing of whoever leaves is sent any more.
api.whenUserChanges((user) => senders.forEach((one) => one.owner !== user?.id && one.stop()));

/** What may be otherwise in a moment: the connection, the server's load, another tab that sends, an upload that is over. */
const passing = new Set(["unreachable", "upload-in-progress", "upload-missing", "upload-changed", "upload-locked", "upload-offset-mismatch", "upload-gone"]);
const passes = (error) => passing.has(error.code) || error.status >= 500 || error.status === 408 || error.status === 429;

/** Whether a session waits for its file. */
export const isOpen = ({ status }) => status === "queued" || status === "awaitingUpload";

/** Whether the file of a session is being sent, or will be by itself. */
export const isUnderWay = (id) => senders.has(id) && !senders.get(id).failed;

/**
 * Takes note of what became of a session: its recording goes once the server has it or will not take it any more, and waits for another
 * session where it came too late or too often.
 */
export async function settle(session, owner) {
    if (isOpen(session)) return;
    senders.get(session.id)?.stop();
    const kept = await store.ofSession(session.id, owner);
    if (!kept) return;
    if (session.status === "expired" || session.status === "refused") await store.unbind(session.id, owner);
    else await store.drop(kept.key);
}

/**
 * The sender of a session's file, the same for every view; `kept` is what the store has of it, if anything.
 *
 * Its `watch` takes what is called when there is something else to draw, and when the session has changed; it gives what ends that.
 */
export function sender(id, file, kept) {
    const known = senders.get(id);
    if (known) return known;
    const control = new AbortController();
    const { signal } = control;
    const watchers = new Set();
    // Whether all of it is there, so that only the last word has to be said again.
    let arrived = false;
    let tries = 0;
    let address = kept?.upload ?? null;
    // Until somebody asks whether quota has decided, where no view hears of it.
    let waiting = 0;
    const remember = async (place) => {
        address = place;
        if (kept && !signal.aborted) await store.keep({ ...kept, upload: place });
    };
    const draw = () => watchers.forEach((watcher) => watcher.draw());

    async function changed(session) {
        await settle(session, one.owner);
        if (!watchers.size && session.status === "processing") say(words.arrived);
        watchers.forEach((watcher) => watcher.changed(session));
    }

    async function deliver() {
        // Its time may be over by now, or the file there.
        const now = await api.call("GET", `/v1/sessions/${id}`);
        if (now.status === "queued") waiting = setTimeout(one.start, 5000);
        if (now.status !== "awaitingUpload") return changed(now);
        if (!arrived) {
            // Another tab may have begun it.
            if (kept) address = (await store.ofSession(id, one.owner))?.upload ?? null;
            await upload(id, file, { address, began: remember, signal, progress: (share) => {
                one.share = share;
                draw();
            } });
            arrived = true;
        }
        return changed(await api.call("POST", `/v1/sessions/${id}/finalize`, {}));
    }

    /** Tries again by itself, each time later, or as soon as there is a network. */
    function again(error) {
        const seconds = error.retryAfter ?? Math.min(30, 2 ** tries);
        tries += 1;
        one.pause = { timer: setTimeout(one.send, seconds * 1000 * (1 + Math.random() / 4)), why: texts.problems[error.code] ?? words.waits };
    }

    const one = {
        owner: api.user.id, isKept: Boolean(kept),
        // The share that is there, null before any is; what it waits for; why it does not go on by itself.
        share: null, pause: null, failed: null, isSending: false,
        /** Sends it, unless that is done or decided already. */
        start: () => {
            if (!one.pause && !one.failed) one.send();
        },
        /** Sends it now. */
        send: async () => {
            if (one.isSending || signal.aborted) return;
            clearTimeout(waiting);
            clearTimeout(one.pause?.timer);
            one.pause = null;
            one.failed = null;
            one.isSending = true;
            draw();
            try {
                // One tab sends; the others wait, and find it sent.
                await (navigator.locks ? navigator.locks.request(`mirrormate.upload.${id}`, { signal }, deliver) : deliver());
            } catch (error) {
                if (error.name === "AbortError" || signal.aborted) return;
                if (["upload-missing", "upload-changed"].includes(error.code)) arrived = false;
                // What it says that it has is not there: all of it is sent anew.
                if (error.code === "upload-missing") await remember(null);
                if (passes(error)) again(error);
                else one.failed = error;
            } finally {
                one.isSending = false;
                if (!signal.aborted) draw();
            }
        },
        stop: () => {
            clearTimeout(waiting);
            clearTimeout(one.pause?.timer);
            control.abort();
            senders.delete(id);
        },
        watch: (watcher) => {
            watchers.add(watcher);
            return () => watchers.delete(watcher);
        },
    };
    addEventListener("online", () => one.pause && one.send(), { signal });
    // A phone stops what is out of sight.
    document.addEventListener("visibilitychange", () => !document.hidden && one.pause && one.send(), { signal });
    addEventListener("beforeunload", (event) => !kept && event.preventDefault(), { signal });
    senders.set(id, one);
    return one;
}
