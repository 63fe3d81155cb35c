// An export of everything: asked for, followed while its parts come, fetched, and removed.
import { bytes, h, moment, put, say, uuid } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, icon, sure } from "/web/pieces.js";

const words = texts.archive;
const partOf = (service) => words.services[service] ?? service;

/** The section of one's last export, null if there is none; `leave` ends the looking after it. */
export function archive(last) {
    let export_ = last ?? null;
    let timer = 0;
    let gone = false;
    // The same wish has the same key until it is answered, so that one whose answer was lost is no second one.
    let key = uuid();
    const state = h("h3", { tabindex: "-1" });
    const place = h("div", { class: "stack" });
    const lost = h("div");
    const wrong = h("div");

    const draw = () => {
        const kind = export_?.state ?? "none";
        state.textContent = words.states[kind] ?? words.states.none;
        put(place, (parts[kind] ?? parts.none)());
        clearTimeout(timer);
        if (kind === "open" && !gone) timer = setTimeout(look, 2000);
    };
    /** After one's own step: what had the focus is drawn anew. */
    const led = () => {
        draw();
        state.focus();
        say(state.textContent);
    };
    const read = async () => { export_ = await api.call("GET", `/v1/exports/${export_.id}`); };

    async function look() {
        try {
            const before = JSON.stringify(export_);
            await read();
            put(lost);
            if (gone) return;
            const isOver = export_.state !== "open";
            if (isOver || JSON.stringify(export_) !== before) draw();
            else timer = setTimeout(look, 2000);
            if (isOver) say(state.textContent);
        } catch (error) {
            if (gone) return;
            // It goes on meanwhile; what has become of it is asked again.
            if (error.code === "not-found") {
                export_ = null;
                return draw();
            }
            put(lost, h("p", { class: "warn" }, words.lost));
            timer = setTimeout(look, 4000);
        }
    }

    const ask = (text, kind = "") => act(text, kind, async () => {
        try {
            export_ = await api.confirmed(() => api.call("POST", "/v1/exports", {}, { headers: { "Idempotency-Key": key } }));
            key = uuid();
        } catch (error) {
            if (error.code !== "export-open") throw error;
            // Asked for in another tab: it is the same one.
            [export_] = (await api.call("GET", "/v1/exports")).items;
        }
        if (!gone) led();
    }, wrong);
    const remove = (text, question) => act(text, "quiet", async () => {
        if (question && !(await sure(words.removeTitle, words.removeText, text))) return;
        await api.call("DELETE", `/v1/exports/${export_.id}`);
        export_ = { ...export_, state: "deleted" };
        if (!gone) led();
    }, wrong);
    /** An address holds for minutes, so it is asked for when it is wanted; a file of gigabytes goes past the page's memory. */
    const fetched = async () => {
        await read();
        if (export_.state !== "ready") return led();
        h("a", { href: api.here(export_.archive.url), download: "" }).click();
        return say(words.fetching);
    };

    const parts = {
        none: () => [h("div", {}, ask(words.ask))],
        open: () => {
            const done = export_.services.filter((one) => one.state === "done").length;
            return [
                h("progress", { max: export_.services.length, value: done, "aria-label": words.states.open }),
                h("ul", { class: "stages" }, export_.services.map((one) => h("li", { class: one.state === "done" ? "done" : "now" }, h("i", {}, one.state === "done" && icon("check")), h("span", {}, partOf(one.service), h("span", { class: "unseen" }, ` ${words.part[one.state] ?? ""}`))))),
                h("p", { class: "small soft" }, words.patience(moment(export_.deadline))), h("div", {}, remove(words.cancel)),
            ];
        },
        ready: () => [
            h("p", {}, words.size(bytes(export_.sizeBytes), export_.files)), h("p", { class: "small soft" }, words.until(moment(export_.expiresAt))),
            h("div", { class: "row" }, act(words.fetch, "", fetched, wrong), remove(words.remove, true), ask(words.anew, "plain")), h("p", { class: "small soft" }, words.care),
        ],
        failed: () => [h("div", { class: "warn stack tight" }, h("p", {}, words.reasons[export_.reason] ?? words.otherReason), export_.missing?.length > 0 && [h("p", {}, words.missing), h("ul", { class: "small" }, export_.missing.map((service) => h("li", {}, partOf(service))))]), h("div", {}, ask(words.again))],
        expired: () => [h("p", { class: "soft" }, words.expired), h("div", {}, ask(words.again))],
        deleted: () => [h("p", { class: "soft" }, words.deleted), h("div", {}, ask(words.again))],
    };
    draw();
    return {
        element: h("section", { class: "card" }, h("h2", {}, words.title), h("p", { class: "soft" }, words.lead), state, lost, place, wrong),
        leave: () => {
            gone = true;
            clearTimeout(timer);
        },
    };
}
