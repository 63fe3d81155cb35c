// What a link shows of a report: to whoever has it, and to its owner before it is given away.
import { day, h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import { dial } from "/web/charts.js";
import { icon } from "/web/pieces.js";

const words = texts.shared;

export const titleOf = ({ firstName }) => (firstName ? words.titleOf(firstName) : words.title);

/** The sections of a card. `heading` is the level of their headings. */
export function card({ language, confidenceScore, scoreRange, strengths, workOn, expiresAt }, heading = "h2") {
    return [
        confidenceScore !== null && h("section", { class: "card" }, h(heading, {}, words.score),
            h("div", { class: "summary" }, dial(confidenceScore, scoreRange),
                scoreRange && h("p", { class: "small soft" }, texts.report.range(scoreRange.low, scoreRange.high), ". ", texts.report.rangeMeans(scoreRange.low, scoreRange.high)))),
        strengths.length > 0 && h("section", { class: "card" }, h(heading, {}, words.strengths),
            h("ul", { class: "marked", lang: language }, strengths.map((text) => h("li", {}, icon("check"), h("span", {}, text))))),
        workOn && h("section", { class: "card accent" }, h(heading, {}, words.workOn), h("p", { lang: language }, workOn)),
        h("footer", { class: "stack tight small soft" }, h("p", {}, words.machine), h("p", {}, words.until(day(expiresAt)))),
    ];
}
