// For how long recordings are kept: the choice, what is kept now and until when, and how it goes at once.
import { h, moment, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, form, icon, link, select, sure, title } from "/web/pieces.js";
import { kindOf } from "/web/figures.js";

const words = texts.kept;
const day = 86_400_000;
const usual = [0, 1, 3, 7, 14, 30, 90, 365];

export async function show() {
    const place = h("div", { class: "stack loose" });
    let gone = false;
    const draw = async () => {
        const retention = await api.call("GET", "/v1/retention");
        const recordings = await keptNow(retention);
        if (!gone) put(place, choice(retention, recordings, draw), list(retention, recordings, draw));
    };
    await draw();
    return { leave: () => { gone = true; }, elements: [h("header", { class: "stack tight" }, title(words.title), h("p", { class: "lead" }, words.lead)), place, h("div", { class: "row" }, link("#/account", texts.account.back, "quiet"))] };
}

/** The sessions whose recordings are kept, newest first; none can be older than what is kept longest. */
async function keptNow({ mostMediaDays }) {
    // A session ends some hours after it is begun, and what is over its time goes within seconds.
    const oldest = Date.now() - (mostMediaDays + 2) * day;
    const found = [];
    let cursor;
    do {
        const page = await api.call("GET", `/v1/sessions?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
        found.push(...page.items.filter((session) => session.media.kept && !api.deleted.has(session.id)));
        const last = page.items.at(-1);
        cursor = last && new Date(last.createdAt) > oldest ? page.nextCursor : undefined;
    } while (cursor);
    return found;
}

function choice({ keepMediaDays: now, mostMediaDays: most, kinds }, recordings, again) {
    if (most === 0) return h("section", { class: "card" }, h("h2", {}, words.choice), h("p", {}, words.never));
    const days = [...new Set([...usual.filter((one) => one <= most), now, most])].sort((left, right) => left - right);
    const chosen = select(words.label, days.map((one) => [String(one), words.days(one)]), String(now), words.hint(most));
    const shorter = kinds.filter((kind) => kind.mostMediaDays < most);
    return h("section", { class: "card" }, h("h2", {}, words.choice), form([chosen], texts.account.save, async () => {
        const next = Number(chosen.input.value);
        if (next < now && recordings.length && !(await sure(words.shorterTitle, words.shorterText(next), words.shorterDo))) return;
        await api.call("PUT", "/v1/retention", { keepMediaDays: next });
        await again();
        document.querySelector("main h1")?.focus();
        say(words.saved(next));
    }), shorter.length > 0 && h("ul", { class: "small soft" }, shorter.map((kind) => h("li", {}, words.kind(kindOf(kind.kind), kind.mostMediaDays)))), h("p", { class: "small soft" }, words.means));
}

function list({ keepMediaDays: now }, recordings, again) {
    const wrong = h("div");
    if (!recordings.length) return h("section", { class: "card empty" }, icon("camera"), h("h2", {}, words.none), h("p", { class: "soft" }, now ? words.noneYet : words.noneText));
    return h("section", { class: "card" }, h("h2", {}, words.list(recordings.length)), h("p", { class: "small soft" }, words.listText),
        h("ul", { class: "list" }, recordings.map((session) => entry(session, again))),
        h("div", { class: "row" }, act(words.removeAll, "quiet danger", async () => {
            if (!(await sure(words.removeAllTitle, words.removeAllText, words.removeAll))) return;
            await api.call("PUT", "/v1/retention", { keepMediaDays: 0 });
            await again();
            document.querySelector("main h1")?.focus();
            say(words.removedAll);
        }, wrong)), wrong);
}

function entry(session, again) {
    const wrong = h("div");
    const of = h("span", { class: "unseen" }, ` (${moment(session.createdAt)})`);
    return h("li", { class: "item" },
        h("div", {}, h("h3", {}, moment(session.createdAt)), h("p", { class: "small soft" }, words.until(moment(session.media.until)))),
        h("div", { class: "row" }, link(`#/report/${session.id}`, [words.look, of.cloneNode(true)], "quiet small-button"), act([words.remove, of], "plain danger", async () => {
            if (!(await sure(words.removeTitle, words.removeText, words.removeDo))) return;
            await api.call("DELETE", `/v1/sessions/${session.id}`);
            api.recordings.delete(session.id);
            api.deleted.add(session.id);
            await again();
            document.querySelector("main h1")?.focus();
            say(words.removed);
        }, wrong)), wrong);
}
