// The practice timer as a small app of its own (/practice), with the account of the page.
import { h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, link, loading, problemBox, title } from "/web/pieces.js";
import * as practice from "/web/practice.js";

const words = texts.practice;
const main = document.getElementById("main");
let leave = null;
let shown = 0;
let failed = false;

function frame() {
    put(document.querySelector(".top"), h("div", {},
        h("a", { href: "/practice", class: "brand" }, h("img", { src: "/web/icon.svg", alt: "", width: 30, height: 30 }), words.app),
        h("nav", { class: "nav", "aria-label": texts.nav.label }, h("a", { href: api.user ? "/#/record" : "/" }, words.speaking))));
}

/** For whoever is nobody here: what it is, and two ways in. */
function doors() {
    const wrong = h("div");
    return [
        h("header", { class: "stack tight" }, title(words.doorTitle), h("p", { class: "lead" }, words.doorLead)),
        h("div", { class: "row" }, act(texts.welcome.try, "", api.tryWithout, wrong), link("/#/sign-in", texts.welcome.signIn, "quiet")), wrong,
    ];
}

async function show() {
    const number = (shown += 1);
    leave?.();
    leave = null;
    failed = false;
    frame();
    put(main, loading());
    let found;
    try {
        found = api.user ? await practice.show() : doors();
    } catch (error) {
        failed = true;
        found = [title(texts.errors.title), problemBox(error, h("button", { type: "button", class: "quiet", onclick: show }, texts.again))];
    }
    if (number !== shown) return found.leave?.();
    leave = found.leave ?? null;
    put(main, found.elements ?? found);
    const heading = main.querySelector("h1");
    heading.focus({ preventScroll: true });
    say(heading.textContent);
}

/** Whoever was here is so again, as soon as the server can be asked. */
async function begin() {
    try {
        await api.resume();
    } catch (error) {
        if (api.wasSignedIn()) {
            failed = true;
            frame();
            put(main, title(texts.errors.title), problemBox(error, h("button", { type: "button", class: "quiet", onclick: begin }, texts.again)));
            return;
        }
    }
    await show();
}

// Rarely asked, so it comes when it is.
api.agreeBy(async (...more) => (await import("/web/another.js")).ask(...more));
let was = null;
let begun = false;
api.whenUserChanges((user) => {
    const before = was;
    was = user?.id ?? null;
    if (begun && before !== was) show();
});
addEventListener("online", () => failed && begin());
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
});
put(main, loading());
begin().finally(() => { begun = true; });
