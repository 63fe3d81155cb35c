// What the server has of somebody: all of it in one archive, and how much it has been used.
import { bytes, clock, day, h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { link, title } from "/web/pieces.js";
import { table } from "/web/charts.js";
import { kindOf } from "/web/figures.js";
import { archive } from "/web/archive.js";

const words = texts.data;

export async function show() {
    const [{ items }, usage] = await Promise.all([api.call("GET", "/v1/exports"), api.call("GET", "/v1/usage")]);
    const { element, leave } = archive(items[0]);
    return { leave, elements: [
        h("header", { class: "stack tight" }, title(words.title), h("p", { class: "lead" }, words.lead)),
        element, used(usage), h("div", { class: "row" }, link("#/account", texts.account.back, "quiet")),
    ] };
}

function used(usage) {
    const fact = (term, text) => h("div", {}, h("dt", {}, term), h("dd", {}, text));
    const monthOf = (month) => new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-15T12:00:00Z`));
    return h("section", { class: "card" }, h("h2", {}, words.usage),
        usage.firstUseAt === null ? h("p", { class: "soft" }, words.unused) : h("dl", { class: "facts" },
            fact(words.analyzed, words.sessions(usage.sessionsAnalyzed, clock(usage.secondsAnalyzed))),
            usage.sessionsLogged > 0 && fact(words.logged, words.sessions(usage.sessionsLogged, clock(usage.secondsLogged))),
            fact(words.uploads, words.sent(usage.uploads, bytes(usage.bytesUploaded))),
            fact(words.span, words.fromTo(day(usage.firstUseAt), day(usage.lastUseAt)))),
        usage.months.length > 0 && table([words.month, words.kind, words.count, words.minutes], [...usage.months].sort((left, right) => right.month.localeCompare(left.month)).map((one) =>
            [monthOf(one.month), kindOf(one.kind), String(one.sessionsAnalyzed + one.sessionsLogged), clock(one.secondsAnalyzed + one.secondsLogged)]), words.byMonth, 1),
        h("p", { class: "small soft" }, words.usageText));
}
