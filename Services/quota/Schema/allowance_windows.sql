-- An allowance may have several windows at a time: the longest stays in the columns that there were, the others are
-- objects with the same members.
alter table allowances
    add column span text not null default 'local-day' check (span <> ''),
    add column other_windows json not null default '[]';
