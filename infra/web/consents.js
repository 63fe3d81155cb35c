// What somebody has agreed to, and can take back: the terms of use, and which mails they want.
import { day, h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, busy } from "/web/pieces.js";

const words = texts.consents;

export async function consents() {
    const [terms, notifications] = await Promise.all([api.call("GET", "/v1/me/terms"), api.call("GET", "/v1/me/notifications")]);
    return h("section", { class: "card" }, h("h2", {}, terms.current ? words.title : words.mailsTitle), agreement(terms), mails(notifications, Boolean(terms.current)));
}

/** The terms of use; a server without any shows nothing. */
function agreement(terms) {
    if (!terms.current) return null;
    const place = h("div", { class: "stack tight" });
    const wrong = h("div");
    const draw = ({ current, accepted, mustAccept }) => put(place, h("h3", {}, words.terms),
        h("p", { class: mustAccept ? "warn" : "soft" }, accepted ? words.accepted(accepted.version, day(accepted.acceptedAt)) : words.notAccepted(current), mustAccept && accepted && ` ${words.newer(current)}`),
        mustAccept && h("div", {}, act(words.accept(current), "", async () => {
            draw(await api.call("PUT", "/v1/me/terms", { version: current, locale: document.documentElement.lang }));
            say(words.saved);
        }, wrong)), wrong);
    draw(terms);
    return place;
}

function mails({ mails: wanted, alwaysSent }, isNamed) {
    const wrong = h("div");
    const choices = Object.entries(words.mails).filter(([name]) => name in wanted);
    const boxes = choices.map(([name, [label, hint]]) => {
        const id = `mails-${name}`;
        const box = h("input", { type: "checkbox", id, checked: wanted[name], disabled: alwaysSent.includes(name), "aria-describedby": `${id}-hint`, onchange: () => busy(box, wrong, save) });
        return { name, box, row: h("div", { class: "choice-row" }, box, h("div", {}, h("label", { for: id }, label), h("p", { class: "small soft", id: `${id}-hint` }, hint))) };
    });
    const save = async () => {
        const chosen = Object.fromEntries(boxes.map(({ name, box }) => [name, box.checked]));
        for (const name of alwaysSent) delete chosen[name];
        try {
            await api.call("PUT", "/v1/me/notifications", chosen);
            say(words.saved);
        } catch (error) {
            // What is shown is what counts.
            const { mails: now } = await api.call("GET", "/v1/me/notifications").catch(() => ({ mails: wanted }));
            boxes.forEach(({ name, box }) => { box.checked = now[name]; });
            throw error;
        }
    };
    return h("fieldset", { class: "plain-set" }, h("legend", { class: !isNamed && "unseen" }, words.mailsTitle), boxes.map(({ row }) => row), wrong);
}
