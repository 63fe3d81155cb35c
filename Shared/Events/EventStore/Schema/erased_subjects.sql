-- Whose content is gone for good; every append on behalf of a subject is checked against it under the head lock.
create table erased_subjects (
    subject   uuid primary key,
    erased_at timestamptz not null default clock_timestamp()
);

create function row_erase_subject(args json) returns text language sql as $$
    insert into erased_subjects (subject) values ((args ->> 'subject')::uuid) on conflict do nothing;
    select null::text;
$$;
