-- A login lasts for 30 days now where the setting was never changed: those that there are too.
update sessions
set expires_at = least(expires_at, created_at + interval '30 days')
where not exists (select 1 from settings where key = 'sessionLifeDays');
