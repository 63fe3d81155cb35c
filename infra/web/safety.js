// What protects an account: the password, the address, a second factor, and other ways of signing in.
import { day, h, put } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, field, form, note, sure } from "/web/pieces.js";
import { recoveryCodes, setUp } from "/web/factor.js";
import * as providers from "/web/providers.js";

const words = texts.account;

export async function safety(go) {
    const [{ secondFactor }, { items }, offered, { change }] = await Promise.all([
        api.call("GET", "/v1/me/second-factor"), api.call("GET", "/v1/me/identities"), providers.offered(), api.call("GET", "/v1/me/email/change")]);
    return h("section", { class: "card" }, h("h2", {}, words.safety), password(), address(go, change), factor(secondFactor), ways(items, offered));
}

function password() {
    const said = h("div");
    const current = field(words.current, { type: "password", autocomplete: "current-password", required: true });
    const next = field(texts.auth.newPassword, { type: "password", autocomplete: "new-password", required: true, minlength: 8 }, texts.auth.passwordHint);
    return h("details", {}, h("summary", {}, words.password), form([current, next], words.save, async () => {
        await api.call("POST", "/v1/auth/password", { currentPassword: current.input.value, newPassword: next.input.value });
        current.input.value = next.input.value = "";
        note(said, words.passwordSaved);
    }), said);
}

/** Another address, or the one that waits for the current address. */
function address(go, change) {
    if (change) {
        const wrong = h("div");
        return h("details", { open: true }, h("summary", {}, words.address), h("p", {}, words.addressWaits(change.email, day(change.takesEffectAt))),
            h("div", { class: "row" }, h("a", { class: "button quiet", href: "#/old-address" }, words.addressCode), act(words.addressStays, "quiet danger", async () => {
                await api.confirmed(() => api.call("DELETE", "/v1/me/email/change"));
                go("account");
            }, wrong)), wrong);
    }
    const given = field(words.newAddress, { type: "email", autocomplete: "email", required: true, maxlength: 254 });
    return h("details", {}, h("summary", {}, words.address), form([given], words.address, async () => {
        await api.confirmed(() => api.call("POST", "/v1/me/email", { email: given.input.value.trim() }));
        go("new-address");
    }));
}

function factor(standing) {
    const words = texts.factor;
    const place = h("div", { class: "stack" });
    const wrong = h("div");
    const state = h("span", { class: "chip" });
    const draw = (now) => {
        state.textContent = now ? words.on : words.off;
        if (!now) {
            put(place, h("p", { class: "soft" }, words.lead), h("div", {}, act(words.begin, "", begin, wrong)), wrong);
            return;
        }
        put(place, h("p", { class: "soft" }, `${words.since(day(now.since))} ${words.left(now.recoveryCodesLeft)}`),
            h("div", { class: "row" }, act(words.newCodes, "quiet", renew, wrong), act(words.remove, "quiet danger", remove, wrong)), wrong);
    };
    const redraw = async () => draw((await api.call("GET", "/v1/me/second-factor")).secondFactor);
    const begin = async () => {
        const secret = await api.confirmed(() => api.call("POST", "/v1/me/second-factor", {}));
        setUp(place, secret, async (code) => {
            const { recoveryCodes: codes } = await api.call("POST", "/v1/me/second-factor/confirm", { code });
            // It is, before they are kept.
            state.textContent = words.on;
            return codes;
        }, redraw);
    };
    const renew = async () => {
        const { recoveryCodes: codes } = await api.confirmed(() => api.call("POST", "/v1/me/second-factor/recovery-codes", {}));
        recoveryCodes(place, codes, redraw);
    };
    const remove = async () => {
        if (!(await sure(words.removeTitle, words.removeText, words.remove))) return;
        await api.confirmed(() => api.call("DELETE", "/v1/me/second-factor"));
        await redraw();
    };
    draw(standing);
    return h("details", {}, h("summary", {}, words.title, state), place);
}

/** Google and Apple, where this server knows them or the account is connected to them. */
function ways(items, offered) {
    const words = texts.providers;
    if (!items.length && !offered.length) return null;
    const list = h("ul", { class: "list" });
    const wrong = h("div");
    const draw = (items) => put(list,
        items.map(({ provider, linkedAt }) => h("li", { class: "item" },
            h("div", {}, h("p", {}, h("strong", {}, words.names[provider])), h("p", { class: "small soft" }, words.since(day(linkedAt)))),
            act(words.unlink, "quiet small-button", async () => {
                await api.confirmed(() => api.call("DELETE", `/v1/me/identities/${provider}`));
                draw((await api.call("GET", "/v1/me/identities")).items);
            }, wrong))),
        offered.filter((one) => !items.some(({ provider }) => provider === one.provider)).map((one) => h("li", { class: "item" },
            h("p", {}, words.names[one.provider]), act(words.link, "quiet small-button", () => providers.leaveFor(one, "link"), wrong))));
    draw(items);
    return h("details", {}, h("summary", {}, words.ways), h("p", { class: "soft" }, words.waysText), list, wrong);
}
