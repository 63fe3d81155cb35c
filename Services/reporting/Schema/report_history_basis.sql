-- What the figures of each report rest on, and when and where its session was begun: numbers, codes and the name of a time zone. Null of
-- reports that do not say, and of sessions that were begun before this was heard of.
alter table report_history
    add column rules_version      integer check (rules_version >= 0),
    add column language           text,
    add column scenario           text,
    add column engines            json check (json_typeof(engines) = 'object'),
    add column measures           json check (json_typeof(measures) = 'object'),
    -- the measures that the first exercise is about
    add column exercise           json check (json_typeof(exercise) = 'array'),
    add column kind               text,
    add column time_zone          text,
    add column utc_offset_seconds integer,
    add column begun_at           timestamptz,
    add check ((engines is null) = (measures is null) and (exercise is null) = (measures is null)),
    add check ((begun_at is null) = (kind is null) and (begun_at is null) = (time_zone is null)
        and (begun_at is null) = (utc_offset_seconds is null));
