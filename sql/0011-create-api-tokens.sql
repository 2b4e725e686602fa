create table api_tokens (
  id           uuid primary key,
  user_id      integer not null references users on delete cascade,
  name         text not null,
  -- The first characters of the token, so that its owner can tell which one this is.
  hint         text not null,
  token_hash   bytea not null unique,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz
);

create index api_tokens_user_id on api_tokens (user_id);
create index api_tokens_expires_at on api_tokens (expires_at);
