// All reports, newest first, and what has none.
import { clock, h, moment } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, icon, link, title } from "/web/pieces.js";
import { scores } from "/web/charts.js";

const words = texts.history;

export async function show() {
    const [reports, sessions] = await Promise.all([api.call("GET", "/v1/reports?limit=20"), api.call("GET", "/v1/sessions?limit=20")]);
    reports.items = reports.items.filter((report) => !api.deleted.has(report.sessionId));
    const others = sessions.items.filter((session) => session.status !== "complete");
    const heading = h("header", {}, title(words.title));
    if (!reports.items.length && !others.length) {
        return [heading, h("section", { class: "card empty" }, icon("history"), h("h2", {}, words.empty), h("p", { class: "soft" }, words.emptyText), link("#/record", words.start))];
    }
    const list = h("ul", { class: "list" }, reports.items.map(entry));
    const wrong = h("div");
    let cursor = reports.nextCursor;
    const more = act(words.more, "quiet", async () => {
        const next = await api.call("GET", `/v1/reports?limit=20&cursor=${encodeURIComponent(cursor)}`);
        list.append(...next.items.map(entry));
        cursor = next.nextCursor;
        more.hidden = !cursor;
    }, wrong);
    more.hidden = !cursor;
    const scored = reports.items.filter((report) => report.confidenceScore !== null).reverse();
    const open = others.filter((session) => !api.isOver(session));
    const failed = others.filter((session) => api.isOver(session));
    return [heading,
        open.length > 0 && h("section", { class: "card" }, h("h2", {}, words.under), h("ul", { class: "list" }, open.map(unfinished))),
        scored.length > 1 && scores(scored),
        reports.items.length > 0 && h("section", { class: "card" }, h("h2", {}, words.all), list, more, wrong),
        failed.length > 0 && h("section", { class: "card" }, h("h2", {}, words.failed), h("ul", { class: "list" }, failed.map(unfinished)))];
}

function entry(report) {
    const facts = [clock(report.durationSec), report.paceWordsPerMin !== null && words.pace(report.paceWordsPerMin), report.fillerCount !== null && words.fillers(report.fillerCount)];
    return h("li", {}, h("a", { class: "entry", href: `#/report/${report.sessionId}` },
        h("span", { class: `score ${report.confidenceScore === null ? "none" : ""}` }, report.confidenceScore === null ? words.noScore : [String(report.confidenceScore), h("span", { class: "unseen" }, ` ${words.points}`)]),
        h("div", {}, h("h3", {}, moment(report.createdAt)), h("p", { class: "small soft" }, facts.filter(Boolean).join(" · "))), icon("arrow")));
}

function unfinished(session) {
    return h("li", {}, h("a", { class: "entry", href: `#/session/${session.id}` }, h("span", { class: "score none" }, words.status[session.status] ?? session.status),
        h("div", {}, h("h3", {}, moment(session.createdAt)), session.error && h("p", { class: "small soft" }, session.error.title)), icon("arrow")));
}
