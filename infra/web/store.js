// Recordings that are on their way: in this browser's own database until the server has them, so that neither a reload nor a
// lost connection takes them away.
const day = 86_400_000;
let opening = null;

function open() {
    opening ??= new Promise((resolve, reject) => {
        const request = indexedDB.open("mirrormate", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("recordings", { keyPath: "key" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
        request.onblocked = () => reject(new Error("blocked"));
    });
    return opening;
}

/** Does something with the recordings; undefined where a browser keeps nothing, as some do in private windows. */
async function run(mode, work) {
    try {
        const database = await open();
        return await new Promise((resolve, reject) => {
            const transaction = database.transaction("recordings", mode);
            const request = work(transaction.objectStore("recordings"));
            transaction.oncomplete = () => resolve(request.result);
            transaction.onabort = () => reject(transaction.error);
        });
    } catch {
        return undefined;
    }
}

/**
 * Keeps a recording: `key` of its session's creation, `owner`, `blob`, `seconds` (null if unknown), `scenario`, `session` as soon as
 * there is one, and `upload`, the address where it goes on, as soon as some of it is sent. Gives whether it is kept.
 */
export const keep = async (recording) => (await run("readwrite", (all) => all.put({ at: Date.now(), ...recording }))) !== undefined;

export const drop = (key) => run("readwrite", (all) => all.delete(key));

/** Nothing of whoever leaves stays. */
export const clear = () => run("readwrite", (all) => all.clear());

const all = async () => (await run("readonly", (recordings) => recordings.getAll())) ?? [];

/** The recording of a session. */
export const ofSession = async (id, owner) => (await all()).find((one) => one.session === id && one.owner === owner);

/** The recording that had a session before, and waits for another one. */
export const unbound = async (id, owner) => (await all()).find((one) => one.key === id && one.owner === owner && !one.session);

/** Lets the recording of a session whose time is over wait for another one; so long as it is not a day old. */
export async function unbind(id, owner) {
    const one = await ofSession(id, owner);
    if (!one) return;
    // The same key in each tab that hears of it, so that one recording stays one.
    await keep({ ...one, key: id, session: undefined, upload: undefined });
    await drop(one.key);
}

/** The newest recording that has no session yet, and the newest whose session has not all of it; what is of others, or older than a day, goes. */
export async function unsent(owner) {
    const kept = await all();
    const gone = kept.filter((one) => one.owner !== owner || one.at < Date.now() - day);
    for (const one of gone) await drop(one.key);
    const left = kept.filter((one) => !gone.includes(one)).sort((one, other) => other.at - one.at);
    return { waiting: left.find((one) => !one.session), going: left.find((one) => one.session) };
}
