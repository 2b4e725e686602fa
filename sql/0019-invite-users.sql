-- When an account was invited: it has no password of its own until its holder sets one, then null.
alter table users add column invited_at timestamptz;

-- Bytes on disk that this account may use, 0 for no limit; null for what the settings say.
alter table users add column quota bigint check (quota >= 0);

-- A link that lets an invited account in for the first time, not one for a lost password.
alter table password_resets add column is_invitation boolean not null default false;

-- Beside the accounts, not in them: a login would wait for whoever changes accounts, and they for it.
create table last_logins (
  user_id integer primary key references users on delete cascade,
  at      timestamptz not null
);

-- What is known of before; sessions that have ended are not.
insert into last_logins (user_id, at)
select user_id, max(created_at)
from sessions
group by user_id;
