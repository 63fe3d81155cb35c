// A second factor: what an authenticator app needs, its first code, and the recovery codes, which are shown once.
import { h, put, s, say } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import { act, field, form, note } from "/web/pieces.js";
import { modules } from "/web/qr.js";

const words = texts.factor;

export const codeField = (label = texts.auth.code) =>
    field(label, { name: "code", autocomplete: "one-time-code", required: true, autocapitalize: "none", spellcheck: "false" });

/**
 * The steps from a secret to recovery codes, in the place of what `place` holds.
 *
 * `confirm` gets the first code and gives the recovery codes; `done` is called when they are kept.
 */
export function setUp(place, { secret, address }, confirm, done) {
    const given = codeField(words.firstCode);
    const rows = modules(address);
    const spaced = secret.match(/.{1,4}/g).join(" ");
    const step = (text, ...rest) => h("li", {}, h("div", { class: "stack tight" }, h("p", {}, text), rest));
    put(place, h("ol", { class: "numbered" },
        step(words.scan, rows && picture(rows), h("p", { class: "small soft" }, h("a", { href: address }, words.here)),
            h("details", {}, h("summary", { class: "small" }, words.typed), h("p", {}, h("code", { class: "secret-text" }, spaced)))),
        step(words.enter)),
    form([given], words.confirm, async () => recoveryCodes(place, await confirm(given.input.value.replace(/\s/g, "")), done)));
    place.querySelector("input").focus();
}

/** Dark on light in both looks: cameras want it so. */
function picture(rows) {
    const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
    const size = rows.length + 8;
    return s("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": words.picture, "shape-rendering": "crispEdges" },
        s("rect", { width: size, height: size, fill: "#fff" }), s("path", { d: path, fill: "#000" }));
}

/** Shows recovery codes until whoever sees them says that they are kept. */
export function recoveryCodes(place, codes, done) {
    const said = h("div");
    const heading = h("h3", { tabindex: "-1" }, words.codesTitle);
    const text = `${codes.join("\n")}\n`;
    const save = () => {
        const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
        h("a", { href: address, download: "mirrormate-recovery-codes.txt" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
    };
    put(place, heading, h("p", {}, words.codesLead), h("ul", { class: "codes" }, codes.map((code) => h("li", {}, h("code", {}, code)))),
        h("div", { class: "row" }, navigator.clipboard && act(words.copy, "quiet small-button", () => navigator.clipboard.writeText(text).then(() => note(said, texts.account.copied)), said),
            h("button", { type: "button", class: "quiet small-button", onclick: save }, words.save)), said,
        h("div", {}, h("button", { type: "button", onclick: done }, words.kept)));
    heading.focus();
    say(words.codesTitle);
}
