-- What users let providers have, as identity announces it. A row stays after a withdrawal, so that a consent of before, which may be
-- parked or come late, does not count again.
create table consents (
    owner_id     uuid not null,
    provider     text not null,
    purpose      text not null,
    -- The kinds of data that may be sent; none after a withdrawal.
    data_classes text[] not null,
    -- When the owner said so. Identity's moments grow from one word of an owner to the next.
    said_at      timestamptz not null,
    primary key (owner_id, provider, purpose)
);

create function row_learn_consent(args json) returns text language sql as $$
    insert into consents as c (owner_id, provider, purpose, data_classes, said_at)
    values ((args ->> 'userId')::uuid, args ->> 'provider', args ->> 'purpose',
        array(select json_object_keys(args -> 'dataClasses')), (args ->> 'givenAt')::timestamptz)
    on conflict (owner_id, provider, purpose) do update
    set data_classes = excluded.data_classes, said_at = excluded.said_at where c.said_at < excluded.said_at;
    select null::text;
$$;

-- Of two words of one moment the withdrawal counts.
create function row_learn_consent_withdrawal(args json) returns text language sql as $$
    insert into consents as c (owner_id, provider, purpose, data_classes, said_at)
    values ((args ->> 'userId')::uuid, args ->> 'provider', args ->> 'purpose', '{}',
        (args ->> 'withdrawnAt')::timestamptz)
    on conflict (owner_id, provider, purpose) do update
    set data_classes = '{}', said_at = excluded.said_at where c.said_at <= excluded.said_at;
    select null::text;
$$;

-- Identity never said it, or has forgotten it in a restore. Only what the message itself brought is taken back.
create function row_take_back_consent(args json) returns text language sql as $$
    update consents set data_classes = '{}'
    where owner_id = (args ->> 'userId')::uuid and provider = args ->> 'provider' and purpose = args ->> 'purpose'
        and said_at = (args ->> 'givenAt')::timestamptz;
    select null::text;
$$;

create function row_forget_consents(args json) returns text language sql as $$
    delete from consents where owner_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

alter table consents enable row level security;
create policy owners_rows on consents using (in_scope(owner_id));
grant select on consents to :role;
