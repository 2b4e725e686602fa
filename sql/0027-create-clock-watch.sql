-- When the service last looked at the clock. A start compares the clock with it: time that neither
-- this boot nor a short downtime explains is doubted, see jobs/clock-trust.ts.
create table clock_watch (
  is_only        boolean primary key default true check (is_only),
  boot_id        text not null,
  since_boot_ms  bigint not null,
  seen_at        timestamptz not null,
  -- What the clock should have shown at seen_at: the same, unless it is doubted.
  expected_at    timestamptz not null,
  doubted_since  timestamptz,
  -- How long the service must still run before it believes the clock.
  doubt_left_ms  bigint not null default 0
);

insert into clock_watch (boot_id, since_boot_ms, seen_at, expected_at)
select '', 0, max(done_at), max(done_at) from job_runs having count(*) > 0;
