// What changed over all reports: the streak, the trend of each figure, what to aim at next, and when it was recorded.
import { clock, day, h, put, soon, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { icon, link, problemBox, title } from "/web/pieces.js";
import { proposed } from "/web/aims.js";
import { reasons } from "/web/changes.js";
import { nameOf, size, written } from "/web/figures.js";
import { columns, series } from "/web/trend.js";

const words = texts.progress;
const marks = { improved: ["better", "check"], declined: ["worse", "down"], steady: ["same", "same"], "not-enough-yet": ["open", "practice"] };
const section = (name, ...rest) => h("section", { class: "card" }, h("h2", {}, name), rest);

export async function show() {
    const progress = await api.call("GET", `/v1/progress?timeZone=${encodeURIComponent(zone)}`);
    const { best } = progress;
    const heading = h("header", { class: "stack tight" }, h("div", { class: "row between" }, title(words.title), link("#/goals", texts.goals.title, "quiet small-button")),
        progress.totals.reports > 0 && h("p", { class: "lead" }, total(progress.totals)), best && h("p", {}, h("a", { href: `#/report/${best.sessionId}` }, words.best(best.confidenceScore, day(best.createdAt)))));
    if (!progress.totals.reports) {
        return [heading, h("section", { class: "card empty" }, icon("progress"), h("h2", {}, words.empty), h("p", { class: "soft" }, words.emptyText), link("#/record", texts.history.start))];
    }
    return [heading, streak(progress.streak), progress.nextGoal && proposed(progress.nextGoal),
        trends(progress), times(progress)];
}

const total = ({ reports, seconds, days }) => words.total(reports, clock(seconds), days);

function streak({ currentStreak, longestStreak, practisedDays, consistency7, consistency30, atRiskUntil, recordedToday }) {
    const figure = (term, text) => h("div", {}, h("dt", {}, term), h("dd", {}, String(text)));
    const kept = (count, of) => h("div", { class: "kept" }, h("p", {}, words.kept(count, of)), h("progress", { max: of, value: count, "aria-label": words.kept(count, of) }));
    return h("section", { class: "card" }, h("h2", {}, words.streakTitle),
        h("dl", { class: "numbers" }, figure(words.streak, currentStreak), figure(words.longest, longestStreak), figure(words.days, practisedDays)),
        atRiskUntil && !recordedToday ? h("p", { class: "warn" }, words.risk(soon(atRiskUntil))) : h("p", { class: "soft" }, recordedToday ? words.today : words.notToday),
        h("div", { class: "pair" }, kept(consistency7, 7), kept(consistency30, 30)), h("p", { class: "small soft" }, words.keptMeans));
}

function trends({ measures, comparable, notCompared }) {
    const left = notCompared.reduce((sum, group) => sum + group.reports, 0);
    return h("section", { class: "card figures" }, h("h2", {}, words.trends), h("p", { class: "small soft" }, words.trendsLead(comparable?.reports ?? 0)),
        h("div", {}, Object.entries(measures).map(([name, measure], place) => trend(name, measure, place === 0))),
        left > 0 && h("details", {}, h("summary", { class: "small" }, h("span", {}, words.left(left))), h("ul", { class: "stack tight" }, notCompared.map((group) =>
            h("li", { class: "small" }, h("strong", {}, words.group(group.reports, group.rulesVersion)), " ", reasons(group.reasons).join(" "))))));
}

/** One measure; its values are asked for when somebody wants to see them. */
function trend(name, measure, isOpen) {
    const [kind, sign] = marks[measure.trend] ?? marks.steady;
    const place = h("div");
    const retry = h("button", { type: "button", class: "quiet small-button", onclick: () => load() }, texts.again);
    let isLoaded = false;
    const load = async () => {
        if (isLoaded) return;
        isLoaded = true;
        try {
            put(place, h("p", { class: "soft small" }, texts.loading));
            const { items } = await api.call("GET", `/v1/progress/${name}?limit=100`);
            put(place, series(name, items.reverse(), measure.range));
        } catch (error) {
            isLoaded = false;
            put(place, problemBox(error, retry));
        }
    };
    if (isOpen) load();
    return h("details", { class: "trend", open: isOpen, ontoggle: ({ target }) => target.open && load() },
        h("summary", {}, h("span", {}, nameOf(name), measure.latest && h("span", { class: "small soft latest" }, words.latest(written(name, measure.latest.value)))), h("span", { class: `verdict ${kind}` }, icon(sign), words.verdicts[measure.trend] ?? measure.trend)),
        h("div", { class: "body stack" }, h("p", {}, said(name, measure)), texts.measures[name] && h("p", { class: "small soft" }, texts.measures[name][2]), place));
}

/** The verdict in a sentence, with the rule that it follows. */
function said(name, { trend: verdict, better, change, chance, reports, needed, repeatability }) {
    if (verdict === "not-enough-yet") return words.notEnough(reports, needed);
    const odds = chance > 0 ? Math.max(2, Math.round(1 / chance)) : null;
    if (verdict === "improved" || verdict === "declined") return [words.said[verdict](size(name, change), reports, better === "within"), words.odds(odds)].join(" ");
    return words.steady(reports, size(name, repeatability));
}

/** Days, weeks or months, those without a recording among them. */
function times({ today, days, weeks, months, totals }) {
    const place = h("div");
    const forms = { days: () => byDay(today, days), weeks: () => byWeek(today, weeks), months: () => byMonth(today, months) };
    const draw = (name) => put(place, columns(words.recorded[name], forms[name]()));
    draw("days");
    return section(words.times, h("fieldset", { class: "segments" }, h("legend", { class: "unseen" }, words.times), Object.keys(forms).map((name) => [
        h("input", { type: "radio", name: "by", id: `by-${name}`, value: name, checked: name === "days", onchange: () => draw(name) }), h("label", { for: `by-${name}` }, words.by[name])])),
    place, totals.withoutZone > 0 && h("p", { class: "small soft" }, words.withoutZone(totals.withoutZone)));
}

const noon = (date) => new Date(`${date}T12:00:00Z`);
const plus = (time, count) => new Date(time.getTime() + count * 86_400_000);
const iso = (time) => time.toISOString().slice(0, 10);
const form = (options) => new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options });
const none = { recordings: 0, seconds: 0 };

function byDay(today, days) {
    const all = new Map(days.map((one) => [one.day, one]));
    return [...Array(30)].map((_, place) => {
        const time = plus(noon(today), place - 29);
        return { ...(all.get(iso(time)) ?? none), name: form({ dateStyle: "medium" }).format(time), short: form({ day: "numeric", month: "numeric" }).format(time) };
    });
}

/** The ISO 8601 name of the week of a day. */
function weekOf(time) {
    const thursday = plus(time, 3 - ((time.getUTCDay() + 6) % 7));
    const first = new Date(Date.UTC(thursday.getUTCFullYear(), 0, 1, 12));
    return `${thursday.getUTCFullYear()}-W${String(Math.floor((thursday - first) / 604_800_000) + 1).padStart(2, "0")}`;
}

function byWeek(today, weeks) {
    const all = new Map(weeks.map((one) => [one.week, one]));
    return [...Array(12)].map((_, place) => {
        const time = plus(noon(today), (place - 11) * 7);
        const monday = plus(time, -((time.getUTCDay() + 6) % 7));
        return { ...(all.get(weekOf(time)) ?? none), name: words.weekOf(form({ dateStyle: "medium" }).format(monday)), short: form({ day: "numeric", month: "numeric" }).format(monday) };
    });
}

function byMonth(today, months) {
    const all = new Map(months.map((one) => [one.month, one]));
    const now = noon(`${today.slice(0, 7)}-15`);
    return [...Array(12)].map((_, place) => {
        const time = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + place - 11, 15, 12));
        return { ...(all.get(iso(time).slice(0, 7)) ?? none), name: form({ month: "long", year: "numeric" }).format(time), short: form({ month: "short" }).format(time) };
    });
}
