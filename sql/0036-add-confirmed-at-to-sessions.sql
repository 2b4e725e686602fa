-- When the holder of a login last gave the password, at the sign-in itself or later.
alter table sessions add column confirmed_at timestamptz;
update sessions set confirmed_at = created_at;
alter table sessions alter column confirmed_at set not null;
