// What several views are made of.
import { h, s, put, soon, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";

const paths = {
    camera: ["M3 7.5A2.5 2.5 0 0 1 5.5 5h8A2.5 2.5 0 0 1 16 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-8A2.5 2.5 0 0 1 3 16.5z", "m16 10.5 5-3v9l-5-3"],
    file: ["M12 16V4m0 0 4.5 4.5M12 4 7.5 8.5", "M4 15v3.5A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5V15"],
    history: ["M9 6.5h11M9 12h11M9 17.5h11", "M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01"],
    progress: ["m3.5 16.5 5.5-5.5 4 3.5 7-7.5", "M15 6.5h5.5V12"],
    practice: ["M12 7v5l3 2", "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z"],
    account: ["M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z", "M4.5 20.5a7.5 7.5 0 0 1 15 0"],
    flag: ["M6 21V4", "M6 4.5c4-2.5 8 2.5 12 0v9c-4 2.5-8-2.5-12 0"],
    down: ["M12 5v14m0 0 5.5-5.5M12 19l-5.5-5.5"],
    same: ["M5 9.5h14M5 14.5h14"],
    check: ["m5 12.5 4.5 4.5L19 7.5"],
    arrow: ["M5 12h14m0 0-5.5-5.5M19 12l-5.5 5.5"],
    lock: ["M6 10.5h12V20H6z", "M8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3"],
    play: ["M8 5.5v13l10.5-6.5z"],
    share: ["M12 15V4m0 0 4.5 4.5M12 4 7.5 8.5", "M7 11.5H5.5V20h13v-8.5H17"],
};

export const icon = (name) =>
    s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, paths[name].map((d) => s("path", { d })));

export const loading = () => h("p", { class: "soft" }, texts.loading);

/** A link to a view that looks like a button. */
export const link = (href, text, kind = "") => h("a", { href, class: `button ${kind}` }, text);

/** What went wrong, in the API's own sentence, and what can be done about it here. */
export function problemBox(error, ...actions) {
    console.debug(error.code ?? error);
    const isKnown = error.code !== undefined;
    const resets = error.document?.resetsAt;
    // The API's own sentence for what a later server has come to know.
    const told = texts.problems[error.code] ?? error.message;
    return h("div", { class: "problem", role: "alert" },
        h("strong", {}, texts.errors.title),
        h("p", {}, isKnown ? told : texts.errors.unknown),
        resets && h("p", {}, texts.quota.resets(soon(resets))),
        error.retryAfter && !resets && h("p", {}, texts.errors.wait(error.retryAfter)),
        actions.length > 0 && h("div", { class: "row" }, actions));
}

/** A button that works once at a time, and shows beside itself what went wrong. */
export function act(text, kind, work, place) {
    const button = h("button", { type: "button", class: kind, onclick: () => busy(button, place, work) }, text);
    return button;
}

export async function busy(button, place, work) {
    button.disabled = true;
    place?.replaceChildren();
    try {
        return await work();
    } catch (error) {
        if (place) put(place, problemBox(error));
        else throw error;
    } finally {
        button.disabled = false;
    }
}

let names = 0;

/** A labelled field. */
export function field(label, properties, hint) {
    const id = `field-${names += 1}`;
    const input = h("input", { id, "aria-describedby": hint && `${id}-hint`, ...properties });
    const shown = properties.type === "password" ? secret(input) : input;
    const element = h("div", { class: "field" }, h("label", { for: id }, label), shown, hint && h("span", { class: "hint", id: `${id}-hint` }, hint));
    return { element, input };
}

/** A labelled choice of one; `options` are values with their names. */
export function select(label, options, chosen, hint) {
    const id = `field-${names += 1}`;
    const input = h("select", { id, "aria-describedby": hint && `${id}-hint` }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
    return { element: h("div", { class: "field" }, h("label", { for: id }, label), input, hint && h("span", { class: "hint", id: `${id}-hint` }, hint)), input };
}

function secret(input) {
    const button = h("button", { type: "button", class: "plain", "aria-pressed": "false", onclick: () => {
        const isHidden = input.type === "password";
        input.type = isHidden ? "text" : "password";
        button.textContent = isHidden ? texts.auth.hide : texts.auth.show;
        button.setAttribute("aria-pressed", String(isHidden));
    } }, texts.auth.show);
    return h("div", { class: "secret" }, input, button);
}

/** A form of fields whose problems stand above its button. */
export function form(fields, submit, work, ...more) {
    const place = h("div");
    const button = h("button", { type: "submit" }, submit);
    return h("form", { novalidate: true, onsubmit: (event) => {
        event.preventDefault();
        const wrong = fields.map((one) => one.input).find((input) => !input.checkValidity());
        if (wrong) {
            wrong.setAttribute("aria-invalid", "true");
            put(place, h("div", { class: "problem", role: "alert" }, h("p", {}, wrong.validationMessage)));
            wrong.focus();
            return;
        }
        fields.forEach((one) => one.input.removeAttribute("aria-invalid"));
        busy(button, place, () => work(place));
    } }, fields.map((one) => one.element), place, h("div", { class: "row" }, button, more));
}

/** Asks in a dialog; resolves with whatever `close` is called with, undefined when it is left. One of the page stays when the view changes. */
export function ask(title, build, { ofPage = false } = {}) {
    return new Promise((resolve) => {
        let answer;
        const close = (value) => {
            answer = value;
            dialog.close();
        };
        const id = `dialog-${names += 1}`;
        const dialog = h("dialog", { "aria-labelledby": id, "data-of-page": ofPage, onclose: () => {
            dialog.remove();
            resolve(answer);
        } }, h("div", {}, h("h2", { id }, title), build(close)));
        document.body.append(dialog);
        dialog.showModal();
    });
}

/** A question with yes and no. */
export const sure = (title, text, yes) => ask(title, (close) => [
    h("p", {}, text),
    h("div", { class: "row" },
        h("button", { type: "button", class: "danger full", onclick: () => close(true) }, yes),
        h("button", { type: "button", class: "quiet", onclick: () => close() }, texts.cancel)),
]);

/** The first heading of a view, which gets the focus when the view is shown. */
export const title = (text) => h("h1", { tabindex: "-1" }, text);

export function note(place, text) {
    put(place, h("p", { class: "note" }, text));
    say(text);
}
