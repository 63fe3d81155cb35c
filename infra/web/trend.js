// A measure over time, and what was recorded when: pictures with a name, and the same figures in a table.
import { day, h, number, s } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import { every, fluid, frame, round, table } from "/web/charts.js";
import { isShare, nameOf, written } from "/web/figures.js";
import { reasons } from "/web/changes.js";

const words = texts.progress;
const language = new Intl.DisplayNames(document.documentElement.lang, { type: "language" });

/** Lines that are easy to read around the values, the lowest first. */
function scale(name, values) {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const spread = Math.max(most - least, Math.abs(most) * 0.1, 0.1);
    const rough = (spread * 1.3) / 3;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
    const lines = [];
    for (let value = Math.max(0, Math.floor((least - spread * 0.1) / step) * step); lines.length < 7; value += step) {
        lines.push(Math.round(value * 1e6) / 1e6);
        if (value >= most) break;
    }
    // Nothing is above all of it.
    const limit = name === "confidenceScore" ? 100 : most <= 1 && (isShare(name) || spread <= 1) ? 1 : Infinity;
    return lines.at(-1) > limit && most <= limit ? [...lines.slice(0, -1), limit] : lines;
}

/** Why no line leads from one point to the next; nothing where one does. */
function broken(before, after) {
    if (before.rulesVersion !== after.rulesVersion) return after.rulesVersion === null ? texts.compare.rulesUnknown : texts.report.rules(after.rulesVersion);
    if (before.language !== after.language) return language.of(after.language);
    return before.comparable === after.comparable ? null : words.otherMeasuring;
}

/** The values of a measure, the oldest first; where another rule begins, another line does. */
export function series(name, points, range) {
    const known = points.filter((point) => point.valid);
    if (!known.length) return h("p", { class: "soft" }, words.noValues);
    const height = 150;
    const lines = scale(name, [...known.map((point) => point.value), ...(range ? [range.low, range.high] : [])]);
    const [low, high] = [lines[0], lines.at(-1)];
    const y = (value) => round(height - ((value - low) / (high - low || 1)) * height);
    const breaks = known.map((point, place) => place > 0 && broken(known[place - 1], point));
    const step = isShare(name) ? (value) => written(name, value) : (value) => number(value, 2);
    const hasHollow = known.some((point) => !point.comparable);
    const told = words.chart(nameOf(name), known.length, written(name, known[0].value), written(name, known.at(-1).value), breaks.filter(Boolean).length);
    const draw = (width) => {
        const x = (place) => round(known.length === 1 ? width / 2 : 50 + (place / (known.length - 1)) * (width - 70));
        const path = known.map((point, place) => `${place && !breaks[place] ? "L" : "M"}${x(place)} ${y(point.value)}`).join("");
        return frame(width, height, told, lines.map((value) => [y(value), step(value)]),
            range && s("rect", { class: "area", x: 34, width: width - 34, y: y(range.high), height: round(y(range.low) - y(range.high)) }),
            breaks.map((text, place) => {
                if (!text) return null;
                const middle = round((x(place - 1) + x(place)) / 2);
                return [s("line", { class: "break", x1: middle, x2: middle, y1: -6, y2: height }), s("text", { x: middle + (middle > width - 90 ? -4 : 4), y: 14, "text-anchor": middle > width - 90 ? "end" : "start" }, text)];
            }),
            s("path", { class: "line", d: path }),
            known.map((point, place) => s("circle", { class: point.comparable ? "dot" : "dot hollow", cx: x(place), cy: y(point.value), r: known.length > 40 ? 3 : 5 })),
            [...new Set([0, known.length - 1])].map((place) => s("text", { x: x(place), y: height + 17, "text-anchor": known.length === 1 ? "middle" : place ? "end" : "start" }, day(known[place].createdAt))));
    };
    return h("figure", { class: "stack tight" }, fluid(draw),
        h("p", { class: "small soft" }, [hasHollow && words.hollow, range && words.area].filter(Boolean).join(" ")),
        table([words.date, nameOf(name), words.compared], [...points].reverse().map((point) => [
            h("a", { href: `#/report/${point.sessionId}` }, day(point.createdAt)), point.valid ? written(name, point.value) : texts.report.notJudged,
            point.comparable ? words.yes : reasons(point.reasons).join(" "),
        ])));
}

/** How many recordings there were in each of some days, weeks or months. */
export function columns(told, rows) {
    const height = 110;
    const most = Math.max(2, ...rows.map((row) => row.recordings));
    const y = (value) => round(height - (value / most) * height);
    const draw = (width) => {
        const room = (width - 56) / rows.length;
        const wide = Math.max(2, Math.min(room - 3, 40));
        const x = (place) => 38 + place * room;
        const step = every(rows.length, width);
        return frame(width, height, told, [[y(most), String(most)], [height, "0"]],
            rows.map((row, place) => [
                row.recordings > 0 && s("rect", { class: "column", x: round(x(place) + (room - wide) / 2), y: y(row.recordings), width: round(wide), height: round(height - y(row.recordings)), rx: Math.min(4, wide / 3) }),
                (rows.length - 1 - place) % step === 0 && s("text", { x: round(x(place) + room / 2), y: height + 17, "text-anchor": "middle" }, row.short),
            ]));
    };
    return h("figure", { class: "stack tight" }, fluid(draw),
        table([words.when, words.recordings, words.minutes], rows.filter((row) => row.recordings > 0).reverse().map((row) => [row.name, String(row.recordings), number(row.seconds / 60)])));
}
