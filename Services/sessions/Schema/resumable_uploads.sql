-- Uploads that go on where they were cut: of each session the one that was begun last, and how much of it has come for good.
create table resumable_uploads (
    session_id uuid primary key,
    upload_id  uuid not null unique,
    owner_id   uuid not null,
    size_bytes bigint not null check (size_bytes > 0),
    received   bigint not null default 0 check (received >= 0),
    -- Whether the whole lies in the store as one file, which the session has.
    is_stored  boolean not null default false,
    expires_at timestamptz not null,
    check (case when is_stored then received = size_bytes else received < size_bytes end)
);
create index resumable_uploads_by_owner on resumable_uploads (owner_id);
create index resumable_uploads_by_time on resumable_uploads (expires_at);

-- Where the bytes lie that have come: one after another, without a gap.
create table upload_parts (
    upload_id  uuid not null references resumable_uploads (upload_id) on delete cascade,
    starts_at  bigint not null check (starts_at >= 0),
    size_bytes bigint not null check (size_bytes > 0),
    object_key text not null unique,
    owner_id   uuid not null,
    primary key (upload_id, starts_at)
);

-- Counts parts that lie in the store, if nothing else was counted since `counted` bytes had come: so of two writers one counts,
-- whoever of them had the lease. The last part may be written anew, with more behind it.
create function add_upload_parts(upload uuid, counted bigint, places bigint[], sizes bigint[], keys text[])
returns boolean language plpgsql as $$
begin
    update resumable_uploads set received = places[cardinality(places)] + sizes[cardinality(sizes)]
    where upload_id = upload and received = counted and not is_stored;
    if not found then return false; end if;
    insert into upload_parts as p (upload_id, starts_at, size_bytes, object_key, owner_id)
    select upload, n.place, n.size, n.key, u.owner_id
    from resumable_uploads u, unnest(places, sizes, keys) as n (place, size, key) where u.upload_id = upload
    on conflict (upload_id, starts_at) do update set size_bytes = excluded.size_bytes, object_key = excluded.object_key;
    return true;
end $$;

-- Lets the parts of an upload go. Its row is locked first, so that no part is counted meanwhile.
create function discard_upload_parts(upload uuid) returns void language plpgsql as $$
begin
    perform from resumable_uploads where upload_id = upload for update;
    update object_intents set unwanted = true
    where object_key in (select object_key from upload_parts where upload_id = upload);
    delete from upload_parts where upload_id = upload;
end $$;

-- Begins an upload in the place of what was begun before for the same session.
create function row_begin_resumable_upload(args json) returns text language plpgsql as $$
begin
    perform discard_upload_parts(upload_id) from resumable_uploads where session_id = (args ->> 'sessionId')::uuid;
    delete from resumable_uploads where session_id = (args ->> 'sessionId')::uuid;
    insert into resumable_uploads (session_id, upload_id, owner_id, size_bytes, expires_at)
    values ((args ->> 'sessionId')::uuid, (args ->> 'uploadId')::uuid, (args ->> 'ownerId')::uuid,
        (args ->> 'sizeBytes')::bigint, (args ->> 'expiresAt')::timestamptz);
    return null;
end $$;

-- The whole is one file now, which is kept with this.
create function row_store_resumable_upload(args json) returns text language plpgsql as $$
begin
    perform discard_upload_parts((args ->> 'uploadId')::uuid);
    update resumable_uploads set received = size_bytes, is_stored = true where upload_id = (args ->> 'uploadId')::uuid;
    return null;
end $$;

-- Gives up an upload that is not stored.
create function row_end_resumable_upload(args json) returns text language plpgsql as $$
begin
    perform discard_upload_parts((args ->> 'uploadId')::uuid);
    delete from resumable_uploads where upload_id = (args ->> 'uploadId')::uuid and not is_stored;
    return null;
end $$;

create function row_forget_resumable_uploads(args json) returns text language sql as $$
    delete from resumable_uploads where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

alter table resumable_uploads enable row level security;
create policy owners_rows on resumable_uploads using (in_scope(owner_id));
grant select, update, delete on resumable_uploads to :role;
alter table upload_parts enable row level security;
create policy owners_rows on upload_parts using (in_scope(owner_id));
grant select, insert, update on upload_parts to :role;
grant execute on function add_upload_parts to :role;
