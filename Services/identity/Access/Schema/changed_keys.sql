-- Further keys of a purpose, in rows NAME.NUMBER: each is believed at once, things are made with it from `signs_from` on, when every
-- instance has seen it, and it is believed until `ends_at`. Rows stay, or the first key of a purpose would come back.
alter table kept_keys drop constraint kept_keys_name_check;
alter table kept_keys add constraint kept_keys_name_check check (name ~ '^[a-z-]{1,40}(\.[1-9][0-9]{0,5})?$');
alter table kept_keys
    add column signs_from timestamptz not null default '-infinity',
    add column ends_at    timestamptz;

grant update (ends_at) on kept_keys to :role;
