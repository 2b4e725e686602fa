-- Where addresses are shown by their networks, they are asked for by these. Every address that is
-- kept is a valid one, or empty.
create index audit_network on audit ((nullif(ip, '')::inet), id);

-- What came of telling recipients of the files added last, as the answer said it: the same finalize
-- again is answered the same. Null when that was not asked for.
alter table shares add column told text;
