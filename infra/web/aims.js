// What a goal says, and how one is set: from a proposal wherever one is shown, or freely.
import { h, number, percent, put, say, uuid, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, link } from "/web/pieces.js";
import { isShare } from "/web/figures.js";

const words = texts.goals;
// Figures from 0 to 1 that are no share of anything: people read them as so many points of 100.
const rated = new Set(["pauseEffectiveness", "tonalVariety", "volumeConsistency", "faceLiveliness", "soundQuality", "pictureQuality"]);
export const isRated = (measure) => rated.has(measure);
/** A value as a goal says it. */
export const shown = (measure, value) => (isShare(measure) ? percent(value) : isRated(measure) ? words.of100(number(value * 100)) : number(value, 2));

/** "At most 3 filler words a minute". */
export function aim({ measure, atLeast, atMost }) {
    const has = (value) => value !== null && value !== undefined;
    const [low, high] = [has(atLeast) && (has(atMost) && isRated(measure) ? number(atLeast * 100) : shown(measure, atLeast)), has(atMost) && shown(measure, atMost)];
    const range = low && high ? words.between(low, high) : low ? words.atLeast(low) : words.atMost(high);
    const text = (words.aims[measure] ?? ((said) => `${said} (${measure})`))(range);
    return text[0].toUpperCase() + text.slice(1);
}

/** Gives what sets a goal. Tried again after a lost answer it is the same one, and not a second. */
export function setter() {
    let key = uuid();
    let last = "";
    return async (target) => {
        const body = { ...target, timeZone: zone };
        if (last && last !== JSON.stringify(body)) key = uuid();
        last = JSON.stringify(body);
        const goal = await api.call("POST", "/v1/goals", body, { headers: { "Idempotency-Key": key } });
        key = uuid();
        last = "";
        return goal;
    };
}

/** The goal that is worth most next, and one tap to set it; `done` is called with it. */
export function proposed(proposal, done) {
    const { measure, atLeast, atMost, recordings, days } = proposal;
    const set = setter();
    const wrong = h("div");
    const row = h("div", { class: "row no-print" }, act(words.set, "", async () => {
        const goal = await set({ measure, atLeast, atMost, recordings, days });
        if (done) await done(goal);
        else {
            const all = link("#/goals", words.title, "quiet");
            put(row, h("p", { class: "note" }, words.isSetUntil(goal.days)), all);
            all.focus();
        }
        say(words.isSet);
    }, wrong));
    return h("section", { class: "first" }, h("h2", { class: "eyebrow" }, words.next), h("p", { class: "what" }, aim(proposal)),
        h("p", {}, proposal.sentence ?? `${words.within(recordings, days)} ${words.from(shown(measure, proposal.from), proposal.points)}`), row, wrong);
}
