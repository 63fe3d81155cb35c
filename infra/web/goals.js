// Goals: what is worth most next, those that are open with what counts so far, and what became of the others.
import { day, h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, field, form, icon, link, sure, title } from "/web/pieces.js";
import { aim, isRated, proposed, setter, shown } from "/web/aims.js";
import { isShare, nameOf } from "/web/figures.js";

const words = texts.goals;
// What the API takes as values of each.
const limits = {
    confidenceScore: [0, 100], paceWordsPerMin: [0, 1000], fillersPer100Words: [0, 100], fillersPerMin: [0, 100], pauseEffectiveness: [0, 1], tonalVariety: [0, 1],
    volumeConsistency: [0, 1], eyeContactPct: [0, 1], faceLiveliness: [0, 1], soundQuality: [0, 1], pictureQuality: [0, 1],
};
const most = { recordings: 50, days: 92 };
const usual = { recordings: 5, days: 7 };

export async function show() {
    const place = h("div", { class: "stack loose" });
    let gone = false;
    const draw = async () => {
        const goals = await api.call("GET", "/v1/goals");
        if (!gone) put(place, parts(goals, draw));
    };
    await draw();
    return { leave: () => { gone = true; }, elements: [h("header", { class: "stack tight" }, title(words.title), h("p", { class: "lead" }, words.lead)), place] };
}

function parts({ items, proposal }, draw) {
    const open = items.filter((goal) => goal.standing === "open");
    const over = items.filter((goal) => goal.standing !== "open");
    // What had the focus is drawn anew, so whoever goes by keyboard begins at the top of the goals.
    const again = async () => {
        await draw();
        document.querySelector("main h1")?.focus();
    };
    return [
        open.length > 0 && h("section", { class: "card" }, h("h2", {}, words.open), h("ul", { class: "list" }, open.map((goal) => entry(goal, again)))),
        items.length === 0 && h("section", { class: "card empty" }, icon("flag"), h("h2", {}, words.empty), h("p", { class: "soft" }, proposal ? words.emptyText : words.emptyFirst), !proposal && link("#/record", texts.record.title)),
        proposal && proposed(proposal, again),
        own(again),
        over.length > 0 && h("section", { class: "card" }, h("h2", {}, words.over), h("ul", { class: "list" }, over.map((goal) => entry(goal, again)))),
        h("div", { class: "row" }, link("#/progress", texts.compare.toProgress, "quiet")),
    ];
}

/** The last day of a goal, where it was set. */
function lastDay({ endsAt, timeZone }) {
    const last = new Date(new Date(endsAt).getTime() - 1000);
    try {
        return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone }).format(last);
    } catch {
        // A browser may know fewer zones than the server.
        return day(last);
    }
}

function entry(goal, again) {
    const wrong = h("div");
    const count = goal.counted.length;
    const isOpen = goal.standing === "open";
    return h("li", { class: "goal" },
        h("div", { class: "row between" }, h("h3", {}, aim(goal)), !isOpen && h("span", { class: `verdict ${{ met: "better", missed: "worse" }[goal.standing] ?? ""}` }, icon({ met: "check", missed: "practice" }[goal.standing] ?? "flag"), words.standing[goal.standing] ?? goal.standing)),
        h("progress", { max: goal.recordings, value: count, "aria-label": aim(goal) }),
        h("p", { class: "small soft" }, words.count(count, goal.recordings), " · ", isOpen ? words.until(lastDay(goal)) : goal.standing === "met" ? words.metOn(day(goal.endedAt)) : words.missedOn(lastDay(goal))),
        count > 0 && h("p", { class: "small" }, words.counted, " ", goal.counted.map((hit, place) => [place > 0 && ", ", h("a", { href: `#/report/${hit.sessionId}` }, shown(goal.measure, hit.value))])),
        h("div", { class: "row no-print" }, isOpen && link("#/record", words.record, "quiet small-button"), act(isOpen ? words.remove : words.clear, "plain danger", async () => {
            if (isOpen && !(await sure(words.removeTitle, words.removeText, words.remove))) return;
            await api.call("DELETE", `/v1/goals/${goal.goalId}`);
            await again();
            say(words.removed);
        }, wrong)), wrong);
}

/** A goal of one's own, within what the API takes. */
function own(done) {
    const set = setter();
    const select = h("select", { id: "goal-measure", onchange: () => bounds() }, Object.keys(limits).map((name) => h("option", { value: name }, nameOf(name))));
    const measure = { input: select, element: h("div", { class: "field" }, h("label", { for: "goal-measure" }, words.measure), select) };
    const hint = h("p", { class: "small soft", id: "goal-hint" });
    const figure = (label, more) => field(label, { type: "number", inputmode: "decimal", "aria-describedby": "goal-hint", ...more });
    const [least, highest] = [figure(words.least), figure(words.highest)];
    const [recordings, days] = [figure(words.recordings, { min: 1, max: most.recordings, step: 1, required: true, value: usual.recordings, "aria-describedby": null }),
        figure(words.days, { min: 1, max: most.days, step: 1, required: true, value: usual.days, "aria-describedby": null })];
    const scale = () => (isShare(select.value) || isRated(select.value) ? 100 : 1);
    function bounds() {
        const [low, high] = limits[select.value].map((value) => value * scale());
        for (const { input } of [least, highest]) {
            Object.entries({ min: low, max: high }).forEach(([key, value]) => input.setAttribute(key, value));
            input.setAttribute("step", "any");
            input.value = "";
        }
        hint.textContent = `${texts.measures[select.value]?.[2] ?? ""} ${words.limits(low, high)}`.trim();
        const better = words.usually[select.value] ?? (isRated(select.value) && words.stands);
        if (better) hint.textContent = `${hint.textContent} ${better}`;
    }
    bounds();
    const check = () => {
        const has = [least, highest].filter(({ input }) => input.value !== "");
        least.input.setCustomValidity(has.length ? "" : words.oneOf);
        const crossed = has.length === 2 && Number(least.input.value) > Number(highest.input.value);
        highest.input.setCustomValidity(crossed ? words.crossed : "");
    };
    const pair = { input: least.input, element: h("div", { class: "pair" }, least.element, highest.element) };
    const frame = { input: recordings.input, element: h("div", { class: "pair" }, recordings.element, days.element) };
    const silent = (one) => ({ input: one.input, element: null });
    const made = form([measure, pair, silent(highest), { input: select, element: hint }, frame, silent(days)], words.set, async () => {
        const value = ({ input }) => (input.value === "" ? null : Number(input.value) / scale());
        await set({ measure: select.value, atLeast: value(least), atMost: value(highest), recordings: Number(recordings.input.value), days: Number(days.input.value) });
        await done();
        say(words.isSet);
    });
    // Before the form looks at what its fields say of themselves.
    made.addEventListener("submit", check, { capture: true });
    return h("section", { class: "card" }, h("details", {}, h("summary", {}, h("span", {}, h("h2", {}, words.own))), h("div", { class: "stack" }, h("p", { class: "soft" }, words.ownLead), made)));
}
