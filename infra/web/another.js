// The question whether to go on as somebody else, whose cookie is there now.
import { h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import { act, ask as asked } from "/web/pieces.js";

const words = texts.another;

/** Asks until it is answered: to leave the question is no answer. Gives whether to go on as `next`; `leave` signs them out. */
export async function ask(next, leave) {
    for (;;) {
        const agreed = await asked(words.title, (close) => {
            const place = h("div");
            const name = next.email ?? next.displayName ?? words.nameless;
            return [
                h("p", {}, words.text(name)), place,
                h("div", { class: "row" },
                    h("button", { type: "button", class: "full", onclick: () => close(true) }, words.goOn(name)),
                    act(words.leave, "quiet", async () => {
                        await leave();
                        close(false);
                    }, place)),
            ];
        }, { ofPage: true });
        if (agreed !== undefined) return agreed;
    }
}
