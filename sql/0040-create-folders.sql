-- Folders of tar archives without a file beneath them. Those of a draft, or of pending additions,
-- have no entry_name yet: archives and lists show the others.
create table folders (
  container_id uuid not null references containers on delete cascade,
  -- As fitted like the names of files, without a slash at its end.
  path         text collate "C" not null,
  -- The name in archives, also without that slash; set when the files are complete.
  entry_name   text,
  created_at   timestamptz,
  primary key (container_id, path),
  check ((entry_name is null) = (created_at is null))
);
