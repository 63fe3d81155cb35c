// Who is there, what they may do, and how they leave.
import { day, h, moment, put, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, ask, field, form, icon, link, note, sure, title } from "/web/pieces.js";
import { allowance, counted } from "/web/quota.js";
import { consents } from "/web/consents.js";
import { photo } from "/web/photo.js";
import { safety } from "/web/safety.js";

const words = texts.account;
api.askBy(proof);
// What an erasure answered; it is shown once, for nobody is signed in any more.
let receipt = null;

export async function show({ name, go }) {
    if (name === "receipt") return shownReceipt();
    const [{ user }, quota, logins] = await Promise.all([api.call("GET", "/v1/me"), api.call("GET", "/v1/quota"), api.call("GET", "/v1/me/login-sessions")]);
    const anonymous = user.kind === "device";
    const [safe, agreed] = await Promise.all([anonymous ? null : safety(go), anonymous ? null : consents()]);
    const out = h("div");
    const portrait = anonymous ? null : photo(user);
    return { leave: portrait?.leave, elements: [
        h("header", {}, title(words.title)),
        anonymous ? h("section", { class: "card accent" }, h("h2", {}, words.anonymous), h("p", {}, words.anonymousText), h("div", { class: "row" }, link("#/sign-up", words.leaveKeep))) : person(user, portrait.element),
        h("section", { class: "card" }, h("h2", {}, words.plan), h("p", {}, h("strong", {}, words.plans[quota.plan] ?? quota.plan)), allowance(quota), counted(quota)),
        safe,
        devices(logins.items),
        agreed,
        data(),
        h("section", { class: "card" },
            h("div", { class: "row" }, anonymous ? act(words.leave, "quiet", leave, out) : act(words.signOut, "quiet", api.signOut, out)), out,
            h("hr", { style: { width: "100%", border: "0", "border-top": "1px solid var(--line)" } }),
            h("h2", {}, words.erase), h("p", { class: "soft" }, words.eraseText), erase(go)),
    ] };
}

async function leave() {
    const kept = await ask(words.leaveTitle, (close) => [h("p", {}, words.leaveText), h("div", { class: "row" },
        h("button", { type: "button", class: "danger full", onclick: () => close(true) }, words.leaveDo),
        h("button", { type: "button", class: "quiet", onclick: () => close() }, texts.cancel))]);
    if (kept) await api.signOut();
}

const fact = (name, ...text) => h("div", {}, h("dt", {}, name), h("dd", {}, text));

function person(user, portrait) {
    const place = h("div");
    const name = field(words.name, { name: "name", autocomplete: "name", maxlength: 100, value: user.displayName ?? "" });
    const shown = h("dd", {}, user.displayName ?? "–");
    return h("section", { class: "card" }, h("h2", {}, words.you), portrait, h("dl", { class: "facts" },
        h("div", {}, h("dt", {}, words.name), shown),
        fact(words.email, user.email ?? words.noEmail, user.email && ` · ${user.emailVerified ? words.confirmed : words.unconfirmed} `, user.email && !user.emailVerified && h("a", { href: "#/verify" }, words.confirmNow)),
        fact(words.zone, user.timeZone), fact(words.since, day(user.createdAt))),
    h("details", {}, h("summary", {}, words.edit), form([name], words.save, async () => {
        const { user: changed } = await api.call("PATCH", "/v1/me", { displayName: name.input.value.trim() || null });
        shown.textContent = changed.displayName ?? "–";
        note(place, words.saved);
    }), place));
}

/** What is kept of somebody, and who else may see some of it: a view of its own for each. */
function data() {
    const place = h("div");
    const fetched = (form) => async () => {
        const blob = await api.file(`/v1/practice/export?format=${form}`);
        const address = URL.createObjectURL(blob);
        h("a", { href: address, download: `mirrormate-practice.${form}` }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
        note(place, words.exported);
    };
    return h("section", { class: "card" }, h("h2", {}, words.data),
        h("ul", { class: "list" }, Object.entries(words.dataViews).map(([view, [name, text]]) => h("li", {}, h("a", { class: "entry", href: `#/${view}` }, h("div", {}, h("h3", {}, name), h("p", { class: "small soft" }, text)), icon("arrow"))))),
        h("p", { class: "soft" }, words.dataText), h("div", { class: "row" }, act(words.exportTable, "quiet", fetched("csv"), place), act(words.exportPrograms, "quiet", fetched("json"), place)), place);
}

function devices(items) {
    const place = h("div");
    const list = h("ul", { class: "list" });
    const end = (id, row) => async () => {
        await api.call("DELETE", `/v1/me/login-sessions/${id}`);
        row.remove();
        say(words.ended);
    };
    for (const item of items) {
        const row = h("li", { class: "item" }, h("div", {}, h("p", {}, h("strong", {}, browser(item.device)), item.current && [" ", h("span", { class: "chip" }, words.thisOne)]), h("p", { class: "small soft" }, words.lastUsed(moment(item.lastUsedAt)))));
        if (!item.current) row.append(act(words.end, "quiet small-button", end(item.id, row), place));
        list.append(row);
    }
    const all = items.length > 2 && act(words.endAll, "plain", async () => {
        await api.call("DELETE", "/v1/me/login-sessions");
        [...list.children].forEach((row, index) => !items[index].current && row.remove());
        all.remove();
        say(words.ended);
    }, place);
    return h("section", { class: "card" }, h("h2", {}, words.logins), h("p", { class: "small soft" }, words.loginsText), list, all && h("div", {}, all), place);
}

/** A browser's own name is long and says little: which one, and on what. */
function browser(text) {
    if (!text) return words.unnamed;
    const program = [["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]].find(([mark]) => text.includes(mark));
    const system = [["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Mac OS X", "Mac"], ["Windows", "Windows"], ["Linux", "Linux"]].find(([mark]) => text.includes(mark));
    return program ? [program[1], system?.[1]].filter(Boolean).join(", ") : text;
}

function erase(go) {
    const place = h("div");
    return h("div", { class: "stack" }, h("div", {}, act(words.erase, "quiet danger", async () => {
        if (!(await sure(words.eraseTitle, words.eraseText, words.eraseDo))) return;
        const { erasure } = await api.confirmed(() => api.call("DELETE", "/v1/me"));
        receipt = erasure;
        // The address first: whoever is nobody is sent to the start from everywhere else.
        history.replaceState(null, "", "#/receipt");
        api.erased();
        go("receipt");
    }, place)), place);
}

/** What an erasure came to, service by service until all have finished, and the address where that can be read later. */
function shownReceipt() {
    if (!receipt) return [title(texts.errors.notFoundTitle), h("p", {}, texts.errors.notFound)];
    const { url, expiresAt } = receipt.receipt ?? {};
    const said = h("div");
    const list = h("ul", { class: "stages" });
    const heading = title("");
    let timer = 0;
    const draw = ({ complete, services }) => {
        heading.textContent = complete ? words.erasedAll : words.erasedTitle;
        put(list, services.map(({ service, state }) => h("li", { class: state === "done" ? "done" : "now" }, h("i", { "aria-hidden": "true" }, state === "done" && icon("check")),
            h("span", {}, words.erasedIn[service] ?? service, h("span", { class: "unseen" }, ` ${state === "done" ? words.erasedDone : words.erasedOpen}`)))));
        if (!complete && url) timer = setTimeout(look, 2000);
    };
    const look = async () => {
        try {
            const { erasure } = await api.call("GET", api.here(url), undefined, { open: true });
            draw(erasure);
            if (erasure.complete) say(words.erasedAll);
        } catch {
            // It goes on meanwhile, and the address says it later, too.
            timer = setTimeout(look, 4000);
        }
    };
    draw(receipt);
    const copy = () => navigator.clipboard.writeText(url).then(() => note(said, words.copied));
    return { leave: () => clearTimeout(timer), elements: [heading, h("section", { class: "card" }, list),
        url && h("section", { class: "card" }, h("h2", {}, words.receipt), h("p", {}, words.erasedText),
            h("p", {}, h("a", { href: url, class: "small" }, url)), h("p", { class: "small soft" }, words.until(day(expiresAt))),
            h("div", { class: "row" }, navigator.clipboard && act(words.copy, "quiet", copy, said)), said), h("div", {}, link("#/", words.done))] };
}

/** Asks for the password, or a mailed code, and where there is one for the second factor. */
function proof() {
    return ask(words.confirmTitle, (close) => {
        const secret = field(words.passwordOrCode, { type: "password", autocomplete: "current-password", required: true });
        const factor = field(words.confirmFactor, { autocomplete: "one-time-code" });
        factor.element.hidden = true;
        const place = h("div");
        let mailed = false;
        return [h("p", {}, words.confirmLead), form([secret, factor], words.confirmDo, async () => {
            const more = factor.input.value ? (/^\d{6}$/.test(factor.input.value.trim()) ? { code: factor.input.value.trim() } : { recoveryCode: factor.input.value.trim() }) : {};
            try {
                await api.confirm({ ...(mailed ? { token: secret.input.value.trim() } : { password: secret.input.value }), ...more });
                close(true);
            } catch (error) {
                if (error.code !== "second-factor-needed") throw error;
                factor.element.hidden = false;
                factor.input.focus();
            }
        }), h("div", { class: "row" }, act(words.confirmMail, "plain", async () => {
            await api.confirm({});
            mailed = true;
            note(place, words.confirmMailed);
        }, place), h("button", { type: "button", class: "plain", onclick: () => close() }, texts.cancel)), place];
    });
}
