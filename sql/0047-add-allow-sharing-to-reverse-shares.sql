-- Guests read whether the owner may share what they send. Until now all of them read that their
-- files go only to the owner.
alter table reverse_shares add column allow_sharing boolean not null default false;
alter table deliveries add column allow_sharing boolean not null default false;
alter table reverse_shares alter column allow_sharing drop default;
alter table deliveries alter column allow_sharing drop default;
