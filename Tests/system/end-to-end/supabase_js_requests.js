// What supabase-js 2.x and tus-js-client send and read, request by request: their field names, media types and bodies, from a page that
// has to ask first and sees no more of an answer than it is shown.

const library = "supabase-js-web/2.76.1";

async function sent(method, path, { bearer = given.anon, headers = {}, body } = {}) {
    const answer = await fetch(path.startsWith("http") ? path : given.url + path, {
        method, body, headers: { apikey: given.anon, Authorization: `Bearer ${bearer}`, "X-Client-Info": library, ...headers } });
    const text = method === "HEAD" || answer.status === 204 ? "" : await answer.clone().text();
    const isJSON = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, fields: answer.headers, json: isJSON && text ? JSON.parse(text) : undefined, answer };
}

const auth = (method, path, bearer, body) => sent(method, `/auth/v1${path}`, {
    bearer, body: body === undefined ? undefined : JSON.stringify(body),
    headers: { "X-Supabase-Api-Version": "2024-01-01", "Content-Type": "application/json;charset=UTF-8" } });

/** Errors as the library reads them: by the version's field, the code is a text. */
function refused({ status, fields, json }, wanted, code) {
    expect(status === wanted && json.code === code && json.message, code, status, json);
    same(fields.get("x-supabase-api-version"), "2024-01-01", "the version can be read");
}

async function account(more = { email: address(), password }) {
    const { status, json } = await auth("POST", "/signup", given.anon, {
        ...more, data: { display_name: "Ada" }, gotrue_meta_security: {}, code_challenge: null, code_challenge_method: null });
    expect(status === 200 && json.access_token && json.refresh_token && json.expires_in && json.user.id, "a session", status, json);
    return json;
}

calls.accounts2 = async () => {
    const { user, refresh_token: token } = await account();
    // The bearer that goes along may be over.
    const next = await auth("POST", "/token?grant_type=refresh_token", "nonsense", { refresh_token: token });
    expect(next.status === 200 && next.json.user.id === user.id, "refreshed", next.json);
    const bearer = next.json.access_token;
    same((await auth("GET", "/user", bearer)).json.id, user.id, "the user");
    same((await auth("PUT", "/user", bearer, { data: { pet: "cat" } })).json.user_metadata.pet, "cat", "changed");
    refused(await auth("GET", "/user", "nonsense"), 403, "bad_jwt");
    refused(await auth("POST", "/token?grant_type=refresh_token", bearer, {}), 400, "refresh_token_not_found");
    refused(await auth("POST", "/token?grant_type=password", given.anon, { email: user.email, password: "wrong" }), 400, "invalid_credentials");
    const weak = await auth("POST", "/signup", given.anon, { email: address(), password: "short" });
    refused(weak, 422, "weak_password");
    same(weak.json.weak_password.reasons, ["length"], "what is weak");
    const recovered = await auth("POST", "/recover", given.anon, { email: user.email, gotrue_meta_security: {} });
    same([recovered.status, recovered.json], [200, {}], "an empty object, as it is parsed");
    same((await auth("POST", "/logout?scope=local", bearer)).status, 204, "signed out");
    refused(await auth("GET", "/user", bearer), 403, "session_not_found");
    same((await account({})).user.is_anonymous, true, "signed in anonymously");
};

calls.claims2 = async () => {
    const { access_token: token } = await account();
    const [head, claims, signature] = token.split(".");
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const { alg, kid } = JSON.parse(new TextDecoder().decode(bytes(head)));
    same(alg, "ES256", "the algorithm");
    const { keys } = (await sent("GET", "/auth/v1/.well-known/jwks.json")).json;
    const found = keys.find((one) => one.kid === kid);
    expect(found, "the key is published", keys, kid);
    const key = await crypto.subtle.importKey("jwk", found, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
    const isGood = await crypto.subtle.verify(
        { name: "ECDSA", hash: "SHA-256" }, key, bytes(signature), new TextEncoder().encode(`${head}.${claims}`));
    expect(isGood, "the token's signature");
};

calls.tables2 = async () => {
    const { access_token: bearer, user } = await account();
    const rest = (method, path, headers = {}, body) => sent(method, `/rest/v1/${path}`, { bearer, headers, body: body && JSON.stringify(body) });
    const begun = await sent("POST", "/functions/v1/init-session?forceFunctionRegion=eu-central-1", {
        bearer, headers: { "Content-Type": "application/json", "x-region": "eu-central-1" }, body: JSON.stringify({ maxDurationSec: 60 }) });
    const id = begun.json.sessionId;
    const counted = await rest("GET", "sessions?select=*&order=created_at.desc.nullslast", { "Accept-Profile": "public", Prefer: "count=exact", "X-Retry-Count": "1" });
    same([counted.status, counted.fields.get("content-range"), counted.json.length], [200, "0-0/1", 1], "the count can be read");
    same((await rest("HEAD", "sessions?select=*", { "Accept-Profile": "public", Prefer: "count=exact" })).fields.get("content-range"), "0-0/1", "without rows");
    const one = { "Accept-Profile": "public", Accept: "application/vnd.pgrst.object+json" };
    same((await rest("GET", `sessions?select=id&id=eq.${id}`, one)).json, { id }, "one row");
    const none = await rest("GET", `sessions?select=id&id=eq.${user.id}`, one);
    same([none.status, none.json.code, none.json.details], [406, "PGRST116", "The result contains 0 rows"], "no row");
    same(none.fields.get("proxy-status"), "PostgREST; error=PGRST116", "its code can be read");
    same((await rest("GET", "sessions?select=id", { Accept: "text/csv" })).json.code, "PGRST107", "no tables of text");
    const columns = encodeURIComponent('"user_id","daily_count"');
    const merged = await rest("POST", `user_quotas?on_conflict=user_id&columns=${columns}&select=*`, {
        "Content-Profile": "public", "Content-Type": "application/json", Prefer: "resolution=merge-duplicates,return=representation" },
    [{ user_id: user.id.toUpperCase(), daily_count: 3 }]);
    same([merged.status, merged.json[0].daily_count, merged.json[0].user_id], [200, 0, user.id], "merged in vain");
    expect(merged.fields.get("preference-applied")?.includes("return=representation"), "what was heeded can be read", merged.status);
    const premium = await rest("POST", "rpc/is_user_premium", { "Content-Profile": "public", "Content-Type": "application/json" }, { user_uuid: user.id });
    same([premium.status, premium.json], [200, false], "a function");
    const bad = await sent("GET", "/rest/v1/sessions", { bearer: "nonsense" });
    expect(bad.status === 401 && bad.json.code === "PGRST301" && bad.json.message, "a token that is none", bad.json);
    const unread = await rest("GET", "sessions?id=%zz");
    expect(unread.status === 400 && unread.json.code === "PGRST100", "a query that cannot be read", unread.json);
};

calls.files2 = async () => {
    const { access_token: bearer } = await account();
    const begun = await sent("POST", "/functions/v1/init-session", {
        bearer, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ maxDurationSec: 60, deviceId: "a phone" }) });
    const { sessionId, uploadPath, uploadToken } = begun.json;
    const storage = (method, path, headers, body) => sent(method, `/storage/v1/${path}`, { bearer, headers, body });
    const file = video();
    // Two parts, of which the file's has no name.
    const form = new FormData();
    form.append("cacheControl", "3600");
    form.append("", file);
    const stored = await storage("PUT", `object/upload/sign/videos/${uploadPath}?token=${uploadToken}`, { "x-upsert": "false" }, form);
    same([stored.status, stored.json.Key], [200, `videos/${uploadPath}`], "stored");
    const twice = await storage("PUT", `object/upload/sign/videos/${uploadPath}?token=${uploadToken}`, { "x-upsert": "false" }, file);
    expect(twice.json.statusCode === "409" && twice.json.error === "Duplicate", "only once", twice.json);
    const address = await storage("POST", `object/upload/sign/videos/${uploadPath}`, { "x-upsert": "true", "Content-Type": "application/json" }, "{}");
    const token = new URL(`${given.url}/storage/v1${address.json.url}`).searchParams.get("token");
    const bytes = await file.arrayBuffer();
    const raw = await storage("PUT", `object/upload/sign/videos/${uploadPath}?token=${token}`, {
        "x-upsert": "true", "cache-control": "max-age=3600", "content-type": "video/mp4", "x-metadata": btoa("{}") }, bytes);
    same(raw.status, 200, "bytes without a form");
    const part = await storage("GET", `object/videos/${uploadPath}`, { Range: "bytes=0-9" });
    same([part.status, part.fields.get("content-range"), (await part.answer.blob()).size], [206, `bytes 0-9/${file.size}`, 10], "a part");
    same((await storage("GET", `object/info/videos/${uploadPath}`)).json.size, file.size, "about it");
    same((await storage("HEAD", `object/videos/${uploadPath}`)).status, 200, "it exists");
    const gone = await storage("GET", `object/videos/${crypto.randomUUID()}.mp4`);
    expect(gone.json.statusCode === "404" && gone.json.error === "not_found", "another does not", gone.json);
    const removed = await storage("DELETE", "object/videos", { "Content-Type": "application/json" }, JSON.stringify({ prefixes: [uploadPath] }));
    same(removed.json.length, 1, "removed");
    // In pieces, as tus-js-client asks.
    const word = (text) => btoa(text);
    const tus = { "Tus-Resumable": "1.0.0", "x-upsert": "true" };
    const place = await storage("POST", "upload/resumable", { ...tus, "Upload-Length": String(file.size),
        "Upload-Metadata": `bucketName ${word("videos")},objectName ${word(uploadPath)},contentType ${word("video/mp4")},cacheControl ${word("3600")}` });
    const where = place.fields.get("location");
    expect(place.status === 201 && where, "its place can be read", place.status, place.json);
    for (let offset = 0; offset < file.size; offset += 2_500) {
        const piece = await sent("PATCH", where, { bearer, body: bytes.slice(offset, offset + 2_500), headers: {
            ...tus, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" } });
        same([piece.status, piece.fields.get("upload-offset")], [204, String(Math.min(file.size, offset + 2_500))], "a piece");
        same((await sent("HEAD", where, { bearer, headers: tus })).fields.get("upload-offset"), piece.fields.get("upload-offset"), "how far it is");
    }
    const ended = await sent("POST", "/functions/v1/finalize-session", {
        headers: { "Content-Type": "application/json" }, body: JSON.stringify({ sessionId }) });
    same([ended.status, ended.json], [200, { status: "queued" }], "finalized by the anon key");
    const lost = await sent("POST", "/functions/v1/finalize-session", {
        headers: { "Content-Type": "application/json" }, body: JSON.stringify({ sessionId: crypto.randomUUID() }) });
    expect(lost.status === 404 && typeof lost.json.error === "string", "why not can be read", lost.json);
    const denied = await sent("POST", "/functions/v1/init-session", { bearer: "nonsense", headers: { "Content-Type": "application/json" }, body: "{}" });
    expect(denied.status === 401 && typeof denied.json.error === "string", "a token that is none", denied.json);
};

calls.realtime2 = async () => {
    const socket = new WebSocket(`${given.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${given.anon}&vsn=2.0.0`);
    const ending = await new Promise((done) => {
        socket.onopen = () => done("open");
        socket.onclose = () => done("closed");
    });
    same(ending, "closed", "there is no socket");
    same((await sent("GET", "/rest/v1/sessions?select=id", {})).json, [], "tables are read all the same");
};
