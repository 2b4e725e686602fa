-- Somebody asked for a reset. Written for every address, known or not, and answered the same; a job
-- looks whether there is an account, so that the time of the answer tells nobody.
create table password_reset_requests (
  id         uuid primary key,
  email      text not null,
  created_at timestamptz not null
);

create table password_resets (
  token_hash bytea primary key,
  user_id    integer not null references users on delete cascade,
  -- The address it was mailed to: after a change of address the link is worth nothing.
  email      text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index password_resets_user_id on password_resets (user_id);
create index password_resets_expires_at on password_resets (expires_at);
