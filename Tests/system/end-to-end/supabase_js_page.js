// What both versions of calls use, on a page of another origin than the server's.

/** The server's address and keys, which whoever runs the calls gives. */
let given;

/** Calls by name; each ends well or throws. */
const calls = {};

/** The library's client, out of the file that it came in: one module of many, which all get each other by number. */
const SupabaseClient = (() => {
    const modules = window.webpackJsonpstreamlit_supabase_auth[0][1];
    const made = [];
    const get = (number) => {
        if (!made[number]) {
            made[number] = { exports: {} };
            modules[number].call(made[number].exports, made[number], made[number].exports, get);
        }
        return made[number].exports;
    };
    const define = (object, name, value) => Object.defineProperty(object, name, { enumerable: true, get: value });
    get.d = define;
    get.r = (object) => define(object, "__esModule", () => true);
    get.n = (module) => {
        const value = module && module.__esModule ? () => module.default : () => module;
        define(value, "a", value);
        return value;
    };
    return get(modules.findIndex((module) => module && module.toString().includes('"supabase-js/"'))).a;
})();

function expect(isSo, what, ...seen) {
    if (!isSo) throw new Error(`${what}: ${JSON.stringify(seen)}`);
}

function same(seen, wanted, what) {
    expect(JSON.stringify(seen) === JSON.stringify(wanted), what, seen, wanted);
}

const password = "a password of this test";
const address = () => `sdk-${crypto.randomUUID()}@example.org`;

/** What passes for the beginning of an MP4 file; only a recorded helper takes it for a video. */
function video() {
    const head = [0, 0, 0, 0x18, ..."ftypmp42".split("").map((one) => one.charCodeAt(0)), 0, 0, 0, 0,
        ..."mp42isom".split("").map((one) => one.charCodeAt(0))];
    return new Blob([new Uint8Array(head), crypto.getRandomValues(new Uint8Array(16)), new Uint8Array(4_000)], { type: "video/mp4" });
}

/** Asks until there is an answer. */
async function eventually(what, ask) {
    for (const end = Date.now() + 60_000; Date.now() < end;) {
        const answer = await ask();
        if (answer) return answer;
        await new Promise((done) => setTimeout(done, 200));
    }
    throw new Error(`never: ${what}`);
}
