// What became of each figure from one report to another: better, worse, the same, or not to be compared, and why.
import { h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import { icon } from "/web/pieces.js";
import { listed, moved, nameOf, spokenOf, written } from "/web/figures.js";

const words = texts.compare;
const order = ["better", "worse", "same"];
const signs = { better: "check", worse: "down", same: "same" };

/** A verdict that is told by sign and word, not by its colour alone. */
export const verdict = (name) => h("span", { class: `verdict ${name}` }, icon(signs[name]), words.verdicts[name]);

/** The figures of two reports by what can be said of them. */
export function sorted(measures) {
    const all = Object.entries(measures);
    return {
        judged: all.filter(([, one]) => one.verdict !== null).sort(([, a], [, b]) => order.indexOf(a.verdict) - order.indexOf(b.verdict)),
        described: all.filter(([, one]) => one.comparable && one.verdict === null),
        apart: all.filter(([, one]) => !one.comparable),
    };
}

/** In a sentence or two: what became better, and what worse. */
export function summed(judged) {
    const of = (name) => judged.filter(([, one]) => one.verdict === name).map(([measure]) => spokenOf(measure));
    const [better, worse] = [of("better"), of("worse")];
    if (!judged.length) return words.nothingJudged;
    if (!better.length && !worse.length) return words.allSame;
    return [better.length && words.better(listed(better)), worse.length && words.worse(listed(worse))].filter(Boolean).join(" ");
}

// On a phone its rows are drawn as grids, which some browsers take for the end of a table: roles say that it is one.
const cell = (className, ...children) => h("td", { role: "cell", class: className }, children);

/** A table of figures before and after, each with what became of it. */
export function table(name, entries, heads = [words.before, words.after]) {
    const column = (text, className) => h("th", { scope: "col", role: "columnheader", class: className }, text);
    return h("table", { class: "compared", role: "table", "aria-label": name },
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, column(words.figure), heads.map((head) => column(head, "figure")), column(words.change))),
        h("tbody", { role: "rowgroup" }, entries.map(([measure, one]) => h("tr", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, nameOf(measure)),
            cell("figure", written(measure, one.a.value)), cell("figure", written(measure, one.b.value)),
            cell("became", one.verdict && verdict(one.verdict), Boolean(one.change) && one.verdict !== "same" && h("span", { class: "small soft" }, moved(measure, one.change)))))));
}

/** Each reason once, as people read it. */
export const reasons = (codes) => codes.map((code) => words.reasons[code] ?? words.otherReason);

/** What cannot be compared, by the reasons; those that hold for the whole report are said once above. */
export function apart(entries, known = [], heads = [words.before, words.after]) {
    const groups = new Map();
    for (const [measure, one] of entries) {
        const own = one.reasons.filter((code) => !known.includes(code));
        const key = own.join(" ");
        groups.set(key, [...(groups.get(key) ?? []), [measure, one]]);
    }
    return [...groups].map(([key, some]) => h("div", { class: "stack tight" },
        key && h("p", {}, reasons(key.split(" ")).join(" ")),
        h("details", {}, h("summary", { class: "small" }, h("span", {}, some.map(([measure]) => nameOf(measure)).slice(0, 4).join(" · "), some.length > 4 && ` ${words.andMore(some.length - 4)}`)),
            beside(heads, some))));
}

/** Values that stand side by side and are not compared. */
function beside(heads, entries) {
    return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": words.notCompared }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.figure), heads.map((head) => h("th", { scope: "col", class: "figure" }, head)))),
        h("tbody", {}, entries.map(([measure, one]) => h("tr", {}, h("th", { scope: "row" }, nameOf(measure)), [one.a, one.b].map((side) => h("td", { class: "figure" }, side.valid ? written(measure, side.value) : texts.report.notJudged)))))));
}
