-- What belongs to this database, so that no process opens it with the key or the folder of another.
create table identity (
  is_only boolean primary key default true check (is_only),
  id      uuid not null,
  -- A digest of the secret that signs sessions and seals secrets.
  secret  text not null
);
