// Elements are made by calls, never from text: the page's policy forbids everything else.
const drawn = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
    for (const [name, value] of Object.entries(properties ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "style") Object.entries(value).forEach(([key, text]) => element.style.setProperty(key, text));
        else if (name === "value" || name === "srcObject" || name === "muted" || name === "checked") element[name] = value;
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    add(element, children);
    return element;
}

function add(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child !== undefined && child !== null && child !== false) element.append(child);
    }
}

/** An element of HTML. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An element of SVG. */
export const s = (tag, properties, ...children) => fill(document.createElementNS(drawn, tag), properties, children);

/** Puts other children in the place of those that an element has. */
export function put(element, ...children) {
    element.replaceChildren();
    add(element, children);
    return element;
}

const language = document.documentElement.lang;
const percentage = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

export const percent = (share) => percentage.format(share);
export const number = (value, digits = 1) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
export const day = (time) => date.format(new Date(time));
export const moment = (time) => dateTime.format(new Date(time));

/** A count of bytes as people read it: 12.3 MB. */
export function bytes(count) {
    const place = Math.min(3, Math.floor(Math.log10(Math.max(1, count)) / 3));
    const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][place];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: place ? "short" : "long", maximumFractionDigits: place > 1 ? 1 : 0 }).format(count / 1000 ** place);
}

/** Today only the hour, else day and hour. */
export function soon(time) {
    const then = new Date(time);
    return then.toDateString() === new Date().toDateString() ? hour.format(then) : dateTime.format(then);
}

/** Seconds as 1:05. */
export function clock(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A random id, also where the page has no encryption below it. */
export function uuid() {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

/** Takes a recording from a video before its address is given back. */
export function unload(video, address) {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(address);
}

/** Tells those who hear the page. */
export function say(text) {
    document.getElementById("said").textContent = text;
}
