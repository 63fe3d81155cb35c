// All reports, newest first, those that are chosen, and what has none.
import { clock, h, moment, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, icon, link, title } from "/web/pieces.js";
import { addressOf, asked, chosenBy, filter } from "/web/filter.js";

const words = texts.history;

/** A page of reports, without those that were deleted a moment ago. */
async function page(chosen, cursor) {
    const found = await api.call("GET", `/v1/reports?limit=20${asked(chosen)}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    return { ...found, items: found.items.filter((report) => !api.deleted.has(report.sessionId)) };
}

export async function show({ go, query }) {
    const chosen = chosenBy(query);
    const [reports, sessions, usage] = await Promise.all([
        page(chosen), api.call("GET", "/v1/sessions?limit=20"),
        // Without it the history is there all the same, and one kind less can be chosen.
        api.call("GET", "/v1/usage").catch(() => ({ months: [] }))]);
    const others = sessions.items.filter((session) => session.status !== "complete");
    const heading = h("header", {}, title(words.title));
    if (!Object.keys(chosen).length && !reports.items.length && !others.length) {
        return [heading, h("section", { class: "card empty" }, icon("history"), h("h2", {}, words.empty), h("p", { class: "soft" }, words.emptyText), link("#/record", words.start))];
    }
    const open = others.filter((session) => !api.isOver(session));
    const failed = others.filter((session) => api.isOver(session));
    return [heading,
        open.length > 0 && h("section", { class: "card" }, h("h2", {}, words.under), h("ul", { class: "list" }, open.map(unfinished))),
        (reports.items.length > 0 || Object.keys(chosen).length > 0) && shelf(chosen, reports, usage, go),
        failed.length > 0 && h("section", { class: "card" }, h("h2", {}, words.failed), h("ul", { class: "list" }, failed.map(unfinished)))];
}

/** The reports, and the form that chooses among them. */
function shelf(first, reports, usage, go) {
    const place = h("div", { class: "stack" });
    const heading = h("h2", { tabindex: "-1" }, words.all);
    const kinds = usage.months.filter((one) => one.sessionsAnalyzed > 0).map((one) => one.kind);
    const seen = reports.items.flatMap((report) => report.tags);
    const choices = (known, given) => [...new Set([...known, ...(given ? [given] : [])])];
    const form = filter(first, { kinds: choices(kinds, first.kind), tags: choices([...words.tags, ...seen], first.tag) }, async (chosen) => {
        const found = await page(chosen);
        history.pushState(null, "", addressOf(chosen));
        form.take(chosen);
        draw(chosen, found);
        // The button that was pressed may be gone.
        heading.focus();
        say(words.found(found.items.length, Boolean(found.nextCursor)));
    });
    const draw = (chosen, { items, nextCursor }) => {
        if (!items.length) {
            put(place, h("div", { class: "stack empty" }, icon("history"), h("h3", {}, words.nothing), h("p", { class: "soft" }, words.nothingText)));
            return;
        }
        const list = h("ul", { class: "list" }, items.map(entry));
        const wrong = h("div");
        let cursor = nextCursor;
        const more = act(words.more, "quiet", async () => {
            const next = await page(chosen, cursor);
            list.append(...next.items.map(entry));
            cursor = next.nextCursor;
            more.hidden = !cursor;
        }, wrong);
        more.hidden = !cursor;
        put(place, chooser(list, items.length, go), list, more, wrong);
    };
    draw(first, reports);
    return h("section", { class: "card" }, h("div", { class: "row between" }, heading, link("#/progress", texts.nav.progress, "quiet small-button")), form.element, place);
}

/** Lets two reports be chosen, to be seen side by side; nothing of it is there for a single one. */
function chooser(list, count, go) {
    if (count < 2) return null;
    const place = h("div", { class: "stack tight" });
    const wrong = h("div");
    const boxes = () => [...list.querySelectorAll("input")];
    const mode = (isOn) => {
        list.classList.toggle("choosing", isOn);
        boxes().forEach((box) => { box.checked = false; });
        put(wrong);
        put(place, isOn ? [h("p", {}, words.chooseTwo), h("div", { class: "row" }, both, h("button", { type: "button", class: "quiet small-button", onclick: () => leave() }, texts.cancel)), wrong] : h("div", { class: "row" }, begin));
    };
    const begin = h("button", { type: "button", class: "quiet small-button", onclick: () => {
        mode(true);
        boxes()[0]?.focus();
    } }, words.compare);
    const leave = () => {
        mode(false);
        begin.focus();
    };
    const both = h("button", { type: "button", class: "small-button", onclick: () => {
        const chosen = boxes().filter((box) => box.checked);
        if (chosen.length !== 2) return put(wrong, h("p", { class: "warn", role: "alert" }, words.notTwo(chosen.length)));
        // The older one first; the list begins with the newest.
        return go(`compare/${chosen[1].value}/${chosen[0].value}`);
    } }, words.compareThese);
    mode(false);
    return h("div", {}, place);
}

function entry(report) {
    const facts = [clock(report.durationSec), report.paceWordsPerMin !== null && words.pace(report.paceWordsPerMin), report.fillerCount !== null && words.fillers(report.fillerCount), ...report.tags];
    return h("li", {}, h("label", { class: "pick" }, h("input", { type: "checkbox", value: report.sessionId }), h("span", { class: "unseen" }, words.from(moment(report.createdAt)))), h("a", { class: "entry", href: `#/report/${report.sessionId}` },
        h("span", { class: `score ${report.confidenceScore === null ? "none" : ""}` }, report.confidenceScore === null ? words.noScore : [String(report.confidenceScore), h("span", { class: "unseen" }, ` ${words.points}`)]),
        h("div", {}, h("h3", {}, moment(report.createdAt)), h("p", { class: "small soft" }, facts.filter(Boolean).map((fact, place) => [place > 0 && " · ", h("span", { class: "whole" }, fact)]))), icon("arrow")));
}

function unfinished(session) {
    return h("li", {}, h("a", { class: "entry", href: `#/session/${session.id}` }, h("span", { class: "score none" }, words.status[session.status] ?? session.status),
        h("div", {}, h("h3", {}, moment(session.createdAt)), session.error && h("p", { class: "small soft" }, session.error.title)), icon("arrow")));
}
