// What a figure is called, and how its values are written.
import { number, percent } from "/web/dom.js";
import { texts } from "/web/texts.en.js";

const language = document.documentElement.lang;
const endings = [["Pct", " %"], ["Seconds", " s"], ["Sec", " s"], ["Hz", " Hz"], ["Dbfs", " dBFS"], ["Db", " dB"], ["Lufs", " LUFS"], ["Semitones", " st"], ["Px", " px"]];

/** `eyeContact` as "Eye contact", for what the catalogue does not know yet. */
export function spoken(name) {
    const text = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\./g, ", ");
    return text[0].toUpperCase() + text.slice(1);
}

export const nameOf = (name) => texts.measures[name]?.[0] ?? texts.goals.measures[name] ?? spoken(name);

/** The same in the middle of a sentence. */
export function spokenOf(name) {
    const text = nameOf(name);
    return /^(?:[A-Z][a-z]|A )/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
}

/** What a kind of session is called. */
export const kindOf = (kind) => texts.kinds[kind] ?? spoken(kind.replaceAll("-", " "));

/** Whether the API says from 0 to 1 what people read as a percentage. */
export const isShare = (name) => name === "eyeContactPct";

/** A value with its unit; a dash where there is none. */
export function written(name, value) {
    if (value === null || value === undefined) return "–";
    if (isShare(name)) return percent(value);
    return number(value, 2) + (endings.find(([end]) => name.endsWith(end))?.[1] ?? "");
}

/** How far a value moved, with its sign. */
export function moved(name, change) {
    const signed = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 2, signDisplay: "exceptZero" }).format(value);
    if (isShare(name)) return texts.compare.points(signed(Math.round(change * 100)));
    return signed(change) + (endings.find(([end]) => name.endsWith(end))?.[1] ?? "");
}

/** How large a change is, whichever way it went. */
export const size = (name, change) => moved(name, Math.abs(change)).replace(/^\+/, "");

/** "a, b and c". */
export const listed = (names) => new Intl.ListFormat(language).format(names);
