// Signing in with Google or Apple: whoever wants to goes there, and comes back with a code. Nothing of theirs is loaded here.
import { h, put, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";
import { act, link, problemBox, title } from "/web/pieces.js";

const words = texts.providers;
// What the way back is bound to: this tab, until it was used.
const kept = "mirrormate.provider";
const back = () => `${location.origin}/`;
const random = (count) => text(crypto.getRandomValues(new Uint8Array(count)));
const text = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Those that this server has set up; none where the browser cannot make the proof that binds the code (no https). */
export async function offered() {
    if (!globalThis.crypto?.subtle) return [];
    return (await api.call("GET", "/v1/auth/providers", undefined, { open: true })).items;
}

/** Goes to a provider; `purpose` is what is done with the code: `sign-in` or `link`. */
export async function leaveFor({ provider, clientId, authorizationUrl }, purpose) {
    const { nonce } = await api.call("POST", "/v1/auth/nonce", undefined, { open: purpose === "sign-in" });
    const [state, verifier] = [random(16), random(32)];
    const challenge = text(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
    sessionStorage.setItem(kept, JSON.stringify({ provider, purpose, nonce, state, verifier }));
    const question = new URLSearchParams({
        client_id: clientId, redirect_uri: back(), response_type: "code", state, nonce, code_challenge: challenge, code_challenge_method: "S256",
        // Apple tells an address only to a form of the server's, so an account that begins with it has none.
        ...(provider === "google" ? { scope: "openid email", prompt: "select_account" } : {}),
    });
    location.assign(`${authorizationUrl}?${question}`);
    // The page stays as it is until it goes.
    await new Promise(() => {});
}

/** A button for each provider that is set up; nothing where none is. */
export function buttons(purpose, list, label) {
    const place = h("div");
    return list.length > 0 && h("div", { class: "stack tight" },
        list.map((one) => act(label(words.names[one.provider]), "quiet", () => leaveFor(one, purpose), place)), place);
}

/** Ends what `leaveFor` began. */
export async function finish(answer) {
    const mine = JSON.parse(sessionStorage.getItem(kept) ?? "null");
    sessionStorage.removeItem(kept);
    // Somebody else may have sent this browser here, to have it sign in as themselves.
    if (!mine || mine.state !== answer.state || !answer.code) return null;
    const shown = { code: answer.code, codeVerifier: mine.verifier, redirectUri: back(), nonce: mine.nonce };
    if (mine.purpose === "link") {
        await api.confirmed(() => api.call("POST", "/v1/me/identities", { provider: mine.provider, ...shown }));
        return "account";
    }
    await api.signInWith(mine.provider, { ...shown, timeZone: zone });
    return "record";
}

export function show({ answer, go, proceed }) {
    const place = h("div", { class: "stack" });
    const heading = title(words.title);
    const again = () => put(place, h("p", {}, words.notDone), h("div", {}, api.user?.email ? link("#/account", texts.nav.account) : link("#/sign-in", texts.nav.signIn)));
    const work = async () => {
        try {
            const next = answer && (await finish(answer));
            if (next) go(next);
            else again();
        } catch (error) {
            if (await proceed(error, place)) return;
            put(place, problemBox(error, link(api.user?.email ? "#/account" : "#/sign-in", texts.again, "small-button")));
        }
    };
    put(place, h("p", { class: "soft" }, texts.loading));
    work();
    return { narrow: true, elements: [heading, h("div", { class: "card" }, place)] };
}
