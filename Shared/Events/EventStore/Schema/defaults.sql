-- Nothing of this schema is for everyone: each object names the roles that may use it.
alter default privileges revoke execute on functions from public;
