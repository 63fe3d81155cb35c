// A card that somebody has shared, for whoever has its link. The token stands behind # and goes to the API in a body alone.
import { h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { loading, problemBox } from "/web/pieces.js";
import { card, titleOf } from "/web/card.js";

const words = texts.shared;
const main = document.getElementById("main");
let asked = 0;

function whole(shown) {
    document.title = `${titleOf(shown)} · ${texts.name}`;
    return [h("header", { class: "stack tight" }, h("h1", { tabindex: "-1" }, titleOf(shown)), h("p", { class: "soft" }, words.lead)), card(shown)];
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
        shown = whole(await api.call("POST", "/v1/shared", { token }, { open: true }));
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
