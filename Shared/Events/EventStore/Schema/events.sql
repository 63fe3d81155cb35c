-- The log: everything that the service decided and everything that it consumed, in one total order.
create table events (
    position       bigint primary key check (position > 0),
    stream         text not null check (stream <> ''),
    version        bigint not null check (version > 0),
    id             uuid not null unique,
    type           text not null check (type <> ''),
    schema_version integer not null check (schema_version > 0),
    -- json, not jsonb: the text comes back byte for byte as written.
    data           json not null check (octet_length(data::text) <= 262144),
    metadata       json not null check (octet_length(metadata::text) <= 16384),
    -- Keyed hash of the request, on the first event of an append: tells a repeat from another request with the same id.
    request_hash   bytea,
    recorded_at    timestamptz not null,
    unique (stream, version)
);
