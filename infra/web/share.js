// Links by which somebody shows a report: a new one, those of a report, and all of them.
import { day, h, moment, put, say, uuid } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, field, form, icon, link, note, select, sure, title } from "/web/pieces.js";
import { card, titleOf } from "/web/card.js";

const words = texts.share;
// What the API takes: seconds, and how often.
const lifetimes = [3600, 86_400, 604_800, 2_592_000];
const usual = { seconds: 604_800, views: 50 };
const mostViews = 1000;

export async function show({ name, parts: [session] }) {
    const list = h("div");
    const made = h("div", { class: "stack" });
    // The link that was just made is not offered any longer when it is taken back.
    let newest = null;
    const gone = (share) => share.shareId === newest && put(made);
    if (name === "shares") {
        const { items } = await api.call("GET", "/v1/shares");
        listed(list, items, { ofAll: true });
        return [h("header", { class: "stack tight" }, title(words.allTitle), h("p", { class: "lead" }, words.allLead)), list, h("div", { class: "row" }, link("#/account", texts.account.back, "quiet"))];
    }
    const read = async () => (await api.call("GET", `/v1/reports/${encodeURIComponent(session)}/shares`)).items;
    listed(list, await read(), { gone });
    return [
        h("header", { class: "stack tight" }, title(words.title), h("p", { class: "lead" }, words.lead)),
        h("section", { class: "card" }, h("h2", {}, words.make), maker(session, async (share) => {
            newest = share.shareId;
            told(made, share);
            // The link is there, whether or not the list can be read.
            listed(list, await read().catch(() => [share]), { gone });
        })),
        made, list,
        h("div", { class: "row" }, link(`#/report/${session}`, words.back, "quiet"), link("#/shares", words.allTitle, "quiet")),
    ];
}

function maker(session, done) {
    const boxes = Object.entries(words.parts).map(([part, [label, hint]]) => {
        const id = `part-${part}`;
        const input = h("input", { type: "checkbox", id, value: part, checked: true, "aria-describedby": `${id}-hint` });
        return { input, element: h("div", { class: "choice-row" }, input, h("div", {}, h("label", { for: id }, label), h("p", { class: "small soft", id: `${id}-hint` }, hint))) };
    });
    const chosen = () => boxes.map((one) => one.input).filter((input) => input.checked).map((input) => input.value);
    const name = field(`${words.firstName} (${texts.auth.optional})`, { name: "first-name", autocomplete: "off", maxlength: 40 }, words.firstNameHint);
    const time = select(words.time, lifetimes.map((seconds) => [String(seconds), words.times[seconds]]), String(usual.seconds));
    const views = field(words.views, { type: "number", inputmode: "numeric", min: 1, max: mostViews, step: 1, required: true, value: usual.views }, words.viewsHint(mostViews));
    // The same wish has the same key, so that one whose answer was lost makes no second link.
    let last = { wish: null, key: null };
    const ask = async (wish) => {
        const text = JSON.stringify(wish);
        if (last.wish !== text) last = { wish: text, key: uuid() };
        const share = await api.call("POST", `/v1/reports/${encodeURIComponent(session)}/shares`, wish, { headers: { "Idempotency-Key": last.key } });
        last = { wish: null, key: null };
        return share;
    };
    const parts = { input: boxes[0].input, element: h("fieldset", { class: "plain-set" }, h("legend", {}, words.shows), boxes.map((one) => one.element)) };
    const made = form([parts, name, { input: time.input, element: h("div", { class: "pair level" }, time.element, views.element) }, { input: views.input, element: null }], words.do, async () => {
        const wish = { parts: chosen(), expiresIn: Number(time.input.value), maxViews: Number(views.input.value) };
        if (name.input.value.trim()) wish.firstName = name.input.value.trim();
        let share = await ask(wish);
        if (share.link === null) {
            // It was made before, and its link is told once: nobody has it, so it goes, and another one is made.
            await api.call("DELETE", `/v1/shares/${share.shareId}`);
            share = await ask(wish);
        }
        await done(share);
    });
    made.addEventListener("submit", () => boxes[0].input.setCustomValidity(chosen().length ? "" : words.nothing), { capture: true });
    return made;
}

/** The link, and what whoever opens it sees. */
function told(place, share) {
    const said = h("div");
    const address = field(words.link, { readonly: true, value: share.link, onfocus: ({ target }) => target.select() });
    const heading = h("h2", { tabindex: "-1" }, words.made);
    const hand = { title: titleOf(share.card), url: share.link };
    put(place,
        h("section", { class: "card accent made" }, heading, h("p", {}, words.once), address.element,
            h("div", { class: "row" },
                navigator.clipboard && act(words.copy, "", () => navigator.clipboard.writeText(share.link).then(() => note(said, texts.account.copied)), said),
                navigator.share && act(words.pass, "quiet", () => navigator.share(hand).catch(() => {}), said),
                h("a", { class: "button quiet", href: share.link, target: "_blank", rel: "noopener noreferrer" }, words.open)), said),
        h("section", { class: "stack" }, h("h2", {}, words.seen), h("p", { class: "soft" }, words.seenText(titleOf(share.card))), card({ ...share.card, expiresAt: share.expiresAt }, "h3")));
    heading.focus();
    say(words.made);
}

/** Links, those that show something first. `ofAll` says of which report each is; `gone` hears of one that is taken back. */
function listed(place, items, { ofAll = false, gone = () => {} } = {}) {
    const open = items.filter((share) => share.standing === "open");
    const over = items.filter((share) => share.standing !== "open");
    const without = (one) => {
        gone(one);
        listed(place, items.filter((share) => share !== one), { ofAll, gone });
        // What had the focus is gone, so whoever goes by keyboard is led to what is left.
        place.querySelector("h2").focus();
    };
    const list = (name, shares) => h("section", { class: "card" }, h("h2", { tabindex: "-1" }, name), h("ul", { class: "list" }, shares.map((share) => entry(share, ofAll, without))));
    put(place, h("div", { class: "stack loose" },
        open.length > 0 ? list(words.living, open)
            : h("section", { class: "card empty" }, icon("share"), h("h2", { tabindex: "-1" }, words.none), h("p", { class: "soft" }, ofAll ? words.noneText : words.noneHere), ofAll && link("#/history", texts.nav.history)),
        over.length > 0 && list(words.over, over)));
}

function entry(share, ofAll, done) {
    const wrong = h("div");
    const isOpen = share.standing === "open";
    const left = Math.max(0, share.maxViews - share.views);
    return h("li", { class: "item" },
        h("div", { class: "stack tight" },
            h("p", {}, h("strong", {}, share.parts.map((part) => words.parts[part]?.[0] ?? part).join(", ")), share.card.firstName && ` · ${share.card.firstName}`),
            h("p", { class: "small" }, isOpen ? words.left(left, share.maxViews, moment(share.expiresAt)) : [h("span", { class: "chip" }, words.standing[share.standing] ?? share.standing), ` ${words.seenOften(share.views)}`]),
            h("p", { class: "small soft" }, words.since(day(share.createdAt)), ofAll && [" ", h("a", { href: `#/report/${share.sessionId}` }, words.ofReport)])),
        h("div", { class: "stack tight" }, act([isOpen ? words.revoke : words.remove, h("span", { class: "unseen" }, ` (${moment(share.createdAt)})`)], "quiet small-button", async () => {
            if (isOpen && !(await sure(words.revokeTitle, words.revokeText, words.revoke))) return;
            try {
                await api.call("DELETE", `/v1/shares/${share.shareId}`);
            } catch (error) {
                // It went meanwhile, which is what was wanted.
                if (error.code !== "not-found") throw error;
            }
            done(share);
            say(words.revoked);
        }, wrong), wrong));
}
