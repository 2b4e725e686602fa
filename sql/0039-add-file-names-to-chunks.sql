-- What finalize needs to complete a share with the files that have arrived. Set in the first chunk
-- of a file; the size only where the sender has told it (a tar archive does).
alter table chunks
  add column file_name text,
  add column file_size bigint;
