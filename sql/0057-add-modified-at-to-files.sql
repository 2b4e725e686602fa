-- When a file was last changed at its sender; null where the sender has not said it. Its first chunk
-- keeps what an archive says, until the file is complete.
alter table files add column modified_at timestamptz;
alter table chunks add column file_modified_at timestamptz;
