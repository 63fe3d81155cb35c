// Signing in and up, and the pages for what mails bring.
import { h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, field, form, note, title } from "/web/pieces.js";
import * as providers from "/web/providers.js";
import { setUp } from "/web/factor.js";

const words = texts.auth;
const email = () => field(words.email, { type: "email", name: "email", autocomplete: "email", required: true, maxlength: 254, inputmode: "email", autocapitalize: "none" });
const code = (value) => field(words.mailed, { name: "code", autocomplete: "one-time-code", required: true, autocapitalize: "none", spellcheck: "false", value: value ?? "" });
const fresh = () => field(words.newPassword, { type: "password", name: "password", autocomplete: "new-password", required: true, minlength: 8 }, words.passwordHint);
const page = (name, lead, ...rest) => [h("header", { class: "stack tight" }, title(name), lead && h("p", { class: "lead" }, lead)), ...rest];
const para = (...children) => h("p", {}, children);
const to = (path, text) => h("a", { href: `#/${path}` }, text);

// Other ways in stand below the form as soon as they are known; without them the form does what it can.
function others(label) {
    const place = h("div");
    providers.offered().then((list) => list.length && place.replaceChildren(h("p", { class: "or" }, words.or), providers.buttons("sign-in", list, label))).catch(() => {});
    return place;
}

/** Goes on with a sign-in that needs more; false where an error is something else. */
async function proceed(error, card, go) {
    const { ticket } = error.document ?? {};
    if (error.code === "second-factor-needed" && ticket) askCode(card, ticket, go);
    else if (error.code === "second-factor-required" && ticket) await enrol(card, ticket, go);
    else return false;
    return true;
}

// The view of a mail's code that nobody was signed in for; whoever signs in then comes back to it.
let wanted = null;
const arrive = (go) => {
    const view = wanted ?? "record";
    wanted = null;
    go(view);
};

/** Whether a mail can have been to whoever is here; to a device without an account it was not. */
const hasAccount = () => api.user !== null && api.user.kind !== "device";

/** Sends whoever has no account here to sign in first, and back. */
function signInFirst(view) {
    wanted = view;
    return page(words.verifyTitle, words.verifySignIn, h("div", {}, h("a", { class: "button", href: "#/sign-in" }, words.signInTitle)));
}

const shows = {
    provider: ({ answer, go }) => providers.show({ answer, go, proceed: (error, card) => proceed(error, card, go) }),
    "sign-in": ({ go }) => {
        const name = email();
        const password = field(words.password, { type: "password", name: "password", autocomplete: "current-password", required: true });
        const card = h("div", { class: "card" });
        card.append(form([name, password], words.signInTitle, async () => {
            try {
                await api.signIn(name.input.value.trim(), password.input.value);
                arrive(go);
            } catch (error) {
                if (!(await proceed(error, card, go))) throw error;
            }
        }), para(to("forgot", words.forgot)), others(words.signInWith));
        return page(words.signInTitle, api.user?.kind === "device" ? words.signInBrings : words.signInLead, card, para(words.noAccount, " ", to("sign-up", words.signUpTitle)));
    },
    "sign-up": ({ go }) => {
        const name = field(`${words.name} (${words.optional})`, { name: "name", autocomplete: "name", maxlength: 100 });
        const address = email();
        const password = fresh();
        return page(words.signUpTitle, api.user ? words.signUpKeeps : words.signUpLead,
            h("div", { class: "card" }, form([name, address, password], words.signUpTitle, async () => {
                await api.signUp(address.input.value.trim(), password.input.value, name.input.value.trim());
                go(api.user ? "verify" : "sign-in");
            }), others(words.goOnWith)), para(words.haveAccount, " ", to("sign-in", words.signInTitle)));
    },
    forgot: ({ go }) => {
        const address = email();
        return page(words.forgotTitle, words.forgotLead,
            h("div", { class: "card" }, form([address], words.sendCode, async () => {
                await api.call("POST", "/v1/auth/password-reset", { email: address.input.value.trim() }, { open: true });
                go("reset");
            })), para(to("reset", words.haveCode)));
    },
    reset: (more) => {
        const given = code(more.code);
        const password = fresh();
        const said = h("div");
        const card = h("div", { class: "card" }, form([given, password], words.save, async () => {
            await api.call("POST", "/v1/auth/password", { resetToken: given.input.value.trim(), newPassword: password.input.value }, { open: true });
            more.done();
            card.replaceChildren(said, h("div", {}, h("a", { class: "button", href: "#/sign-in" }, words.signInTitle)));
            note(said, words.resetDone);
        }));
        return page(words.forgotTitle, more.code ? null : words.resetLead, card);
    },
    verify: (more) => {
        if (!hasAccount()) return signInFirst(more.name);
        const given = code(more.code);
        const said = h("div");
        const again = () => api.call("POST", "/v1/auth/verify-email", {}).then(() => note(said, words.verifySent));
        const card = h("div", { class: "card" }, form([given], words.verify, async () => {
            await api.call("POST", "/v1/auth/verify-email", { token: given.input.value.trim() });
            more.done();
            await api.reread();
            note(said, words.verifyDone);
            more.go("record");
        }, h("a", { class: "button quiet", href: "#/record" }, words.verifyLater)), said, h("div", {}, act(words.verifyAgain, "plain", again, said)));
        return page(words.verifyTitle, words.verifyLead(api.user.email), card);
    },
    "new-address": (more) => {
        if (!hasAccount()) return signInFirst(more.name);
        const given = code(more.code);
        return page(words.newTitle, words.newLead, h("div", { class: "card" }, form([given], words.verify, async () => {
            const { change } = await api.call("POST", "/v1/me/email", { token: given.input.value.trim() });
            more.done();
            await api.reread();
            more.go(change ? "old-address" : "account");
        })));
    },
    // The current address agrees to the new one. Who cannot read its mail waits.
    "old-address": (more) => {
        if (!hasAccount()) return signInFirst(more.name);
        const given = code(more.code);
        const card = h("div", { class: "card" }, form([given], words.verify, async () => {
            await api.call("POST", "/v1/me/email", { oldAddressToken: given.input.value.trim() });
            more.done();
            await api.reread();
            more.go("account");
        }, h("a", { class: "button quiet", href: "#/account" }, words.verifyLater)));
        return page(words.oldTitle, words.oldLead, card);
    },
    "keep-address": (more) => {
        const given = code(more.code);
        const said = h("div");
        const card = h("div", { class: "card" }, form([given], words.keep, async () => {
            await api.call("POST", "/v1/auth/keep-email", { token: given.input.value.trim() }, { open: true });
            more.done();
            card.replaceChildren(said, h("div", {}, h("a", { class: "button", href: "#/reset" }, words.haveCode)));
            note(said, words.keepDone);
        }));
        return page(words.keepTitle, words.keepLead, card);
    },
};

/** This server wants a second factor of every account: it is set up before anybody is let in. */
async function enrol(card, ticket, go) {
    const secret = await api.call("POST", "/v1/auth/second-factor/enrolment", { ticket }, { open: true });
    const place = h("div", { class: "stack" });
    card.replaceChildren(h("h2", {}, texts.factor.needed), h("p", { class: "soft" }, texts.factor.lead), place);
    setUp(place, secret, async (code) => (await api.secondFactor(ticket, code)).recoveryCodes, () => arrive(go));
}

function askCode(card, ticket, go) {
    const given = field(words.code, { name: "code", autocomplete: "one-time-code", required: true, inputmode: "text", autocapitalize: "none" });
    card.replaceChildren(h("h2", {}, words.codeTitle), h("p", { class: "soft" }, words.codeLead), form([given], words.go, async () => {
        await api.secondFactor(ticket, given.input.value.trim());
        arrive(go);
    }));
    given.input.focus();
}

export const show = (more) => {
    const shown = shows[more.name](more);
    return shown.elements ? shown : { narrow: true, elements: shown };
};
