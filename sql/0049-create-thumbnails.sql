-- Small pictures of files, made by the browsers of their senders: of a file that is not complete
-- yet (file_key), or of one that is (file_id).
create table thumbnails (
  container_id uuid not null references containers on delete cascade,
  file_key     text collate "C",
  file_id      integer references files on delete cascade,
  jpeg         bytea not null,
  unique (container_id, file_key),
  unique (file_id),
  check ((file_key is null) <> (file_id is null))
);
-- A JPEG cannot be compressed further.
alter table thumbnails alter column jpeg set storage external;

-- For lists of files.
alter table files add column has_thumbnail boolean not null default false;
