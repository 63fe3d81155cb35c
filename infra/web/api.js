// The API as the page uses it: one place for tokens, problems and event streams. The access token is in memory alone; the
// refresh token is in a cookie that no script sees, which identity sets and takes where `Refresh-Token-In` asks for it.
import { uuid, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";

/** What the API refuses, with its own sentence about what to do next. */
export class Problem extends Error {
    constructor(document, retryAfter) {
        super(document.detail || document.title || texts.errors.unknown);
        this.status = document.status;
        this.code = document.code;
        this.title = document.title;
        this.document = document;
        this.retryAfter = retryAfter;
    }
}

/** No answer: offline, or the server is away. */
export class Unreachable extends Error {
    constructor() {
        super(navigator.onLine === false ? texts.errors.offline : texts.errors.unreachable);
        this.code = "unreachable";
    }
}

let access = null;
let refreshing = null;
export let user = null;
const followers = new Set();
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("mirrormate") : null;

/** Calls when somebody else is signed in, or nobody. */
export const whenUserChanges = (call) => followers.add(call);

/** Where the practice timer keeps a session that runs; it goes with whoever leaves. */
export const running = "mirrormate.practice";

function change(next) {
    user = next;
    if (!next) localStorage.removeItem(running);
    followers.forEach((call) => call(user));
}

// Says that there may be a cookie, so that whoever comes for the first time asks for nothing; and whose, so that another one is noticed.
const mark = "mirrormate.signed-in";
/** Whether somebody was signed in here when the page was last open. */
export const wasSignedIn = () => localStorage.getItem(mark) !== null;

function welcome(answer) {
    access = answer.accessToken;
    localStorage.setItem(mark, answer.user.id);
    change(answer.user);
    tabs?.postMessage({ came: answer.user.id });
    return answer;
}

function forget() {
    access = null;
    localStorage.removeItem(mark);
    change(null);
}

// The cookie is every tab's: who leaves in one has left in all, and who comes in one is there in all.
tabs?.addEventListener("message", ({ data }) => {
    if (data.left && data.left === user?.id) forget();
    if (data.came && data.came !== user?.id) reread().catch(() => {});
});

/** Lets one tab at a time use or change the cookie, so that none brings an old one. Without locks identity's grace does. */
const alone = (work) => (navigator.locks ? navigator.locks.request("mirrormate.cookie", work) : work());

/** What asks for the cookie in the place of a refresh token in the body. */
const inCookie = { "Refresh-Token-In": "cookie" };

/** Comes in, by one of the routes that do; throws as `call`. */
async function enter(path, body, { headers, ...more } = {}) {
    const once = () => alone(() => call("POST", path, body, { ...more, headers: { ...headers, ...inCookie }, asItIs: true }));
    try {
        return await once();
    } catch (error) {
        // Not while this tab has its turn, which the renewal needs itself.
        if (more.open || !renewable.has(error.code)) throw error;
        await refresh();
        return once();
    }
}

/** Whose an access token is. */
function ownerOf(token) {
    try {
        return JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).sub;
    } catch {
        return undefined;
    }
}

async function read(response) {
    const text = await response.text();
    if (!text) return null;
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** What `fetch` answers; without an answer, `Unreachable`. */
async function reach(path, options) {
    try {
        return await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Unreachable();
    }
}

function send(method, path, { body, headers = {}, open = false, signal, keepalive = false } = {}) {
    const fields = { ...headers };
    if (body !== undefined) fields["Content-Type"] = "application/json";
    if (access && !open) fields.Authorization = `Bearer ${access}`;
    return reach(path, { method, headers: fields, signal, keepalive, body: body === undefined ? undefined : JSON.stringify(body) });
}

const renewable = new Set(["token-expired", "token-unknown-key", "token-not-yet-valid"]);
const over = new Set(["login-session-ended", "user-gone", "refresh-token-invalid", "refresh-token-reused"]);

/** One renewal at a time, whoever asks for it. */
function refresh() {
    refreshing ??= (async () => {
        try {
            // A page that goes away meanwhile still gets its cookie.
            const response = await alone(() => send("POST", "/v1/auth/refresh", { headers: inCookie, body: {}, open: true, keepalive: true, signal: AbortSignal.timeout(20_000) }));
            const answer = await read(response);
            if (!response.ok) {
                if (over.has(answer?.code)) forget();
                throw problem(response, answer);
            }
            access = answer.accessToken;
            const before = user?.id ?? localStorage.getItem(mark);
            if (before && ownerOf(access) !== before) await handOver();
        } finally {
            refreshing = null;
        }
    })();
    return refreshing;
}

let agree = async () => false;

/** Whoever asks whether to go on as somebody else; gets that user and what signs them out, and says true once somebody agrees. */
export const agreeBy = (call) => {
    agree = call;
};

/**
 * Another one's cookie is there than that of who was: somebody has signed in in another tab, or has put it there. Nothing of who was here
 * is shown meanwhile, and nothing is shown or done in the name of who came before somebody agrees.
 */
async function handOver() {
    const next = await me();
    const theirs = access;
    access = null;
    change(null);
    if (!(await agree(next, () => leave(next.id)))) {
        forget();
        throw new Problem({ status: 401, code: "login-session-ended", detail: texts.problems["login-session-ended"] });
    }
    access = theirs;
    localStorage.setItem(mark, next.id);
    change(next);
}

function problem(response, answer) {
    const document = answer?.code ? answer : { status: response.status, detail: texts.errors.unknown, code: "unknown" };
    return new Problem(document, Number(response.headers.get("Retry-After")) || undefined);
}

/** A response that is good, with a renewed token where the old one was over; throws as `call`. */
export async function good(method, path, more = {}) {
    let response = await send(method, path, more);
    if (response.ok) return response;
    let answer = await read(response);
    if (response.status === 401 && renewable.has(answer?.code) && access && !more.open && !more.asItIs) {
        const before = user?.id;
        await refresh();
        if (user?.id !== before) throw problem(response, answer);
        response = await send(method, path, more);
        if (response.ok) return response;
        answer = await read(response);
    }
    if (over.has(answer?.code) && !more.open) forget();
    throw problem(response, answer);
}

/** One request; gives the answer's document, and throws a `Problem` or `Unreachable`. */
export async function call(method, path, body, more = {}) {
    // Longer than any answer takes that still comes.
    const response = await good(method, path, { body, signal: AbortSignal.timeout(60_000), ...more });
    return read(response);
}

/** A request as somebody wrote it, with the token of who is there unless it is `open`; gives the answer as it is, refusals too. */
export async function tried(method, path, { headers, body, open, signal }) {
    const once = () => reach(path, { method, body, signal, headers: open || !access ? headers : { ...headers, Authorization: `Bearer ${access}` } });
    const response = await once();
    if (response.status !== 401 || open || !access || !renewable.has((await read(response.clone()))?.code)) return response;
    await refresh();
    return once();
}

/** An absolute address of the API's as one of this origin, whatever name the page was opened by. */
export function here(address) {
    const { pathname, search } = new URL(address, location.href);
    return pathname + search;
}

/** A file that the API gives; throws as `call`. */
export const file = async (path) => (await good("GET", path)).blob();

// MARK: who is there

const me = async () => (await call("GET", "/v1/me")).user;

const kept = "mirrormate.device";

function device() {
    try {
        return JSON.parse(localStorage.getItem(kept));
    } catch {
        return null;
    }
}

/** Lets an anonymous device in; it is known again by what the browser keeps. */
export async function tryWithout() {
    const mine = device() ?? { deviceId: uuid() };
    try {
        const answer = await enter("/v1/auth/device", { ...mine, timeZone: zone }, { open: true });
        const secret = answer.deviceSecret ?? mine.deviceSecret;
        localStorage.setItem(kept, JSON.stringify({ deviceId: mine.deviceId, deviceSecret: secret }));
        return welcome(answer);
    } catch (error) {
        if (device() && ["device-secret-invalid", "device-has-account", "user-gone"].includes(error.code)) {
            localStorage.removeItem(kept);
            return tryWithout();
        }
        throw error;
    }
}

/** Goes on as whoever was here before, by the cookie or as the device; does nothing where nobody was. */
export function resume() {
    resuming ??= goOn().finally(() => { resuming = null; });
    return resuming;
}

let resuming = null;

async function goOn() {
    try {
        if (wasSignedIn()) return void (await reread());
    } catch (error) {
        if (!over.has(error.code)) throw error;
    }
    if (device()?.deviceSecret) await tryWithout();
}

/** An account; of the anonymous device that is signed in, which keeps its reports. */
export async function signUp(email, password, displayName) {
    const body = { email, password, timeZone: zone };
    if (displayName) body.displayName = displayName;
    const headers = { "Idempotency-Key": uuid() };
    const anonymous = user?.kind === "device";
    const answer = await confirmed(() => enter("/v1/auth/sign-up", body, { headers, open: !anonymous }));
    if (anonymous) localStorage.removeItem(kept);
    return answer.accessToken ? welcome(answer) : answer;
}

// Refusals of the device that comes with a sign-in, before anything of it is used up.
const ofDevice = ["device-id-invalid", "device-secret-invalid", "device-has-account"];

/** Comes in, and hands what the anonymous device that is here has practised over to the account; `more` are further refusals of the device. */
async function bringing(path, body, more = []) {
    const { deviceId, deviceSecret } = (user?.kind === "device" && device()) || {};
    if (!deviceSecret) return enter(path, body, { open: true });
    try {
        return await enter(path, { ...body, deviceId, deviceSecret }, { open: true });
    } catch (error) {
        // It keeps nobody out.
        if (![...ofDevice, ...more].includes(error.code)) throw error;
        return enter(path, body, { open: true });
    }
}

/** Signs in; throws `second-factor-needed` with a ticket where a code is needed too. */
export async function signIn(email, password) {
    return welcome(await bringing("/v1/auth/sign-in", { email, password }, ["too-many-attempts"]));
}

export async function secondFactor(ticket, code) {
    const proof = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
    return welcome(await bringing("/v1/auth/second-factor", { ticket, ...proof }, ["too-many-attempts"]));
}

/**
 * With Google or Apple, by what they gave. An anonymous device, which its secret shows, becomes the account of somebody new and keeps its
 * reports; to an account that there is already it hands over what it has practised.
 */
export async function signInWith(provider, given) {
    const paths = { google: "/v1/auth/google", apple: "/v1/auth/apple" };
    const anonymous = user?.kind === "device";
    // A device whose secret this browser has lost is known by its token alone.
    const answer = anonymous && !device()?.deviceSecret ? await enter(paths[provider], given) : await bringing(paths[provider], given);
    if (anonymous && answer.user.id === user?.id) localStorage.removeItem(kept);
    return welcome(answer);
}

/** Signs whoever the cookie lets in out, here and in all tabs. */
async function leave(id) {
    try {
        await leaveCookie();
    } catch (error) {
        // Whoever is not known has left. After any other answer the cookie may still let somebody in, so nobody is told otherwise.
        if (!(error instanceof Problem) || error.status !== 401) throw error;
    }
    tabs?.postMessage({ left: id });
}

export async function signOut() {
    await leave(user?.id);
    localStorage.removeItem(kept);
    forget();
    await clearStore();
}

/** What waits to be sent goes with whoever leaves. */
const clearStore = async () => (await import("/web/store.js")).clear();

/** Ends the login session, by the cookie whatever the access token is worth, and has the cookie cleared. */
const leaveCookie = () => alone(() => call("POST", "/v1/auth/sign-out", {}, { headers: inCookie, open: true }));

/** Forgets whoever was erased. */
export function erased() {
    tabs?.postMessage({ left: user?.id });
    localStorage.removeItem(kept);
    forget();
    // Nothing is left that it could open.
    leaveCookie().catch(() => {});
    clearStore();
}

/** Reads the caller anew: an address may be confirmed meanwhile, which a new token says too. */
export async function reread() {
    await refresh();
    change(await me());
    return user;
}

let asking = null;

/** Whoever asks a person for a proof; given by the account's view. */
export const askBy = (call) => {
    asking = call;
};

/** Does what may need a fresh proof of who is there: asks for it once, then does it again. */
export async function confirmed(act) {
    try {
        return await act();
    } catch (error) {
        if (error.code !== "confirmation-needed") throw error;
        const mine = device();
        if (mine?.deviceSecret && !user?.email) await confirm({ deviceSecret: mine.deviceSecret });
        else {
            // Its module says who asks.
            if (!asking) await import("/web/account.js");
            if (!(await asking())) throw error;
        }
        return act();
    }
}

/** Shows who is there; without a proof a code is mailed. */
export async function confirm(proof) {
    const answer = await call("POST", "/v1/auth/confirm", proof);
    if (answer?.accessToken) access = answer.accessToken;
    return answer;
}

// MARK: recordings

const ended = new Set(["complete", "error", "cancelled", "expired", "refused"]);
export const isOver = (session) => ended.has(session.status);

/** Follows a session until it is over; comes back by itself when the connection breaks, and tells so. */
export async function follow(id, { changed, lost, signal }) {
    let last;
    let wait = 500;
    for (;;) {
        try {
            const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
            const response = await good("GET", `/v1/sessions/${id}/events`, { headers, signal });
            lost(null);
            for await (const event of events(response.body)) {
                last = event.id ?? last;
                wait = 500;
                if (event.event === "signed-out") return forget();
                if (event.event === "gone") return changed(null);
                const session = JSON.parse(event.data);
                changed(session);
                if (isOver(session)) return undefined;
            }
        } catch (error) {
            if (error.name === "AbortError" || signal.aborted) return undefined;
            if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
            lost(error instanceof Problem ? error : new Unreachable());
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (signal.aborted) return undefined;
        wait = Math.min(wait * 2, 8000);
    }
}

async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let event = {};
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines.map((text) => text.replace(/\r$/, ""))) {
            if (line === "") {
                if (event.data !== undefined) yield event;
                event = {};
            } else if (!line.startsWith(":")) {
                const colon = line.indexOf(":");
                const name = colon < 0 ? line : line.slice(0, colon);
                const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
                event[name] = name === "data" && event.data !== undefined ? `${event.data}\n${text}` : text;
            }
        }
    }
}

/** Recordings of this visit by session, so that a report can play its moments. They are gone with the page. */
export const recordings = new Map();
/** What was deleted in this visit: lists hear of it a moment later. */
export const deleted = new Set();
whenUserChanges((now) => {
    if (!now) recordings.clear();
});
