// The search of the description of the API (/docs): what does not have all the words is out of sight, and what leads there too.
import { h } from "/web/dom.js";
import { texts } from "/web/texts.en.js";

const words = texts.searched;
const articles = [...document.querySelectorAll("main article[id]")].map((element) => ({ element, text: element.textContent.toLowerCase() }));
const links = [...document.querySelectorAll("nav li")].map((element) => ({ element, target: element.querySelector("a").hash.slice(1) }));
const sections = [...document.querySelectorAll("main section")];
const groups = [...document.querySelectorAll("nav details")];

const input = h("input", { type: "search", id: "find", autocomplete: "off", spellcheck: "false", "aria-describedby": "found" });
const found = h("p", { class: "soft small", id: "found", role: "status" });
/** Which groups were open before somebody searched. */
let before = null;

function search() {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isSearching = wanted.length > 0;
    let count = 0;
    const shown = new Set();
    for (const { element, text } of articles) {
        element.hidden = !wanted.every((word) => text.includes(word));
        if (element.hidden) continue;
        count += 1;
        shown.add(element.id);
    }
    for (const section of sections) {
        const own = [...section.querySelectorAll("article[id]")];
        section.hidden = isSearching && own.every((one) => one.hidden);
    }
    for (const { element, target } of links) element.hidden = isSearching && !shown.has(target);
    before ??= groups.map((group) => group.open);
    groups.forEach((group, index) => {
        group.hidden = isSearching && [...group.querySelectorAll("li")].every((one) => one.hidden);
        group.open = isSearching || before[index];
    });
    if (!isSearching) before = null;
    found.textContent = isSearching ? words.found(count) : "";
    const address = new URL(location.href);
    if (isSearching) address.searchParams.set("find", input.value);
    else address.searchParams.delete("find");
    history.replaceState(history.state, "", address);
}

document.querySelector("main .lead").after(h("search", {}, h("div", { class: "field" }, h("label", { for: "find" }, words.label), input, found)));
input.addEventListener("input", search);
// Whoever is led to what is out of sight wants to see it.
addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest("[hidden]")) return;
    input.value = "";
    search();
    target.scrollIntoView();
});
const asked = new URLSearchParams(location.search).get("find");
if (asked) {
    input.value = asked;
    search();
}
