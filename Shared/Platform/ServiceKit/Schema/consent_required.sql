-- Guards an append that begins to send something to a provider: it is refused without a consent that counts now.
create function row_require_consent(args json) returns text language sql as $$
    select case when exists (
        select from consents
        where owner_id = (args ->> 'userId')::uuid and provider = args ->> 'provider' and purpose = args ->> 'purpose'
            and array(select json_object_keys(args -> 'dataClasses')) <@ data_classes
            and json_typeof(args -> 'dataClasses') = 'object' and args ->> 'dataClasses' <> '{}'
    ) then null else 'consent-missing' end;
$$;
