// The photo of an account: choose one, see it, remove it.
import { h, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, busy, icon, sure } from "/web/pieces.js";

const words = texts.photo;
const types = ["image/jpeg", "image/png", "image/webp"];
const limit = 8 * 1024 * 1024;

/** A picture that has its own words for why it cannot be sent. */
function mistake(file) {
    const code = file.size > limit ? "body-too-large" : types.includes(file.type) ? null : "photo-type-unsupported";
    return code && Object.assign(new Error(code === "body-too-large" ? words.tooLarge : texts.problems[code]), { code: "photo" });
}

/** Sends a picture: the request has its own body, which is not made into JSON. */
async function send(file) {
    // Such a request can be sent once, so a token that is over is renewed before.
    await api.call("GET", "/v1/me");
    const request = new Request("/v1/me/photo", { method: "PUT", body: file });
    return api.call("PUT", request, undefined, { headers: { "Content-Type": file.type }, signal: AbortSignal.timeout(120_000) });
}

/** The section of the account's view; `user` is who is there. */
export function photo(user) {
    const wrong = h("div");
    const frame = h("div", { class: "portrait" });
    let address = null;
    let has = user.photo !== null && user.photo !== undefined;
    let gone = false;
    const empty = () => put(frame, icon("account"));
    const draw = async () => {
        if (address) URL.revokeObjectURL(address);
        address = null;
        choose.textContent = has ? words.change : words.choose;
        remove.hidden = !has;
        if (!has) return empty();
        const blob = await api.file("/v1/me/photo");
        if (gone) return undefined;
        address = URL.createObjectURL(blob);
        return put(frame, h("img", { src: address, alt: words.alt, width: 96, height: 96 }));
    };
    const picker = h("input", { type: "file", accept: types.join(","), hidden: true, "aria-label": words.choose, onchange: () => {
        const [file] = picker.files;
        if (!file) return;
        picker.value = "";
        busy(choose, wrong, async () => {
            const refused = mistake(file);
            if (refused) throw refused;
            frame.setAttribute("aria-busy", "true");
            try {
                await send(file);
            } finally {
                frame.removeAttribute("aria-busy");
            }
            has = true;
            await draw();
            say(words.saved);
        }).finally(() => choose.focus());
    } });
    const choose = h("button", { type: "button", class: "quiet", onclick: () => picker.click() }, words.choose);
    const remove = act(words.remove, "plain danger", async () => {
        if (!(await sure(words.removeTitle, words.removeText, words.remove))) return;
        await api.call("DELETE", "/v1/me/photo");
        has = false;
        await draw();
        say(words.removed);
        choose.focus();
    }, wrong);
    empty();
    busy(choose, wrong, draw);
    return {
        leave: () => {
            gone = true;
            if (address) URL.revokeObjectURL(address);
        },
        element: h("div", { class: "stack" }, h("div", { class: "photo" }, frame, h("div", { class: "stack tight" }, h("h3", {}, words.title), h("p", { class: "small soft" }, words.hint), h("div", { class: "row" }, choose, remove), picker)), wrong),
    };
}
