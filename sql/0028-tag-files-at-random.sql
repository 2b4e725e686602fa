-- Part of the ETag of a file. Ids of files come again when an older backup is restored, and other
-- bytes must not get the tag of those that had the id before. Null in rows from before this column:
-- their tags stay what they were.
alter table files add column tag_seed uuid;
alter table files alter column tag_seed set default gen_random_uuid();
