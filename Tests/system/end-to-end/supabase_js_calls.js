// What supabase-js does, call by call.

function client(key = given.anon) {
    return new SupabaseClient(given.url, key, { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false, multiTab: false });
}

async function signedUp() {
    const sdk = client();
    const { user, session, error } = await sdk.auth.signUp({ email: address(), password }, { data: { display_name: "Ada" } });
    expect(!error && session?.access_token && user?.id, "sign-up gives a session", error);
    return sdk;
}

calls.accounts = async () => {
    const sdk = await signedUp();
    const { email, id } = sdk.auth.user();
    const taken = await client().auth.signUp({ email: email.toUpperCase(), password });
    expect(taken.error?.status === 422 && taken.error.message, "an address is taken", taken);
    const wrong = await client().auth.signIn({ email, password: "another" });
    expect(wrong.error?.status === 400 && wrong.error.message && !wrong.session, "a wrong password", wrong);
    const there = await client().auth.signIn({ email, password });
    expect(there.user.id === id && there.session.expires_in > 3500, "signed in", there);
    const changed = await sdk.auth.update({ data: { pet: "cat" } });
    expect(!changed.error, "the user is changed", changed.error);
    expect(changed.user.user_metadata.display_name === "Ada" && changed.user.user_metadata.pet === "cat", "data merge", changed.user);
    const first = sdk.auth.session();
    const again = await sdk.auth.refreshSession();
    expect(!again.error && again.data.refresh_token !== first.refresh_token && again.user.id === id, "refreshed", again.error);
    same((await sdk.auth.api.getUser(again.data.access_token)).user.email, email, "the token opens");
    expect([401, 403].includes((await sdk.auth.api.getUser("nonsense")).error?.status), "a token that is none");
    same((await sdk.auth.api.resetPasswordForEmail(email)).error, null, "a mail is wanted");
    same((await sdk.auth.signOut()).error, null, "signed out");
    const over = await client().auth.api.refreshAccessToken(again.data.refresh_token);
    expect(over.error?.status === 400 && over.error.message, "the login session is over", over);
};

calls.staying = async () => {
    const { email } = (await signedUp()).auth.user();
    const sdk = client();
    const { session } = await sdk.auth.signIn({ email, password });
    same(sdk.auth.session()?.access_token, session.access_token, "the library keeps who signed in");
};

calls.administering = async () => {
    const { api } = client(given.service).auth;
    const email = address();
    const made = await api.createUser({ email, password, email_confirm: true, user_metadata: { display_name: "Bert" } });
    expect(!made.error && made.user.email === email, "a user is made", made);
    expect((await api.listUsers()).data.some((one) => one.id === made.user.id), "it is in the list");
    same((await api.getUserById(made.user.id)).data?.user_metadata.display_name, "Bert", "it is read");
    same((await api.deleteUser(made.user.id)).error, null, "it is erased");
    expect((await client().auth.signIn({ email, password })).error?.status === 400, "and signs in no more");
    expect((await client().auth.api.listUsers()).error?.status === 403, "the anon key administers nothing");
};

async function begun(sdk, device = crypto.randomUUID()) {
    const { data, error } = await sdk.functions.invoke("init-session", { body: JSON.stringify({ maxDurationSec: 60, deviceId: device }) });
    expect(!error && data.sessionId && data.uploadPath, "a session is begun", data, error);
    return data;
}

calls.recording = async () => {
    const sdk = await signedUp();
    const nobody = client();
    const { sessionId, uploadPath } = await begun(sdk);
    const files = sdk.storage.from("videos");
    const file = video();
    const stored = await files.upload(uploadPath, file, { upsert: true });
    expect(!stored.error && stored.data.Key === `videos/${uploadPath}`, "the video is stored", stored);
    expect((await files.upload(uploadPath, file)).error, "a second one is not");
    expect((await files.list("")).data.some((one) => one.name === uploadPath), "it is in the list");
    same((await files.download(uploadPath)).data?.size, file.size, "it is read");
    const link = await files.createSignedUrl(uploadPath, 60);
    same((await (await fetch(link.data.signedURL)).blob()).size, file.size, "by a link, too");
    same((await files.createSignedUrls([uploadPath], 60)).data.length, 1, "by links");
    const stranger = await signedUp();
    expect((await stranger.storage.from("videos").download(uploadPath)).error, "others read nothing");
    expect((await nobody.storage.from("videos").download(uploadPath)).error, "nor does nobody");
    const finalize = async () => (await nobody.functions.invoke("finalize-session", { body: JSON.stringify({ sessionId }) })).data;
    same(await finalize(), { status: "queued" }, "finalized");
    expect(["processing", "complete"].includes((await finalize()).status), "and again");
    await eventually("the session is complete", async () => {
        const { data, error } = await nobody.from("sessions").select("status,progress").eq("id", sessionId.toUpperCase());
        expect(!error && data.length === 1, "it is polled", data, error);
        return data[0].status === "complete" && data[0].progress === 1;
    });
    const report = await nobody.from("analysis_reports").select("*").eq("session_id", sessionId.toUpperCase()).single();
    expect(Number.isInteger(report.data?.confidence_score) && report.data.feedback, "there is a report", report);
    const [, fraction] = report.data.created_at.match(/\.(\d+)(Z|\+00:00)$/) ?? [];
    expect(fraction?.length >= 3, "times have a fraction", report.data.created_at);
};

calls.tables = async () => {
    const sdk = await signedUp();
    const user = sdk.auth.user().id;
    const { sessionId } = await begun(sdk);
    const table = () => sdk.from("sessions");
    const one = [{ id: sessionId }];
    const found = [
        table().select("id").eq("user_id", user.toUpperCase()), table().select("id").in("status", ["queued", "a,b", 'c"d']),
        table().select("id").or("status.eq.complete,and(status.eq.queued,progress.lt.1)"), table().select("id").not("status", "eq", "error"),
        table().select("id").order("created_at", { ascending: false, nullsFirst: false }).limit(1), table().select("id").range(0, 9),
        table().select("id").match({ status: "queued", user_id: user }), table().select("id").is("device_id", null),
        table().select("id").like("video_path", "%.mp4"), table().select("id").ilike("video_path", `${sessionId.toUpperCase()}%`),
        table().select("id").gte("created_at", "2020-01-01").lt("created_at", "2100-01-01T00:00:00Z"),
    ];
    for (const [place, query] of found.entries()) same((await query).data, one, `query ${place}`);
    // Pages read the count only where the answer's header is shown to them.
    same((await table().select("*", { count: "exact", head: true })).count, 1, "counted");
    same((await table().select("id", { count: "exact" }).range(0, 0)).count, 1, "counted beside rows");
    same((await table().select("id").eq("id", sessionId).single()).data, one[0], "one row");
    const none = await table().select("id").eq("id", user).single();
    expect(none.error?.code === "PGRST116" && none.error.details.includes("0 rows"), "no row", none);
    for (const [query, code] of [
        [table().select("nothing"), "42703"], [table().select("*").eq("id", "x"), "22P02"],
        [table().select("*").textSearch("status", "a"), "PGRST100"], [sdk.from("stripe_customers").select(), "PGRST205"],
        [sdk.rpc("check_and_increment_quota", { p_device_id: "a" }), "PGRST202"], [table().insert({ status: "complete" }), "42501"],
        [table().update({ status: "complete" }).eq("id", sessionId), "42501"], [table().delete().eq("id", sessionId), "42501"],
        [sdk.from("user_quotas").insert({ user_id: crypto.randomUUID(), daily_count: 0 }), "42501"],
    ]) {
        const { error } = await query;
        expect(error?.code === code && error.message, code, error);
    }
    const [quota] = (await sdk.from("user_quotas").select("*")).data;
    same((await sdk.from("user_quotas").update({ daily_count: 7 }).eq("id", quota.id)).data, [quota], "what is written changes nothing");
    same((await sdk.from("user_quotas").upsert({ user_id: user, daily_count: 0 }, { onConflict: "user_id" })).data, [quota], "nor merged");
    same((await sdk.rpc("is_user_premium", { user_uuid: user })).data, false, "no plan");
    same((await sdk.rpc("get_user_subscription", { user_uuid: user })).data.length, 1, "how it stands");
    same((await sdk.from("subscriptions").select("status").in("status", ["active", "trialing"])).data, [], "nothing bought");
    for (const name of ["create-checkout-session", "create-portal-session"]) {
        same((await sdk.functions.invoke(name)).data.code, "purchases_not_set_up", name);
    }
    same((await client().from("sessions").select("*")).data, [], "nobody sees a list");
    same((await client().from("sessions").select("id").eq("id", sessionId)).data, one, "but the one whose id they know");
    const stranger = client(`${given.anon.slice(0, -4)}AAAA`);
    expect((await stranger.from("sessions").select("*")).error?.message, "a key that is none");
};

calls.buckets = async () => {
    const sdk = await signedUp();
    same((await sdk.storage.listBuckets()).data.map((one) => one.id), ["videos"], "one bucket");
    same((await sdk.storage.getBucket("videos")).data.public, false, "private");
    for (const answer of [await sdk.storage.createBucket("mine"), await sdk.storage.deleteBucket("videos"), await sdk.storage.getBucket("mine")]) {
        expect(answer.error?.message, "read-only", answer);
    }
    const { uploadPath } = await begun(sdk);
    const files = sdk.storage.from("videos");
    expect(!(await files.upload(uploadPath, await video().arrayBuffer(), { contentType: "video/mp4" })).error, "bytes without a form");
    same((await files.remove([uploadPath])).data.length, 1, "removed");
    expect((await files.download(uploadPath)).error, "and gone");
};
