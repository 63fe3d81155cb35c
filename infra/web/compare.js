// Two reports side by side: what became of it, what cannot be compared, and why.
import { h, moment } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { link, title } from "/web/pieces.js";
import { apart, reasons, sorted, summed, table } from "/web/changes.js";

const words = texts.compare;

export async function show({ parts: [a, b], ...more }) {
    const query = (session) => encodeURIComponent(session ?? "");
    const both = await api.call("GET", `/v1/reports/compare?a=${query(a)}&b=${query(b)}`);
    // A change is told from the older to the newer one.
    if (new Date(both.a.createdAt) > new Date(both.b.createdAt)) return show({ parts: [b, a], ...more });
    const { judged, described, apart: left } = sorted(both.measures);
    const section = (name, ...rest) => h("section", { class: "card" }, h("h2", {}, name), rest);
    return [
        h("header", { class: "stack tight" }, title(words.title), h("p", { class: "lead" }, words.lead)),
        h("div", { class: "sides" }, side(words.before, both.a, both.measures.confidenceScore?.a), side(words.after, both.b, both.measures.confidenceScore?.b)),
        both.comparable ? h("section", { class: "first" }, h("h2", { class: "eyebrow" }, words.short), h("p", { class: "what" }, summed(judged)), h("p", { class: "small soft" }, words.care))
            : h("section", { class: "warn stack tight" }, h("h2", {}, words.notComparable), reasons(both.reasons).map((text) => h("p", {}, text)), h("p", {}, words.notWhat)),
        judged.length > 0 && section(words.judged, h("p", { class: "small soft" }, words.judgedLead), table(words.judged, judged)),
        described.length > 0 && h("section", { class: "card" }, h("h2", {}, words.described), h("p", { class: "small soft" }, words.describedLead),
            h("details", {}, h("summary", {}, h("span", {}, words.show(described.length))), table(words.described, described))),
        left.length > 0 && section(words.apart, h("p", { class: "small soft" }, both.comparable ? words.apartLead : words.apartAll), apart(left, both.reasons)),
        h("div", { class: "row no-print" }, link("#/progress", words.toProgress), h("button", { type: "button", class: "quiet", onclick: () => print() }, texts.report.print), link("#/history", words.others, "quiet")),
    ];
}

function side(name, one, score) {
    return h("section", { class: "card side" }, h("h2", { class: "eyebrow" }, name),
        h("p", { class: "score" }, score?.valid ? [String(score.value), h("span", { class: "unseen" }, ` ${texts.report.of100}`)] : h("span", { class: "small soft" }, texts.report.noScore)),
        h("p", { class: "small" }, moment(one.createdAt)),
        h("p", { class: "small soft" }, [one.scenario !== "general" && texts.record.scenarios[one.scenario], one.rulesVersion === null ? words.rulesUnknown : texts.report.rules(one.rulesVersion)].filter(Boolean).join(" · ")),
        h("a", { class: "small", href: `#/report/${one.sessionId}`, "aria-label": words.openOf(moment(one.createdAt)) }, words.open));
}
