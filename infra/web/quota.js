// How many reports are left, until when, and how that is counted: in the words of `mirrormate explain quota`.
import { h, soon } from "/web/dom.js";
import { texts } from "/web/texts.en.js";

const words = texts.quota;

/** What the plan allows today. */
export function allowance(quota) {
    if (quota.remaining === null) return h("p", { class: "soft" }, words.unlimited);
    const held = quota.reserved > 0 && words.held;
    if (quota.remaining > 0) return h("p", { class: "soft" }, `${words.left(quota.remaining, quota.limit)}.`, " ", held || words.unit);
    return h("p", { class: "warn" }, h("strong", {}, `${words.none}. `), quota.resetsAt && words.resets(soon(quota.resetsAt)), " ", held);
}

/** Why it is so many: what is held and used in each window, and what else is limited. */
export function counted(quota) {
    const until = ({ resetsAt }) => (resetsAt ? words.until(soon(resetsAt)) : "");
    const windows = Object.entries(quota.windows ?? { "": quota }).map(([span, one]) =>
        words.counted(one.reserved, one.used, one.limit ?? words.noLimit, words.spans[span] ?? span) + until(one));
    const caps = Object.entries(quota.caps ?? {}).map(([name, cap]) => (cap.withinSeconds ? words.within(cap.taken, cap.limit, cap.withinSeconds) : words.caps[name]?.(cap.taken, cap.limit) ?? name));
    return h("details", {}, h("summary", { class: "small" }, h("span", {}, words.why)), h("div", { class: "stack tight small" },
        h("ul", { class: "stack tight" }, [...windows, ...caps].map((text) => h("li", {}, `${text}.`))), h("p", { class: "soft" }, words.means)));
}
