// The start: what this is, and three ways in.
import { h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, icon, link, title } from "/web/pieces.js";
import { dial } from "/web/charts.js";

const words = texts.welcome;

export function show({ go }) {
    const wrong = h("div");
    const start = async () => {
        if (!api.user) await api.tryWithout();
        go("record");
    };
    return {
        wide: true,
        elements: [
            h("section", { class: "hero" },
                h("div", { class: "stack" },
                    title(words.title), h("p", { class: "lead" }, words.lead),
                    h("div", { class: "row" }, act(words.try, "", start, wrong), link("#/sign-up", words.signUp, "quiet")), wrong,
                    h("p", { class: "lock" }, icon("lock"), words.private)),
                example()),
            h("section", { class: "stack loose" }, h("h2", {}, words.stepsTitle),
                h("ol", { class: "steps" }, words.steps.map(([name, text]) => h("li", {}, h("h3", {}, name), h("p", { class: "soft" }, text))))),
        ],
    };
}

function example() {
    return h("figure", { class: "card", "aria-label": words.exampleTitle },
        h("figcaption", { class: "eyebrow" }, words.exampleTitle),
        h("div", { class: "stack tight" }, dial(84, { low: 82, high: 86 }), h("p", { class: "small soft", style: { "text-align": "center" } }, words.exampleScore)),
        h("div", { class: "marked" }, h("div", { class: "row", style: { "flex-wrap": "nowrap", "align-items": "flex-start" } }, h("span", { style: { color: "var(--good)" } }, icon("check")), h("p", {}, words.exampleGood))),
        h("div", { class: "first", style: { padding: "1.125rem", gap: ".4rem" } },
            h("p", { class: "eyebrow" }, words.exampleFirst), h("p", {}, h("strong", {}, words.exampleWhat), " ", words.exampleDo)));
}
