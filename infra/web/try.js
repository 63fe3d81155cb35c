// The description of the API (/docs), where each call can be tried with the page's own token: what stands there gets a form.
import { bytes, h, number, put, uuid, zone } from "/web/dom.js";
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";

const words = texts.tried;
/** Of an answer no more is shown. */
const mostShown = 200_000;

let described = null;
/** What the API says of itself; asked for once somebody wants to try it. */
function description() {
    described ??= api.tried("GET", "/openapi.json", { open: true }).then((response) => {
        if (!response.ok) throw new Error(texts.errors.unknown);
        return response.json();
    }).catch((error) => {
        described = null;
        throw error;
    });
    return described;
}

function operationOf({ paths, components }, id) {
    for (const [path, methods] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(methods)) {
            if (operation.operationId === id) return { ...operation, path, method: method.toUpperCase(), schemas: components.schemas };
        }
    }
    return null;
}

/** A value that a schema takes, as something to begin with: what must be there, and where, when and who it is for. */
function sample(schema, schemas, name = "") {
    if (schema.$ref) return sample(schemas[schema.$ref.split("/").pop()], schemas, name);
    const choice = (schema.anyOf ?? schema.oneOf ?? []).find((one) => one.type !== "null");
    if (choice) return sample(choice, schemas, name);
    const type = [schema.type].flat().find((one) => one !== "null");
    if (name === "timeZone") return zone;
    if (name === "deviceId") return uuid();
    const given = schema.const ?? schema.default ?? schema.enum?.[0] ?? schema.examples?.[0];
    if (given !== undefined) return given;
    if (type === "object") {
        const needed = schema.required ?? [];
        return Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([key]) => needed.includes(key)).map(([key, one]) => [key, sample(one, schemas, key)]));
    }
    if (type === "array") return schema.items ? [sample(schema.items, schemas)] : [];
    if (type === "integer" || type === "number") return schema.minimum ?? 0;
    if (type === "boolean") return false;
    const now = new Date();
    return { uuid: uuid(), "date-time": now.toISOString(), date: now.toISOString().slice(0, 10) }[schema.format] ?? "";
}

let names = 0;
function field(label, control, hint) {
    const id = `try-${names += 1}`;
    control.id = id;
    return h("div", { class: "field" }, h("label", { for: id }, h("code", {}, label)), control, hint && h("span", { class: "soft small" }, hint));
}

/** One parameter: its field, and its value; an empty one is not sent. */
function parameter({ name, in: place, required, schema = {}, hint }) {
    const isKey = name === "Idempotency-Key";
    const input = schema.enum
        ? h("select", {}, [...(required ? [] : [""]), ...schema.enum].map((one) => h("option", { value: one }, one)))
        : h("input", { required, autocapitalize: "none", spellcheck: "false", autocomplete: "off", placeholder: schema.default, value: isKey ? uuid() : "" });
    return {
        name, place, element: field(name, input, hint), value: () => input.value.trim(), input,
        // What was done once is another wish the next time.
        renew: () => { if (isKey) input.value = uuid(); },
    };
}

function form(operation) {
    const parameters = (operation.parameters ?? []).filter((one) => one.in !== "cookie").map(parameter);
    const isApps = operation.security?.some((one) => one.appToken);
    if (isApps) parameters.push(parameter({ name: "Authorization", in: "header", required: true, hint: words.appToken }));
    const content = operation.requestBody?.content ?? {};
    const types = Object.keys(content);
    const isJSON = types[0] === "application/json";
    const body = !types.length ? null : isJSON
        ? h("textarea", { spellcheck: "false", value: JSON.stringify(sample(content[types[0]].schema, operation.schemas), null, 2) })
        : h("input", { type: "file", accept: types.join(","), required: true });
    if (isJSON) body.rows = Math.min(16, body.value.split("\n").length + 1);
    const answer = h("div", { class: "answer" });
    const send = h("button", { type: "submit" }, words.send);
    const stop = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => control?.abort() }, words.stop);
    let control = null;
    // What deletes asks first, by its own button.
    let isSure = operation.method !== "DELETE";
    const unsure = () => {
        if (operation.method !== "DELETE") return;
        isSure = false;
        send.textContent = words.send;
        send.classList.remove("danger");
    };

    const request = () => {
        let path = operation.path;
        const query = new URLSearchParams();
        const headers = {};
        for (const { name, place, value } of parameters) {
            if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value()));
            else if (value() && place === "query") query.set(name, value());
            else if (value()) headers[name] = value();
        }
        if (isApps) headers.Authorization = `Bearer ${headers.Authorization}`;
        const file = body?.files?.[0];
        if (file) headers["Content-Type"] = file.type || types[0];
        else if (body?.value) headers["Content-Type"] = "application/json";
        return { path: query.size ? `${path}?${query}` : path, headers, body: file ?? (body?.value || undefined) };
    };

    const run = async () => {
        const { path, ...rest } = request();
        control = new AbortController();
        send.disabled = true;
        stop.hidden = false;
        const state = h("p", { role: "status" }, words.sent);
        const shown = h("pre", { tabindex: "0", role: "group", "aria-label": words.answer });
        const began = performance.now();
        put(answer, state);
        try {
            const response = await api.tried(operation.method, path, { ...rest, open: isApps || !operation.security?.some((one) => one.token), signal: control.signal });
            const type = response.headers.get("Content-Type") ?? "";
            state.className = response.ok ? "note" : "warn";
            put(state, h("strong", {}, [response.status, response.statusText].filter(Boolean).join(" ")), ` · ${words.after(number(performance.now() - began, 0))}`, type && ` · ${type}`);
            answer.append(headersOf(response));
            if (/json|text\/|csv/.test(type)) {
                answer.append(shown);
                await read(response, shown, type.includes("json"));
            } else if (response.body) answer.append(h("p", { class: "soft" }, bytes((await response.blob()).size)));
            if (response.ok) parameters.forEach((one) => one.renew());
        } catch (error) {
            if (error.name === "AbortError") state.append(` · ${words.stopped}`);
            else put(state, error.message);
        } finally {
            send.disabled = false;
            stop.hidden = true;
            unsure();
        }
    };

    const made = h("form", { novalidate: true, oninput: unsure, onsubmit: (event) => {
        event.preventDefault();
        const wrong = [...parameters.map((one) => one.input), body].find((one) => one && !one.checkValidity());
        if (wrong) {
            put(answer, h("p", { class: "warn", role: "alert" }, wrong.validationMessage));
            wrong.focus();
        } else if (!isSure) {
            isSure = true;
            send.textContent = words.sure;
            send.classList.add("danger");
        } else run();
    } }, parameters.map((one) => one.element), body && field(isJSON ? words.body : words.file, body), h("div", { class: "row" }, send, stop), answer);
    return made;
}

function headersOf(response) {
    const all = [...response.headers].filter(([name]) => !name.startsWith("x-") && name !== "content-type").map(([name, text]) => h("li", {}, h("code", {}, `${name}: ${text}`)));
    return h("details", {}, h("summary", {}, words.headers), h("ul", {}, all));
}

/** Shows a text while it comes, for an event stream is open as long as its session is. */
async function read(response, shown, isJSON) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        shown.textContent = text.slice(0, mostShown);
    }
    if (isJSON) {
        try {
            text = JSON.stringify(JSON.parse(text), null, 2);
        } catch {
            // Shown as it came.
        }
    }
    shown.textContent = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
    if (!text) shown.remove();
}

/** The form of an article, as soon as somebody opens it. */
function offer(article) {
    const place = h("div");
    let isThere = false;
    const open = async ({ target }) => {
        if (!target.open || isThere) return;
        isThere = true;
        put(place, h("p", { class: "soft" }, texts.loading));
        try {
            put(place, form(operationOf(await description(), article.id)));
        } catch (error) {
            isThere = false;
            put(place, h("p", { class: "warn", role: "alert" }, error.message));
        }
    };
    article.append(h("details", { class: "try", ontoggle: open }, h("summary", {}, words.title, h("span", { class: "unseen" }, ` ${article.querySelector("h3").textContent}`)), place));
}

/** In whose name calls are made. */
function caller() {
    const place = h("div", { class: "caller", role: "status" });
    const draw = (user) => {
        const wrong = h("p", { class: "warn", role: "alert", hidden: true });
        const enter = h("button", { type: "button", onclick: async () => {
            enter.disabled = true;
            try {
                await api.tryWithout();
            } catch (error) {
                enter.disabled = false;
                wrong.hidden = false;
                wrong.textContent = error.message;
            }
        } }, texts.welcome.try);
        if (user) put(place, h("p", {}, words.as(user.email ?? user.displayName ?? texts.another.nameless)));
        else put(place, h("p", {}, words.nobody), h("div", { class: "row" }, enter, h("a", { class: "button quiet", href: "/#/sign-in" }, texts.welcome.signIn)), wrong);
    };
    api.whenUserChanges(draw);
    draw(api.user);
    return place;
}

// Those of forms have nothing that could be called.
document.querySelectorAll("article:has(h3 .method)").forEach(offer);
document.querySelector("main .lead").after(caller());
// Whoever is signed in on the page is so here; what keeps it from being told is told by each call.
api.resume().catch(() => {});
