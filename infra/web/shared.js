// A card that somebody has shared, for whoever has its link. The token stands behind # and goes to the API in a body alone.
import { day, h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { loading, problemBox } from "/web/pieces.js";
import { dial } from "/web/charts.js";

const words = texts.shared;
const main = document.getElementById("main");
let asked = 0;

function card({ firstName, language, confidenceScore, scoreRange, strengths, workOn, expiresAt }) {
    const title = firstName ? words.titleOf(firstName) : words.title;
    document.title = `${title} · ${texts.name}`;
    return [
        h("header", { class: "stack tight" }, h("h1", { tabindex: "-1" }, title), h("p", { class: "soft" }, words.lead)),
        confidenceScore !== null && h("section", { class: "card" }, h("h2", {}, words.score),
            h("div", { class: "summary" }, dial(confidenceScore, scoreRange),
                scoreRange && h("p", { class: "small soft" }, texts.report.range(scoreRange.low, scoreRange.high), ". ", words.rangeMeans))),
        strengths.length > 0 && h("section", { class: "card" }, h("h2", {}, words.strengths),
            h("ul", { class: "stack tight", lang: language }, strengths.map((text) => h("li", {}, text)))),
        workOn && h("section", { class: "card accent" }, h("h2", {}, words.workOn), h("p", { lang: language }, workOn)),
        h("footer", { class: "stack tight small soft" }, h("p", {}, words.machine), h("p", {}, words.until(day(expiresAt)))),
    ];
}

async function show() {
    const turn = asked += 1;
    const token = location.hash.slice(1);
    document.title = `${words.title} · ${texts.name}`;
    if (!token) {
        put(main, h("h1", { tabindex: "-1" }, words.title), h("p", {}, words.incomplete));
        return;
    }
    put(main, loading());
    let shown;
    try {
        shown = card(await api.call("POST", "/v1/shared", { token }, { open: true }));
    } catch (error) {
        // Only what may be otherwise in a moment is worth another try.
        const again = error.code !== "share-unknown" && h("button", { type: "button", onclick: show }, texts.again);
        shown = [h("h1", { tabindex: "-1" }, words.nothing), again ? problemBox(error, again) : problemBox(error)];
    }
    if (turn !== asked) return;
    put(main, shown);
    main.querySelector("h1").focus();
    say(document.title);
}

addEventListener("hashchange", show);
show();
