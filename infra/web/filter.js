// Which reports of the history are shown: the days, the kind and the tag. The choice stands in the address.
import { h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import { field, form, select } from "/web/pieces.js";
import { kindOf } from "/web/figures.js";

const words = texts.history;
const names = ["from", "until", "kind", "tag"];
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The choice that an address has; what is none is left out. */
export function chosenBy(query) {
    const all = names.map((name) => [name, query.get(name)]).filter(([name, text]) => text && (isDay(text) || !["from", "until"].includes(name)));
    return Object.fromEntries(all);
}

/** The choice as it stands in the address of the history. */
export function addressOf(chosen) {
    const query = String(new URLSearchParams(Object.entries(chosen)));
    return query ? `#/history?${query}` : "#/history";
}

/** The choice as the API is asked: days are those of this place, and the last one is meant whole. */
export function asked({ from, until, kind, tag }) {
    const query = new URLSearchParams();
    const midnight = (text, more = 0) => {
        const [year, month, day] = text.split("-").map(Number);
        return new Date(year, month - 1, day + more).toISOString();
    };
    if (from) query.set("from", midnight(from));
    if (until) query.set("to", midnight(until, 1));
    if (kind) query.set("kind", kind);
    if (tag) query.set("tag", tag);
    const text = String(query);
    return text && `&${text}`;
}

/**
 * The form. `kinds` and `tags` are what there is to choose from, and `change` shows another choice.
 *
 * Its `take` puts another choice into the fields.
 */
export function filter(chosen, { kinds, tags }, change) {
    const between = (given, name, known) => select(name, [["", words.any], ...known.sort((left, right) => left[1].localeCompare(right[1]))], given ?? "");
    const from = field(words.fromDay, { type: "date", value: chosen.from ?? "" });
    const until = field(words.untilDay, { type: "date", value: chosen.until ?? "" });
    const kind = kinds.length > 1 || chosen.kind ? between(chosen.kind, words.kind, kinds.map((one) => [one, kindOf(one)])) : null;
    const tag = between(chosen.tag, words.tag, tags.map((one) => [one, one]));
    const all = Object.entries({ from, until, kind, tag }).filter(([, one]) => one);
    const count = h("span", { class: "chip" });
    const take = (next) => {
        all.forEach(([name, one]) => { one.input.value = next[name] ?? ""; });
        const size = Object.keys(next).length;
        count.textContent = String(size);
        count.hidden = clear.hidden = size === 0;
    };
    const clear = h("button", { type: "button", class: "quiet", onclick: async () => {
        all.forEach(([, one]) => { one.input.value = ""; });
        made.requestSubmit();
    } }, words.showAll);
    const made = form([
        { input: from.input, element: h("div", { class: "pair" }, from.element, until.element) }, { input: until.input, element: null },
        { input: tag.input, element: h("div", { class: "pair" }, kind?.element, tag.element) },
    ], words.apply, () => change(Object.fromEntries(all.map(([name, one]) => [name, one.input.value]).filter(([, text]) => text))), clear);
    // Before the form looks at what its fields say of themselves.
    made.addEventListener("submit", () => {
        const crossed = from.input.value && until.input.value && from.input.value > until.input.value;
        until.input.setCustomValidity(crossed ? words.crossed : "");
    }, { capture: true });
    take(chosen);
    return { element: h("details", { class: "filter", open: Object.keys(chosen).length > 0 }, h("summary", {}, h("span", {}, words.filter), count), made), take };
}
