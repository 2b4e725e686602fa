-- What a link asks of its guests, and whether one delivery is all it is for.
alter table reverse_shares
  add column instructions text not null default '',
  -- In lower case, without their dot; empty for files of every kind.
  add column allowed_extensions text[] not null default '{}',
  -- Closed by the first delivery that is completed.
  add column once boolean not null default false,
  add column closed_at timestamptz;

-- When the owner saw it first. What was there before this was kept counts as seen.
alter table deliveries add column seen_at timestamptz;
update deliveries set seen_at = finalized_at where state = 'complete';
