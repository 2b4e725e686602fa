-- Addresses from which an account was signed in to: the newest ten of each account. Their owners
-- are not delayed by the failed guesses of others.
create table sign_in_addresses (
  user_id integer not null references users on delete cascade,
  address text not null,
  seen_at timestamptz not null,
  primary key (user_id, address)
);

-- Whoever is signed in now has proved it.
insert into sign_in_addresses (user_id, address, seen_at)
select user_id, ip, seen_at
from (
  select user_id, ip, max(last_seen_at) as seen_at,
    row_number() over (partition by user_id order by max(last_seen_at) desc) as place
  from sessions
  where ip <> '' and position(':' in ip) = 0
  group by user_id, ip
) as recent
where place <= 10;
