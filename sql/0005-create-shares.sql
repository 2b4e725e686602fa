create table shares (
  id             text primary key,
  owner_id       integer not null references users on delete cascade,
  parcel_id      uuid not null unique references parcels,
  state          text not null check (state in ('draft', 'complete')),
  name           text not null,
  message        text not null,
  recipients     text not null,
  password_hash  text,
  max_downloads  integer not null check (max_downloads >= 0),
  download_count integer not null default 0,
  -- Kept as asked for, because finalize counts the time anew.
  expiration_val  integer not null,
  expiration_unit text not null,
  expires_at     timestamptz,
  created_at     timestamptz not null,
  finalized_at   timestamptz,
  -- Hash of the list that finalized it: the same list again is the same answer.
  list_hash      bytea,
  -- Changes whenever the share's files change; ETags are made from it.
  revision       uuid,
  -- The revision that manifest.json beside the segments tells of.
  manifest_revision uuid,
  total_size     bigint not null default 0
);

create index shares_owner_id on shares (owner_id, created_at desc, id);
create index shares_expires_at on shares (expires_at);
create index shares_manifest_due on shares (id) where state = 'complete' and manifest_revision is distinct from revision;
