// A recording on its way, in pieces by tus 1.0: what the server has of it is not sent again, neither after a lost connection nor after a
// reload. The address of an upload is signed, and needs no token.
import { texts } from "/web/texts.en.js";
import * as api from "/web/api.js";

const version = { "Tus-Resumable": "1.0.0" };
// An upload that is over, or whose address the server does not know any more: what has come of it is gone.
const over = new Set([403, 404, 410]);

/** How many bytes have come for good; null where the upload is over. */
async function come(address) {
    try {
        const { headers } = await api.good("HEAD", address, { open: true, headers: version, signal: AbortSignal.timeout(60_000) });
        return Number(headers.get("Upload-Offset"));
    } catch (error) {
        if (over.has(error.status)) return null;
        throw error;
    }
}

/** Begins an upload to a session, in the place of any before; gives its address. */
async function begin(session, file) {
    const headers = { ...version, "Upload-Length": String(file.size) };
    const answer = await api.good("POST", `/v1/uploads/${session}/resumable`, { headers, signal: AbortSignal.timeout(60_000) });
    return api.here(answer.headers.get("Location"));
}

/**
 * Sends what the server does not have yet of a session's file; throws as `api.call`.
 *
 * `address` is that of an upload that was begun before, null if none was. `began` is told the address of one that is begun now, and
 * `progress` the share that is there.
 */
export async function upload(session, file, { address, began, progress, signal }) {
    let place = address;
    let offset = place ? await come(place) : null;
    signal.throwIfAborted();
    if (offset === null) {
        place = await begin(session, file);
        offset = 0;
        await began(place);
        signal.throwIfAborted();
    }
    progress(offset / file.size);
    if (offset < file.size) await send(place, file, offset, progress, signal);
}

/** Sends all behind a place of the file in one request; `fetch` does not tell how much of it has gone. */
function send(address, file, offset, progress, signal) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("PATCH", address);
        const fields = { ...version, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
        for (const [name, value] of Object.entries(fields)) request.setRequestHeader(name, value);
        // A connection that is gone may say nothing: what stands still is given up, to go on anew.
        let timer = 0;
        const patience = (seconds) => {
            clearTimeout(timer);
            timer = setTimeout(() => {
                reject(new api.Unreachable());
                request.abort();
            }, seconds * 1000);
        };
        patience(30);
        request.upload.addEventListener("progress", ({ loaded, total }) => {
            patience(loaded === total ? 120 : 30);
            progress((offset + loaded) / file.size);
        });
        request.addEventListener("loadend", () => clearTimeout(timer));
        request.addEventListener("load", () => {
            if (request.status < 300) return resolve();
            let answer = null;
            try {
                answer = JSON.parse(request.responseText);
            } catch {
                // An answer that is none is told as one that is unknown.
            }
            const document = answer?.code ? answer : { status: request.status, detail: texts.errors.unknown, code: "unknown" };
            return reject(new api.Problem(document, Number(request.getResponseHeader("Retry-After")) || undefined));
        });
        request.addEventListener("error", () => reject(new api.Unreachable()));
        request.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        signal.addEventListener("abort", () => request.abort());
        request.send(file.slice(offset));
    });
}
