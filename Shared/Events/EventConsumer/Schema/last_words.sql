-- Last words beyond a gap, such as erasures, that were begun and are not handled yet, and how often: a death in between leaves a
-- row as it is. Each has a count of its own: the watermark stands still at a gap, so all of them are met again after every start.
create table last_words (
    topic     text not null,
    partition integer not null,
    -- What names the record.
    identity  text not null,
    attempts  integer not null,
    primary key (topic, partition, identity)
);

grant select, insert, update, delete on last_words to :role;
