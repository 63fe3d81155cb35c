// What somebody has agreed to, and can take back: the terms of use, what providers outside may have, and which mails they want.
import { day, h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, busy } from "/web/pieces.js";

const words = texts.consents;

export async function consents() {
    const [terms, providers, notifications] = await Promise.all([
        api.call("GET", "/v1/me/terms"), api.call("GET", "/v1/consents"), api.call("GET", "/v1/me/notifications")]);
    const outsiders = outside(providers);
    const isNamed = Boolean(terms.current || outsiders);
    return h("section", { class: "card" }, h("h2", {}, isNamed ? words.title : words.mailsTitle), agreement(terms), outsiders, mails(notifications, isNamed));
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

const isSame = (one) => (other) => one.provider === other.provider && one.purpose === other.purpose;

/** What providers may have; a server that names none, and has nothing of before, shows nothing. */
function outside(first) {
    const place = h("fieldset", { class: "plain-set" });
    const wrong = h("div");
    /** Agrees to one, or takes it back. The others stay as they are by now: what was taken back elsewhere meanwhile must not come back from here. */
    const send = async (one, isAgreed) => {
        const { given } = await api.call("GET", "/v1/consents");
        const wanted = [...given.filter((other) => !isSame(one)(other)), ...(isAgreed ? [one] : [])];
        draw(await api.call("PUT", "/v1/consents", { given: wanted.map(({ provider, purpose, version, locale }) => ({ provider, purpose, version, locale })) }));
        say(words.saved);
    };
    const draw = (state) => {
        const over = state.given.filter((one) => !state.offered.some(isSame(one)));
        put(place, h("legend", {}, words.outside), [...state.offered, ...over].map((one, index) => row(one, index, state)), wrong);
    };
    const row = (one, index, { given }) => {
        const agreed = given.find(isSame(one));
        const locale = one.texts && [document.documentElement.lang, "en", ...Object.keys(one.texts)].find((name) => name in one.texts);
        const id = `outside-${index}`;
        const box = h("input", { type: "checkbox", id, checked: Boolean(agreed), disabled: !agreed && !one.texts, "aria-describedby": `${id}-hint`, onchange: () => busy(box, wrong, async () => {
            try {
                await send({ ...one, locale }, box.checked);
            } catch (error) {
                // What is shown is what counts.
                box.checked = Boolean(agreed);
                throw error;
            }
        }) });
        const isOld = agreed && one.texts && !agreed.current;
        return h("div", { class: "choice-row" }, box, h("div", { class: "stack tight" }, h("label", { for: id }, words.letThem(one.provider, one.purpose)),
            h("p", { class: "small soft", id: `${id}-hint`, lang: locale }, one.texts ? one.texts[locale] : words.notOffered),
            agreed && h("p", { class: "small soft" }, words.agreed(day(agreed.givenAt)), isOld && ` ${words.anotherText}`),
            isOld && h("div", {}, act(words.agreeAgain, "", () => send({ ...one, locale }, true), wrong))));
    };
    if (first.offered.length + first.given.length === 0) return null;
    draw(first);
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
