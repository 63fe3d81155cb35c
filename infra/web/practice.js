// A timer for what is practised without a recording, and the days that it made.
import { clock, h, put, s, say, soon, moment, uuid, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, link, sure, title } from "/web/pieces.js";

const words = texts.practice;
const kind = "meditation";
// A session that runs goes on while other views are looked at, over a reload, and when a phone puts the page away.
let run = null;
api.whenUserChanges((user) => {
    if (!user) run = null;
});
// No session is longer.
const longest = 86_400_000;

function keep() {
    if (run) localStorage.setItem(api.running, JSON.stringify({ owner: api.user.id, run }));
    else localStorage.removeItem(api.running);
}

/** The session that ran when the page was left. */
function kept() {
    try {
        const { owner, run: found } = JSON.parse(localStorage.getItem(api.running)) ?? {};
        return owner === api.user.id && Date.now() - found.start < longest ? found : null;
    } catch {
        // Not what was written.
        return null;
    }
}

const iso = (time) => new Date(time).toISOString();
const active = (now = Date.now()) => {
    const paused = run.pauses.reduce((sum, pause) => sum + ((pause.end ?? now) - pause.start), 0);
    return Math.max(0, (now - run.start - paused) / 1000);
};

/** The view; where it is one of several, `name` says so, and it leads to the timer on its own. */
export async function show({ name } = {}) {
    run ??= kept();
    const days = h("div", { class: "stack loose" });
    let gone = false;
    const draw = async () => gone || put(days, await history(refresh));
    // Days and streaks follow what was told a moment later.
    const refresh = async () => {
        await draw();
        for (const wait of [1500, 4000, 9000]) setTimeout(() => gone || days.contains(document.activeElement) || draw().catch(() => {}), wait);
    };
    const timer = stopwatch(refresh);
    await draw();
    return { leave: () => { gone = true; timer.leave(); }, elements: [h("header", { class: "stack tight" }, title(words.title), h("p", { class: "lead" }, words.lead)), timer.element, days, name && h("div", { class: "row" }, link("/practice", words.alone, "quiet"))] };
}

function stopwatch(saved) {
    const shown = h("output", { role: "timer", "aria-label": words.running }, "0:00");
    const state = h("p", { class: "soft" });
    const place = h("div");
    const hand = s("circle", { class: "hand", cx: 50, cy: 50, r: 46, fill: "none", "stroke-width": 4, "stroke-linecap": "round", "stroke-dasharray": 289, "stroke-dashoffset": 289, transform: "rotate(-90 50 50)" });
    const buttons = h("div", { class: "row", style: { "justify-content": "center" } });
    const tick = () => {
        const seconds = run ? active(run.finished ?? Date.now()) : 0;
        shown.textContent = clock(seconds);
        // Once around is a minute.
        hand.setAttribute("stroke-dashoffset", String(289 * (1 - (seconds % 60) / 60)));
    };
    const timer = setInterval(() => run && !run.finished && tick(), 250);
    const finish = async () => {
        run.finished ??= Date.now();
        const open = run.pauses.at(-1);
        // A session that is finished while it pauses ended when the pause began.
        if (open && !open.end) {
            run.finished = open.start;
            run.pauses.pop();
        }
        keep();
        const seconds = Math.floor(active(run.finished));
        if (seconds < 1) {
            run = null;
            draw();
            put(place, h("p", { class: "warn" }, words.short));
            return;
        }
        try {
            await api.call("POST", "/v1/practice/sessions", {
                id: run.id, kind, startedAt: iso(run.start), endedAt: iso(run.finished), activeSeconds: seconds, timeZone: zone,
                pauses: run.pauses.map((pause) => ({ startedAt: iso(pause.start), endedAt: iso(pause.end) })),
            });
        } catch (error) {
            draw();
            throw error;
        }
        run = null;
        draw();
        put(place, h("p", { class: "note" }, words.saved(clock(seconds))));
        say(words.saved(clock(seconds)));
        // What cannot be read just now takes back nothing that is saved.
        await saved().catch(() => {});
    };
    const button = (text, kind_, work) => h("button", { type: "button", class: kind_, onclick: () => {
        put(place);
        work();
        draw();
        buttons.firstChild.focus();
    } }, text);
    function draw() {
        const pausing = run && run.pauses.at(-1) && !run.pauses.at(-1).end;
        state.textContent = !run ? words.ready : run.finished ? words.unsaved : pausing ? words.paused : words.running;
        tick();
        keep();
        if (!run) put(buttons, button(words.start, "", () => { run = { id: uuid(), start: Date.now(), pauses: [] }; }));
        else if (run.finished) put(buttons, act(words.save, "", finish, place), button(words.discard, "quiet", () => { run = null; }));
        else {
            put(buttons, pausing ? button(words.resume, "", () => { run.pauses.at(-1).end = Date.now(); }) : button(words.pause, "quiet", () => { run.pauses.push({ start: Date.now() }); }),
                act(words.finish, pausing ? "quiet" : "", finish, place), pausing && button(words.discard, "plain", () => { run = null; }));
        }
    }
    draw();
    // It is one timer, however many tabs show it.
    const heard = ({ key }) => {
        if (key !== api.running || !api.user) return;
        run = kept();
        draw();
    };
    addEventListener("storage", heard);
    return {
        leave: () => {
            clearInterval(timer);
            removeEventListener("storage", heard);
        },
        element: h("section", { class: "card timer" }, h("div", { class: "face" }, s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("circle", { class: "track", cx: 50, cy: 50, r: 46, fill: "none", "stroke-width": 4 }), hand), shown), state, buttons, place),
    };
}

async function history(refresh) {
    const query = `kind=${kind}&timeZone=${encodeURIComponent(zone)}`;
    const [streak, list] = await Promise.all([api.call("GET", `/v1/practice/streak?${query}`), api.call("GET", "/v1/practice/sessions?limit=10")]);
    const end = new Date(`${streak.today}T12:00:00Z`);
    // Whole weeks, Monday first, the last of which is this one.
    const first = new Date(end);
    first.setUTCDate(end.getUTCDate() - 28 - ((end.getUTCDay() + 6) % 7));
    const name = (time) => time.toISOString().slice(0, 10);
    const analytics = await api.call("GET", `/v1/practice/analytics?${query}&startDate=${name(first)}&endDate=${streak.today}`);
    const cells = [...Array(35)].map((_, place) => {
        const time = new Date(first);
        time.setUTCDate(first.getUTCDate() + place);
        const date = name(time);
        const total = analytics.dailyTotals[date];
        return { date, seconds: typeof total === "number" ? total : total?.seconds ?? 0 };
    });
    const label = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
    const weekday = new Intl.DateTimeFormat(undefined, { weekday: "narrow", timeZone: "UTC" });
    const kindOf = (cell) => [cell.date > streak.today && "later", cell.seconds >= 600 ? "much" : cell.seconds > 0 && "some", cell.date === streak.today && "today"].filter(Boolean).join(" ");
    const some = cells.filter((cell) => cell.seconds > 0);
    const figure = (term, text) => h("div", {}, h("dt", {}, term), h("dd", {}, String(text)));
    return [
        h("section", { class: "card" }, h("dl", { class: "numbers" }, figure(words.streak, streak.currentStreak), figure(words.longest, streak.longestStreak), figure(words.days, streak.practisedDays)),
            h("p", { class: "soft", style: { "text-align": "center" } }, streak.practisedDays === 0 ? words.empty : [streak.practisedToday ? words.today : words.notToday, ". ", !streak.practisedToday && streak.atRiskUntil && `${words.risk(soon(streak.atRiskUntil))} `, streak.nextMilestone && `${words.milestone(streak.nextMilestone)}.`])),
        h("section", { class: "card" }, h("h2", {}, words.month), h("div", { class: "days", role: "img", "aria-label": `${words.month}: ${words.practised(some.length)}` }, cells.slice(0, 7).map((cell) => h("span", {}, weekday.format(new Date(`${cell.date}T12:00:00Z`)))), cells.map((cell) => h("i", { class: kindOf(cell) }))),
            some.length > 0 && h("p", { class: "days-key small soft" }, h("i", { class: "some" }), words.shorter, h("i"), words.longer),
            some.length > 0 && h("details", {}, h("summary", { class: "small" }, texts.report.table), h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.date), h("th", { scope: "col", class: "figure" }, words.time))),
                h("tbody", {}, some.map((cell) => h("tr", {}, h("th", { scope: "row" }, label.format(new Date(`${cell.date}T12:00:00Z`))), h("td", { class: "figure" }, clock(cell.seconds)))))))),
        list.items.length > 0 && h("section", { class: "card" }, h("h2", {}, words.last), h("ul", { class: "list" }, list.items.map((item) => {
            const wrong = h("div");
            return h("li", { class: "item" }, h("div", {}, h("p", {}, h("strong", {}, clock(item.activeSeconds))), h("p", { class: "small soft" }, moment(item.startedAt))),
                act(words.remove, "plain danger", async () => {
                    if (!(await sure(words.removeTitle, words.removeText, words.remove))) return;
                    await api.call("DELETE", `/v1/practice/sessions/${item.id}`);
                    await refresh();
                    // What had the focus is drawn anew, so whoever goes by keyboard begins at the top.
                    document.querySelector("main h1")?.focus();
                    say(words.removed);
                }, wrong), wrong);
        }))),
    ];
}
