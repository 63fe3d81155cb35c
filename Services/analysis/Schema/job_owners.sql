-- Which jobs belong to whom, for erasure: exact at every moment, because the append that begins a job's stream writes it.
create table job_owners (
    session_id uuid primary key,
    owner_id   uuid not null
);
create index job_owners_by_owner on job_owners (owner_id);

create function row_own_job(args json) returns text language sql as $$
    insert into job_owners (session_id, owner_id)
    values ((args ->> 'sessionId')::uuid, (args ->> 'ownerId')::uuid) on conflict do nothing;
    select null::text;
$$;

create function row_forget_subject(args json) returns text language sql as $$
    delete from job_owners where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table job_owners enable row level security;
create policy owners_rows on job_owners using (in_scope(owner_id));
grant select on job_owners to :role;
