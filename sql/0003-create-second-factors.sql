create table second_factors (
  user_id       integer primary key references users on delete cascade,
  secret_sealed bytea not null,
  enabled_at    timestamptz,
  -- The time step of the code used last: no code of this step or an earlier one is valid again.
  last_step     bigint not null default 0,
  created_at    timestamptz not null
);

create table recovery_codes (
  user_id   integer not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
