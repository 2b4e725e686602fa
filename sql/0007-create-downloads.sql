-- One row a counted download: the owner's activity log, and what a broken transfer resumes from.
create table downloads (
  id            uuid primary key,
  share_id      text not null references shares on delete cascade,
  -- 'archive', 'archive:<hash of the selection>' or 'file:<id>'.
  target        text not null,
  lease_hash    bytea not null,
  ip            text not null,
  user_agent    text not null,
  started_at    timestamptz not null,
  finished_at   timestamptz,
  -- Transfers that run now, and the process they run in.
  running       integer not null default 0,
  process_id    uuid,
  bytes_sent    bigint not null default 0,
  -- What the lease has paid for; at most twice the share's bytes.
  bytes_charged bigint not null default 0,
  -- False once the count was given back because next to nothing was sent.
  counted       boolean not null default true
);

create index downloads_share_id on downloads (share_id, started_at desc);
create index downloads_lease on downloads (share_id, lease_hash);
create index downloads_running on downloads (process_id) where running > 0;
