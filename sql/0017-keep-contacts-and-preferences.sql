-- Whom an account sends to: its own address book, which nobody else sees.
create table contacts (
  id         uuid primary key,
  user_id    integer not null references users on delete cascade,
  email      text not null,
  -- Empty when none was said.
  name       text not null,
  created_at timestamptz not null
);

create unique index contacts_email_key on contacts (user_id, lower(email));

-- What an account's new shares begin with; null where it has chosen nothing.
create table preferences (
  user_id          integer primary key references users on delete cascade,
  expiration_val   integer,
  expiration_unit  text,
  max_downloads    integer,
  message          text,
  start_right_away boolean,
  check ((expiration_val is null) = (expiration_unit is null))
);
