-- Reports that wait for sentences of a provider: whole, in the words of the catalogue, so that whatever becomes of the call they can be written.
-- Personal: a row goes when its report is written, or with its session or its owner. Written by the append that says that a report waits.
create table report_drafts (
    session_id uuid primary key,
    owner_id   uuid not null,
    -- json, not jsonb: the members stay in their order.
    content    json not null check (json_typeof(content) = 'object'),
    -- From when a worker may look at it; while a provider is asked, when the answer is given up.
    due_at     timestamptz not null default clock_timestamp()
);
create index report_drafts_by_owner on report_drafts (owner_id);
create index report_drafts_by_time on report_drafts (due_at);

create function row_keep_draft(args json) returns text language sql as $$
    insert into report_drafts (session_id, owner_id, content)
    values ((args ->> 'sessionId')::uuid, (args ->> 'ownerId')::uuid, args -> 'content');
    select null::text;
$$;

create function row_postpone_draft(args json) returns text language sql as $$
    update report_drafts set due_at = (args ->> 'until')::timestamptz where session_id = (args ->> 'sessionId')::uuid;
    select null::text;
$$;

create function row_drop_draft(args json) returns text language sql as $$
    delete from report_drafts where session_id = (args ->> 'sessionId')::uuid;
    select null::text;
$$;

create function row_forget_drafts(args json) returns text language sql as $$
    delete from report_drafts where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table report_drafts enable row level security;
create policy owners_rows on report_drafts using (in_scope(owner_id));
grant select on report_drafts to :role;
