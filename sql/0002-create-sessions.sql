create table sessions (
  id           uuid primary key,
  user_id      integer not null references users on delete cascade,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null,
  ip           text not null,
  user_agent   text not null
);

create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);
