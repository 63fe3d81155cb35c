// The frame: which view the address names, who may see it, and what stands around it.
import { h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { icon, link, loading, problemBox } from "/web/pieces.js";

// What a view's module gives: `show(parts)`, which returns elements and may return `{ elements, leave, wide, narrow }`.
const views = {
    "": { load: () => import("/web/welcome.js"), open: true },
    "sign-in": { load: () => import("/web/entry.js"), open: true },
    "sign-up": { load: () => import("/web/entry.js"), open: true },
    forgot: { load: () => import("/web/entry.js"), open: true },
    reset: { load: () => import("/web/entry.js"), open: true, code: true },
    verify: { load: () => import("/web/entry.js"), code: true },
    "new-address": { load: () => import("/web/entry.js"), code: true },
    "old-address": { load: () => import("/web/entry.js"), code: true },
    "keep-address": { load: () => import("/web/entry.js"), open: true, code: true },
    provider: { load: () => import("/web/entry.js"), open: true },
    receipt: { load: () => import("/web/account.js"), open: true },
    record: { load: () => import("/web/record.js"), nav: "record" },
    session: { load: () => import("/web/session.js"), nav: "record" },
    report: { load: () => import("/web/report.js"), nav: "history" },
    history: { load: () => import("/web/history.js"), nav: "history" },
    share: { load: () => import("/web/share.js"), nav: "history" },
    shares: { load: () => import("/web/share.js"), nav: "account" },
    compare: { load: () => import("/web/compare.js"), nav: "history" },
    progress: { load: () => import("/web/progress.js"), nav: "progress" },
    goals: { load: () => import("/web/goals.js"), nav: "progress" },
    practice: { load: () => import("/web/practice.js"), nav: "practice" },
    account: { load: () => import("/web/account.js"), nav: "account" },
    data: { load: () => import("/web/data.js"), nav: "account" },
    kept: { load: () => import("/web/kept.js"), nav: "account" },
};

const main = document.getElementById("main");
const top = document.querySelector(".top");
let leave = null;
let shown = 0;
// A code that a mail's link brought: it does not stay in the address.
let code = null;
// What Google or Apple sent back with whoever was there; it does not stay in the address either.
let answer = null;
// Whether the view that is shown says that it could not be loaded.
let failed = false;

export const go = (path) => {
    if (location.hash === `#/${path}`) show();
    else location.hash = `#/${path}`;
};

function place() {
    const parts = location.hash.replace(/^#\/?/, "").split("?")[0].split("/").filter(Boolean).map(decodeURIComponent);
    if (views[parts[0]]?.code && parts[1]) {
        code = parts[1];
        history.replaceState(null, "", `#/${parts[0]}`);
    }
    return parts;
}

function frame(name) {
    const nav = views[name]?.nav;
    const signed = api.user !== null;
    const to = (path, text) => h("a", { href: `#/${path}`, "aria-current": nav === path && "page" }, icon(path === "record" ? "camera" : path), h("span", {}, text));
    put(top, h("div", {},
        h("a", { href: signed ? "#/record" : "#/", class: "brand" }, h("img", { src: "/web/icon.svg", alt: "", width: 30, height: 30 }), texts.name),
        signed
            ? h("nav", { class: "nav tabs", "aria-label": texts.nav.label }, ["record", "history", "progress", "practice", "account"].map((path) => to(path, texts.nav[path])))
            : name !== "sign-in" && h("nav", { class: "nav", "aria-label": texts.nav.label }, h("a", { href: "#/sign-in" }, texts.nav.signIn))));
}

async function show() {
    const [name = "", ...parts] = place();
    const view = views[name];
    const number = (shown += 1);
    leave?.();
    leave = null;
    // A question belongs to the view that asked it.
    document.querySelectorAll("dialog:not([data-of-page])").forEach((one) => one.close());
    const closed = () => view && !view.open && !api.user && !(view.code && code);
    if (closed() && !api.wasSignedIn()) return location.replace("#/");
    frame(name);
    put(main, loading());
    const patience = setTimeout(() => number === shown && put(main, h("p", { class: "soft", role: "status" }, texts.slow)), 5000);
    failed = false;
    let found;
    try {
        if (!api.user && api.wasSignedIn()) {
            // Whoever was here before is so again, as soon as the server can be asked.
            try {
                await api.resume();
            } catch (error) {
                if (closed()) throw error;
            }
            if (number !== shown) return;
            if (closed()) return location.replace("#/");
            frame(name);
        }
        if (!view) found = [h("h1", { tabindex: "-1" }, texts.errors.notFoundTitle), h("p", {}, texts.errors.notFound), h("div", {}, link(api.user ? "#/record" : "#/", texts.account.done))];
        else {
            const module = await view.load();
            const given = code;
            const query = new URLSearchParams(location.hash.split("?")[1]);
            found = await module.show({ name, parts, query, code: given, answer, go, done: () => { code = null; } });
            answer = null;
        }
    } catch (error) {
        failed = true;
        const retry = h("button", { type: "button", class: "quiet", onclick: show }, texts.again);
        found = [h("h1", { tabindex: "-1" }, texts.errors.title), problemBox(error instanceof TypeError ? new api.Unreachable() : error, retry)];
    }
    clearTimeout(patience);
    if (number !== shown) return found?.leave?.();
    leave = found.leave ?? null;
    main.className = found.wide ? "wide" : found.narrow ? "narrow" : "";
    put(main, found.elements ?? found);
    const heading = main.querySelector("h1");
    document.title = name && heading ? `${heading.textContent} · ${texts.name}` : texts.name;
    if (started) {
        scrollTo(0, 0);
        heading?.focus({ preventScroll: true });
        say(heading?.textContent ?? "");
    }
    // How soon the page can be used; browsers' own figures end with its first text.
    if (!started) performance.mark("usable");
    started = true;
}

let started = false;
let was = null;
api.whenUserChanges((user) => {
    const before = was;
    was = user;
    if (before && before.id !== user?.id) {
        // Nothing of whoever left stays, neither shown nor behind the back button.
        leave?.();
        leave = null;
        put(main);
        const target = views[place()[0]]?.open ? null : user ? "#/record" : "#/";
        if (target && location.hash !== target) location.replace(target);
        else show();
    } else if (!started) return;
    else frame(place()[0] ?? "");
});

// Rarely asked, so it comes when it is.
api.agreeBy(async (...more) => (await import("/web/another.js")).ask(...more));
addEventListener("hashchange", show);
// Only what could not be loaded: a recording that waits to be sent stays where it is.
addEventListener("online", () => failed && show());
addEventListener("pageshow", (event) => event.persisted && show());
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
});

const query = new URLSearchParams(location.search);
if (query.has("state") && (query.has("code") || query.has("error"))) {
    answer = { state: query.get("state"), code: query.get("code") };
    history.replaceState(null, "", "/#/provider");
}
// Who was here and cannot be asked about just now is told so by the view that needs them.
if ((api.user || api.wasSignedIn()) && !place()[0]) history.replaceState(null, "", "#/record");
show();
