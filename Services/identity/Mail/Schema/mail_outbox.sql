-- Mails that are to be sent. Neither address nor text stands here: both are put together when a mail goes out. There
-- may be no such owner: then the request for the mail is answered, and the row is dropped.
create table mail_outbox (
    id        uuid primary key,
    owner_id  uuid not null,
    kind      text not null check (kind ~ '^[a-z-]{1,40}$'),
    queued_at timestamptz not null default clock_timestamp(),
    due_at    timestamptz not null default clock_timestamp(),
    attempts  integer not null default 0,
    -- Why it is not tried any more; null while it is.
    parked    text
);
create index mail_outbox_by_time on mail_outbox (due_at) where parked is null;
create index mail_outbox_by_owner on mail_outbox (owner_id);

create function row_queue_mail(args json) returns text language sql as $$
    insert into mail_outbox (id, owner_id, kind)
    values ((args ->> 'id')::uuid, (args ->> 'owner')::uuid, args ->> 'kind') on conflict (id) do nothing;
    select null::text;
$$;

create function row_drop_mail(args json) returns text language sql as $$
    delete from mail_outbox where owner_id = (args ->> 'owner')::uuid;
    select null::text;
$$;

-- Takes the mail that is due first and sets the time of its next attempt: the wait doubles, up to an hour. Others skip
-- a row that is being taken.
create function take_mail(retry interval) returns setof mail_outbox language sql as $$
    update mail_outbox o set attempts = o.attempts + 1,
        due_at = clock_timestamp() + least(retry * power(2, least(o.attempts, 20)), interval '1 hour')
    where o.id = (
        select m.id from mail_outbox m where m.parked is null and m.due_at <= clock_timestamp()
        order by m.due_at limit 1 for update skip locked)
    returning o.*
$$;

alter table mail_outbox enable row level security;
create policy owners_rows on mail_outbox using (in_scope(owner_id));
grant select, insert, update, delete on mail_outbox to :role;
grant execute on function take_mail to :role;
