-- Rows are locked before they are deleted, which needs the right to update one of their columns.
grant update (full_at) on refused_creations to :role;
