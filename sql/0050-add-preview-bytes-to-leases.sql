-- Previews have a budget of their own, so that looking at files leaves the downloads of a lease.
alter table leases add column preview_bytes_charged bigint not null default 0;
