create table users (
  id            integer generated always as identity primary key,
  email         text not null,
  name          text not null,
  password_hash text not null,
  is_admin      boolean not null default false,
  disabled_at   timestamptz,
  created_at    timestamptz not null
);

-- E-mail addresses are compared case-insensitively and shown as they were given.
create unique index users_email_key on users (lower(email));
