-- Once more, and for the functions that there are: a schema that was carried over by itself has lost the default, which
-- lies beside it.
alter default privileges revoke execute on functions from public;
revoke execute on all functions in schema :schema from public;
