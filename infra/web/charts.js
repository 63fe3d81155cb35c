// Charts are pictures with a name; the same figures stand beside them as text or in a table.
import { clock, h, number, put, s } from "/web/dom.js";
import { texts } from "/web/texts.en.js";

export const round = (value) => Math.round(value * 100) / 100;

/** An open circle that fills with the score; the range is the thin line within it. */
export function dial(score, range) {
    const point = (share, radius) => {
        const angle = (Math.PI * 3) / 4 + share * Math.PI * 1.5;
        return `${round(50 + radius * Math.cos(angle))} ${round(52 + radius * Math.sin(angle))}`;
    };
    const arc = (from, to, name, width, radius = 44) => s("path", {
        class: name, d: `M${point(from, radius)}A${radius} ${radius} 0 ${to - from > 2 / 3 ? 1 : 0} 1 ${point(to, radius)}`,
        fill: "none", "stroke-width": width, "stroke-linecap": "round",
    });
    const named = score === null ? texts.report.noScore : `${score} ${texts.report.of100}`;
    return s("svg", { class: "dial", viewBox: "0 0 100 92", role: "img", "aria-label": named },
        arc(0, 1, "track", 8),
        range && range.high > range.low && arc(range.low / 100, range.high / 100, "band", 2, 38),
        score > 0 && arc(0, score / 100, "arc", 8),
        s("text", { x: 50, y: 60, "text-anchor": "middle", "font-size": score === null ? 24 : 32 }, score === null ? "–" : String(score)),
        s("text", { x: 50, y: 73, "text-anchor": "middle", class: "under" }, score === null ? texts.report.noScore : texts.report.of100));
}

/** A share of 1 as a bar; its figure stands beside it. */
export function bar(share) {
    return s("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "track", width: 100, height: 6 }), share > 0 && s("rect", { class: "fill", width: round(share * 100), height: 6 }));
}

/** What a chart shows, row by row, for whoever reads rather than looks. All but the first column are figures, and what `prose` names. */
export function table(head, rows, name = texts.report.table, prose = null) {
    const kind = (place) => (place && place !== prose ? "figure" : null);
    return h("details", {}, h("summary", { class: "small" }, name),
        h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name }, h("table", {},
            h("thead", {}, h("tr", {}, head.map((text, place) => h("th", { scope: "col", class: kind(place) }, text)))),
            h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text, place) => (place ? h("td", { class: kind(place) }, text) : h("th", { scope: "row" }, text)))))))));
}

/**
 * A chart that is drawn anew whenever there is more or less room, or the reader's text is larger or smaller.
 *
 * `draw` gets the width. Its unit is a pixel at the usual size of text: so lines fit, and the figures beside them grow with the text.
 */
export function fluid(draw) {
    const place = h("div");
    let drawn = 0;
    const fit = (pixels) => {
        const text = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
        const width = Math.max(180, Math.round(pixels / text));
        if (width === drawn) return;
        drawn = width;
        put(place, draw(width));
    };
    // A guess, until it stands where it is seen.
    fit(Math.min(640, document.documentElement.clientWidth - 84));
    // Not at once: what is drawn has another height, which would be looked at again within the same turn.
    new ResizeObserver(([{ contentRect: { width } }]) => width > 0 && requestAnimationFrame(() => fit(width))).observe(place);
    return place;
}

/** Every how manyth of some names there is room for, each as wide as a short time or day. */
export const every = (count, width) => Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / 56))));

/** The frame of a chart: its name and its lines, each with its figure. */
export function frame(width, height, name, lines, ...children) {
    return s("svg", { class: "chart", viewBox: `0 -8 ${width} ${height + 30}`, role: "img", "aria-label": name },
        lines.map(([y, text]) => [s("line", { class: "grid", x1: 34, x2: width, y1: y, y2: y }), s("text", { x: 28, y: y + 4, "text-anchor": "end" }, text)]), children);
}

const times = (points, x, width, height) => {
    const step = every(points.length, width);
    return points.filter((_, place) => place % step === 0).map((point) => s("text", { x: x(point.t), y: height + 17, "text-anchor": "middle" }, clock(point.t)));
};

/** The rows of a table with the words beside each figure, where any are known. */
function beside(name, rows, said) {
    const words = rows.map(([from, to]) => said(from, to));
    const hasWords = words.some(Boolean);
    return table([texts.report.second, name, ...(hasWords ? [texts.report.saidThen] : [])],
        rows.map(([, , time, value], place) => [clock(time), value, ...(hasWords ? [words[place] || "–"] : [])]), undefined, 2);
}

/** The two ends of a chart with the words that were said there: `name` gets a time and a value of each. */
function ends(points, stretch, name, said) {
    const [most, least] = [points.reduce((one, other) => (other.value > one.value ? other : one)), points.reduce((one, other) => (other.value < one.value ? other : one))];
    const quoted = ({ t }) => {
        const words = said(...stretch(t)).split(" ").filter(Boolean);
        return words.length > 0 && h("q", {}, words.length > mostQuoted ? `${words.slice(0, mostQuoted).join(" ")}…` : words.join(" "));
    };
    const [high, low] = [quoted(most), quoted(least)];
    if (most.value === least.value || !high || !low) return null;
    return h("ul", { class: "ends small" }, h("li", {}, `${name.most(clock(most.t), most.value)}: `, high), h("li", {}, `${name.least(clock(least.t), least.value)}: `, low));
}

const mostQuoted = 10;
// All are of the seconds that begin with their time.
const ofEnergy = (t) => [t, t + 5];
const ofPace = (t) => [t, t + 10];
const ofPitch = (t) => [t, t + 1];

/** How many semitones above or below the middle, with its sign. */
const signed = (semitones) => `${semitones > 0 ? "+" : semitones < 0 ? "\u2212" : ""}${number(Math.abs(semitones))}`;

/** The pitch of the voice, second by second; a gap where it was not heard. `said` gives the words from one second to another. */
export function pitch(points, said) {
    const height = 130;
    const known = points.filter((point) => point.semitones !== null);
    // In half octaves, so that a calm voice does not look like a wild one.
    const most = Math.max(6, Math.ceil(Math.max(...known.map((point) => Math.abs(point.semitones))) / 6) * 6);
    const y = (semitones) => round((height / 2) * (1 - semitones / most));
    const last = Math.max(1, ...points.map((point) => point.t));
    const draw = (width) => {
        const x = (t) => round(48 + (t / last) * (width - 64));
        // A second between two gaps is a dot.
        const line = points.map((point, place) => point.semitones !== null && (place && points[place - 1].semitones !== null
            ? `L${x(point.t)} ${y(point.semitones)}` : `M${x(point.t)} ${y(point.semitones)}h0`)).filter(Boolean).join("");
        return frame(width, height, texts.report.pitch, [[0, signed(most)], [height / 2, "0"], [height, signed(-most)]],
            s("path", { class: "line", d: line }), times(points.filter((point) => point.t % 5 === 0), x, width, height));
    };
    return h("figure", { class: "stack tight" }, h("h3", {}, texts.report.pitch), h("p", { class: "small soft" }, texts.report.pitchLead),
        fluid(draw), ends(known.map(({ t, semitones: value }) => ({ t, value })), ofPitch, texts.report.pitchEnds, said),
        beside(texts.report.semitones, points.map((point) => [...ofPitch(point.t), point.t, point.semitones === null ? texts.report.notHeard : signed(point.semitones)]), said));
}

/** The energy of the voice; a gap where it could not be measured. `said` gives the words from one second to another. */
export function energy(points, said) {
    const last = Math.max(1, ...points.map((point) => point.t));
    const height = 130;
    const y = (value) => round(height - value * height);
    const known = points.filter((point) => point.energy !== null);
    const draw = (width) => {
        const x = (t) => round(48 + (t / last) * (width - 64));
        let line = "";
        points.forEach((point, place) => {
            if (point.energy !== null) line += `${place && points[place - 1].energy !== null ? "L" : "M"}${x(point.t)} ${y(point.energy)}`;
        });
        return frame(width, height, texts.report.energy, [[0, "1"], [height / 2, "0.5"], [height, "0"]],
            s("path", { class: "line", d: line }), known.map((point) => s("circle", { class: "dot", cx: x(point.t), cy: y(point.energy), r: 4 })), times(points, x, width, height));
    };
    return h("figure", { class: "stack tight" }, h("h3", {}, texts.report.energy), h("p", { class: "small soft" }, texts.report.energyLead),
        fluid(draw), ends(known.map(({ t, energy: value }) => ({ t, value })), ofEnergy, texts.report.energyEnds, said),
        beside(texts.report.energy, points.map((point) => [...ofEnergy(point.t), point.t, point.energy === null ? texts.report.notJudged : String(point.energy)]), said));
}

/** The pace, a column for every ten seconds. `said` gives the words from one second to another. */
export function pace(points, said) {
    const height = 130;
    // In whole fifties, so that the lines are easy to read.
    const most = Math.ceil(Math.max(200, ...points.map((point) => point.wordsPerMin)) / 50) * 50;
    const y = (value) => round(height - (value / most) * height);
    const draw = (width) => {
        const room = (width - 50) / points.length;
        const x = (place) => 44 + place * room;
        const wide = Math.max(2, Math.min(room - 6, 56));
        const step = every(points.length, width);
        return frame(width, height, texts.report.pace, [[y(most), String(most)], [y(most / 2), String(Math.round(most / 2))], [height, "0"]],
            points.map((point, place) => [
                s("rect", { class: "column", x: round(x(place) + (room - wide) / 2), y: y(point.wordsPerMin), width: round(wide), height: round(height - y(point.wordsPerMin)), rx: Math.min(4, wide / 3) }),
                place % step === 0 && s("text", { x: round(x(place) + room / 2), y: height + 17, "text-anchor": "middle" }, clock(point.t)),
            ]));
    };
    return h("figure", { class: "stack tight" }, h("h3", {}, texts.report.pace), h("p", { class: "small soft" }, texts.report.paceLead),
        fluid(draw), ends(points.map(({ t, wordsPerMin: value }) => ({ t, value })), ofPace, texts.report.paceEnds, said),
        beside(texts.report.pace, points.map((point) => [...ofPace(point.t), point.t, String(point.wordsPerMin)]), said));
}
