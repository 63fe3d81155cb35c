// A report as one looks at it: what to do first, then what it rests on.
import { clock, day, h, moment, number, percent, put, unload } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, icon, link, sure, title } from "/web/pieces.js";
import { proposed } from "/web/aims.js";
import { apart, reasons, sorted, summed, table, verdict } from "/web/changes.js";
import { bar, dial, energy, pace, pitch } from "/web/charts.js";
import { listed, nameOf, spoken, spokenOf } from "/web/figures.js";

const words = texts.report;

export async function show({ parts: [id], go }) {
    const report = await api.call("GET", `/v1/reports/${encodeURIComponent(id)}`);
    const video = player(await recordingOf(id, report), id);
    const sections = [summary(report), first(report), since(report), strengths(report), moments(report, video), later(report), report.nextGoal && proposed(report.nextGoal), parts(report), overTime(report),
        transcript(report), figures(report), unjudged(report), recording(report)];
    const wrong = h("div", { class: "no-print" });
    addEventListener("beforeprint", openAll);
    addEventListener("afterprint", closeAgain);
    return {
        leave: () => {
            removeEventListener("beforeprint", openAll);
            removeEventListener("afterprint", closeAgain);
            video?.end();
        },
        elements: [
            h("header", { class: "stack tight" }, title(words.title),
                h("p", { class: "soft" }, `${moment(report.createdAt)} · ${words.of(clock(report.durationSec), report.scenario !== "general" && texts.record.scenarios[report.scenario])}`)),
            sections,
            h("div", { class: "row no-print" }, link("#/record", words.again),
                act(words.compare, "quiet", () => before(report, go, wrong), wrong),
                link(`#/share/${id}`, words.share, "quiet"),
                h("button", { type: "button", class: "quiet", onclick: () => print() }, words.print),
                act(words.remove, "quiet danger", () => remove(id, go), wrong)), wrong,
        ],
    };
}

/** What is one tap away on the screen is there on paper, and as it was afterwards. */
let opened = [];
const openAll = () => {
    opened = [...document.querySelectorAll("main details:not([open])")];
    opened.forEach((one) => { one.open = true; });
};
const closeAgain = () => {
    opened.forEach((one) => { one.open = false; });
    opened = [];
};

async function remove(id, go) {
    if (!(await sure(words.removeTitle, words.removeText, words.remove))) return;
    await api.call("DELETE", `/v1/sessions/${id}`);
    api.recordings.delete(id);
    api.deleted.add(id);
    go("history");
}

/** Goes to the report before, beside this one. */
async function before(report, go, place) {
    const { items } = await api.call("GET", `/v1/reports?limit=1&to=${encodeURIComponent(report.createdAt)}`);
    const last = items.find((one) => !api.deleted.has(one.sessionId));
    if (last) go(`compare/${last.sessionId}/${report.sessionId}`);
    else put(place, h("p", { class: "note", role: "status" }, words.oldest));
}

const section = (name, ...rest) => h("section", { class: "card" }, h("h2", {}, name), rest);

function summary(report) {
    const { confidenceScore: score = null, scoreRange: range } = report;
    const means = range && words.rangeMeans(range.low, range.high);
    return h("section", { class: "card", "aria-label": words.score },
        h("div", { class: "summary" }, dial(score, range),
            h("div", { class: "stack" },
                report.feedback && h("p", { style: { "font-size": "var(--l)" } }, report.feedback),
                score === null && !report.feedback && h("p", {}, report.measures?.confidenceScore?.reason),
                report.impressionTags?.length > 0 && h("ul", { class: "chips" }, report.impressionTags.map((tag) => h("li", { class: "chip" }, tag))),
                score !== null && h("p", { class: "small soft" },
                    range && h("span", { title: means }, `${words.range(range.low, range.high)}. `), range && `${means} `,
                    report.scoreCoverage !== null && report.scoreCoverage !== undefined && words.coverage(report.scoreCoverage)))));
}

function first(report) {
    const step = report.firstStep;
    if (!step) {
        // Reports of earlier rules have lists alone.
        const areas = report.areasForImprovement ?? [];
        return areas.length ? null : h("section", { class: "first" }, h("p", {}, words.nothing));
    }
    const entry = (name, text) => text && h("div", {}, h("dt", {}, name), h("dd", {}, text));
    return h("section", { class: "first" },
        h("div", { class: "row between" }, h("h2", { class: "eyebrow", style: { "font-family": "var(--text)" } }, words.first), step.points && h("span", { class: "chip" }, words.points(step.points))),
        h("p", { class: "what" }, step.what),
        h("dl", {}, entry(words.why, step.why), entry(words.exercise, step.exercise), entry(words.sign, step.nextRecording)));
}

/** What changed since the owner's report before; nothing for the first one, and for reports that do not say. */
function since(report) {
    const last = report.sinceLast;
    if (!last) return null;
    const heads = [words.then, words.now];
    const { judged, apart: left } = sorted(last.measures);
    const same = judged.filter(([, one]) => one.verdict === "same");
    const changed = judged.filter(([, one]) => one.verdict !== "same");
    return section(words.since(day(last.createdAt)),
        last.sentences?.length ? last.sentences.map((text) => h("p", {}, text)) : last.comparable ? h("p", {}, summed(judged)) : h("p", { class: "warn" }, texts.compare.notComparable, ". ", reasons(last.reasons).join(" ")),
        last.comparable && exercise(last.exercise),
        changed.length > 0 && table(words.since(day(last.createdAt)), changed, heads),
        same.length > 0 && h("details", {}, h("summary", { class: "small" }, h("span", {}, words.asItWas(same.length))), table(words.asItWas(same.length), same, heads)),
        last.comparable && left.length > 0 && h("details", {}, h("summary", { class: "small" }, h("span", {}, texts.compare.apart)), h("div", { class: "stack" }, apart(left, [], heads))),
        h("p", { class: "small soft" }, texts.compare.care),
        h("div", { class: "row no-print" }, link(`#/compare/${last.sessionId}/${report.sessionId}`, words.sideBySide, "quiet small-button")));
}

/** Whether the exercise of the report before was followed by a change. */
function exercise(trained) {
    if (!trained) return null;
    // A later server says it in its own words.
    if (trained.sentence) return h("p", {}, trained.verdict && [verdict(trained.verdict), " "], trained.sentence);
    if (!trained.verdict) return h("p", { class: "soft" }, words.exerciseUnjudged, " ", reasons(trained.reasons).join(" "));
    return h("p", {}, verdict(trained.verdict), " ", words.exerciseThen[trained.verdict](nameOf(trained.measure)));
}

function strengths(report) {
    const list = report.strengths ?? [];
    return section(words.good, list.length ? h("ul", { class: "marked" }, list.map((text) => h("li", {}, icon("check"), h("span", {}, text)))) : h("p", { class: "soft" }, words.noGood));
}

function later(report) {
    const areas = report.areasForImprovement ?? [];
    const from = report.firstStep ? 1 : 0;
    if (areas.length <= from) return null;
    return section(report.firstStep ? words.later : words.first, h("ul", { class: "marked" }, areas.slice(from).map((area, place) =>
        h("li", {}, h("span", { class: "work" }, icon("arrow")), h("div", { class: "stack tight" }, h("p", {}, area), h("p", { class: "soft" }, report.practiceExercises?.[place + from]))))));
}

/** Where the recording is played from: this device, right after it was made, or the server, as long as it is kept there. */
async function recordingOf(id, report) {
    const blob = api.recordings.get(id);
    if (blob) return URL.createObjectURL(blob);
    if (!report.kept?.recording?.kept) return null;
    // It may go between one question and the next; the report is there without it.
    return addressOf(id).catch(() => null);
}

const addressOf = async (id) => api.here((await api.call("GET", `/v1/sessions/${encodeURIComponent(id)}/media-url`)).url);

function player(address, id) {
    if (!address) return null;
    // The server's address holds for minutes; whoever reads longer gets another one, and goes on where they were.
    let renewed = 0;
    const renew = async () => {
        if (address.startsWith("blob:") || !video.isConnected || Date.now() - renewed < 60_000) return;
        renewed = Date.now();
        const at = video.currentTime;
        const isPlaying = !video.paused;
        const next = await addressOf(id).catch(() => null);
        if (!next || !video.isConnected) return;
        video.src = next;
        video.currentTime = at;
        if (isPlaying) start();
    };
    // An address that is over meanwhile, or a pause, interrupts it: what to do then is said elsewhere.
    const start = () => video.play().catch(() => {});
    const video = h("video", { onerror: renew, class: "player", src: address, controls: true, playsinline: true, preload: "auto", "aria-label": words.video });
    return {
        element: video,
        end: () => unload(video, address),
        play: (from, to) => {
            video.currentTime = Math.max(0, from - 0.5);
            start();
            video.scrollIntoView({ block: "center" });
            const until = () => {
                if (video.currentTime < to + 0.7) return;
                video.pause();
                video.removeEventListener("timeupdate", until);
            };
            video.addEventListener("timeupdate", until);
        },
    };
}

function moments(report, video) {
    const list = report.keyMoments ?? [];
    if (!list.length && !video) return null;
    return section(list.length ? words.moments : words.video, video?.element,
        list.length > 0 && h("ol", {}, list.map((one) => h("li", { class: "moment" },
            h("time", {}, clock(one.start ?? one.timestamp)),
            h("span", { class: `tag ${one.type}` }, one.type === "strength" ? words.strength : words.improvement),
            h("p", {}, one.description),
            one.quote && h("blockquote", {}, `“${one.quote}”`),
            video && h("div", { class: "no-print" }, h("button", { type: "button", class: "quiet small-button", onclick: () => video.play(one.start ?? one.timestamp, one.end ?? (one.timestamp + 4)) },
                icon("play"), words.play(clock(one.start ?? one.timestamp))))))),
        !video && h("p", { class: "small soft no-print" }, report.kept?.recording.kept ? words.noVideoHere : [words.noVideo, " ", h("a", { href: "#/kept" }, words.keepThem)]));
}

function parts(report) {
    const list = (report.scoreParts ?? []).filter((part) => part.share > 0 || part.deduction !== undefined && part.deduction !== null || part.valid);
    if (!list.length) return null;
    return section(words.parts, h("p", { class: "small soft" }, words.partsLead), h("ul", { class: "bars" }, list.map((part) => {
        const name = texts.parts[part.part] ?? spoken(part.part);
        const share = part.share > 0 && `${words.partShare}: ${number(part.share)} %`;
        if (part.deduction !== undefined && part.deduction !== null) return h("li", { class: "bar" }, h("span", {}, name), h("b", {}, words.takes(part.deduction)));
        return h("li", { class: "bar" }, h("span", {}, name), h("b", {}, part.value === null ? words.countsAs0 : percent(part.value)), bar(part.value ?? 0),
            h("span", { class: "small soft" }, [share, part.measures?.length > 0 && words.from(listed(part.measures.map(spokenOf))), part.reason].filter(Boolean).join(" · ")));
    })));
}

function overTime(report) {
    const tone = (report.toneTimeline ?? []).filter((point) => point.t !== undefined);
    const said = sayer(report.transcript);
    const heard = (report.pitchTimeline ?? []).filter((point) => point.semitones !== null);
    const drawn = [tone.filter((point) => point.energy !== null).length > 1 && energy(tone, said), heard.length > 1 && pitch(report.pitchTimeline, said), (report.paceTimeline?.length ?? 0) > 1 && pace(report.paceTimeline, said)].filter(Boolean);
    return drawn.length ? section(words.time, drawn) : null;
}

/** Gives the words that begin between two seconds; none where they were recognised only roughly. */
function sayer(heard) {
    if (!heard?.words?.length || heard.lowConfidence) return () => "";
    const shown = written(heard);
    return (from, to) => shown.filter((_, place) => heard.words[place].start >= from && heard.words[place].start < to).join(" ");
}

/** The words as they were heard, with pauses and fillers where they were. */
function transcript(report) {
    const heard = report.transcript;
    if (!heard?.words?.length) return section(words.words, h("p", { class: "soft" }, report.measures?.transcript?.reason ?? words.noWords));
    const shown = written(heard);
    const pauses = [...(report.pauses ?? [])];
    const fillers = report.fillerTimes ?? [];
    const pieces = [];
    const isFiller = (word) => fillers.some((one) => word.start < one.end && word.end > one.start);
    heard.words.forEach((word, place) => {
        while (pauses.length && pauses[0].start < word.start + 0.05) {
            const pause = pauses.shift();
            const hesitant = pause.kind === "hesitant";
            const seconds = number(pause.end - pause.start);
            pieces.push(h("span", { class: `pause ${hesitant ? "hesitant" : ""}` }, hesitant ? words.hesitation(seconds) : words.pause(seconds)), " ");
        }
        pieces.push(isFiller(word) ? h("mark", {}, shown[place], h("span", { class: "unseen" }, ` (${words.filler})`)) : shown[place], " ");
    });
    return section(words.words, heard.lowConfidence && h("p", { class: "warn small" }, words.doubt),
        fillers.length > 0 && h("p", { class: "small soft" }, words.marked, " ", h("mark", {}, words.legendFiller), "."), h("p", { class: "transcript" }, pieces));
}

/** The text's own spelling and signs for each word that was timed, where the two agree. */
function written(heard) {
    const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
    const tokens = heard.text.split(/\s+/);
    let at = 0;
    return heard.words.map(({ w }) => {
        for (let ahead = 0; ahead < 4; ahead += 1) {
            if (tokens[at + ahead] && plain(tokens[at + ahead]) === plain(w)) {
                const found = tokens[at + ahead];
                at += ahead + 1;
                return found;
            }
        }
        return w;
    });
}

const lists = new Set(["impressionTags", "strengths", "areasForImprovement", "practiceExercises", "keyMoments", "feedback", "scoreCoverage", "confidenceScore", "toneTimeline", "transcript", "durationSec"]);

function value(name, measure) {
    if (!measure.valid || measure.value === null) return "–";
    if (typeof measure.value === "object") {
        const some = Object.entries(measure.value).filter(([, count]) => count > 0);
        return some.length ? some.map(([word, count]) => `${word} ${count}`).join(", ") : "0";
    }
    if (typeof measure.value !== "number") return String(measure.value);
    if (name === "eyeContactPct") return percent(measure.value);
    const unit = measure.unit.startsWith("%") ? " %" : { s: " s", "words/min": "", Hz: " Hz", dB: " dB", semitones: " st" }[measure.unit] ?? "";
    return number(measure.value, 2) + unit;
}

function figures(report) {
    const all = Object.entries(report.measures ?? {}).filter(([name, measure]) => !lists.has(name) && measure.valid);
    if (!all.length) return null;
    return h("section", { class: "card figures" }, h("h2", {}, words.figures), h("p", { class: "small soft" }, words.figuresLead),
        Object.entries(words.groups).map(([group, text]) => {
            const some = all.filter(([name]) => (texts.measures[name]?.[1] ?? "recording") === group);
            return some.length > 0 && h("details", { class: "group" }, h("summary", {}, h("span", {}, text), h("span", { class: "chip" }, String(some.length))), h("div", { class: "group-body" }, some.map(figure)));
        }));
}

function figure([name, measure]) {
    const entry = (term, text) => text && [h("dt", {}, term), h("dd", {}, text)];
    return h("details", {}, h("summary", {}, h("span", {}, nameOf(name)), h("b", {}, value(name, measure))),
        h("div", { class: "body" }, texts.measures[name] && h("p", {}, texts.measures[name][2]),
            h("dl", {}, entry(words.unit, measure.unit), entry(words.source, words.sources[measure.source]),
                entry(words.valid, measure.lowConfidence ? words.unsure : words.sure), entry(words.direction, words.directions[measure.direction]),
                entry(words.weight, measure.weight && `${number(measure.weight)} %`))));
}

function unjudged(report) {
    const groups = new Map();
    for (const [name, measure] of Object.entries(report.measures ?? {})) {
        if (measure.valid || ["impressionTags", "strengths", "areasForImprovement", "practiceExercises", "keyMoments"].includes(name)) continue;
        const reason = measure.reason ?? "";
        groups.set(reason, [...(groups.get(reason) ?? []), nameOf(name)]);
    }
    if (!groups.size) return null;
    return section(words.unjudged, h("p", { class: "small soft" }, words.unjudgedLead), h("dl", { class: "stack" }, [...groups].map(([reason, names]) =>
        h("div", {}, h("dt", {}, names.join(", ")), h("dd", { class: "soft" }, reason)))));
}

/** What the server keeps of it, where it says so. */
function kept(of) {
    if (!of) return null;
    const { kept: isKept, until } = of.recording;
    return h("p", {}, words.keptReport(listed(of.report.map((name) => words.keptParts[name] ?? spoken(name)))), " ", isKept ? words.keptUntil(moment(until)) : words.keptNot, " ", h("a", { class: "no-print", href: "#/kept" }, words.keptChange));
}

function recording(report) {
    const told = report.warningTexts?.length ? report.warningTexts : report.warnings ?? [];
    const engines = Object.entries(report.engines ?? {}).filter(([name]) => name !== "thresholds" && name !== "text").map(([, engine]) => engine).filter(Boolean);
    if (!told.length && !engines.length && !report.notice) return null;
    return section(words.recording, (report.notice || engines.length > 0) && h("p", {}, report.notice ?? words.made), kept(report.kept), told.length > 0 && h("ul", { class: "stack tight" }, told.map((text) => h("li", { class: "warn" }, text))),
        engines.length > 0 && h("p", { class: "small soft" }, `${words.engines}: ${[...new Set(engines)].join(", ")}${report.rulesVersion === undefined ? "" : ` · ${words.rules(report.rulesVersion)}`}`),
        (report.engines?.text ?? "catalogue") !== "catalogue" && h("p", { class: "small soft" }, words.worded(report.engines.text)));
}
