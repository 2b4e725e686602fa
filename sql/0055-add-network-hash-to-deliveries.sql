-- Guests of one network share a bound for chunks that are sent again or discarded. Null for
-- deliveries from before.
alter table deliveries add column network_hash bytea;
