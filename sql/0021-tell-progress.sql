-- How many bytes a draft will have in all, as its owner says; 0 when that is not known. It limits
-- nothing: visitors of a published draft are told how much of it has arrived.
alter table shares add column expected_bytes bigint not null default 0 check (expected_bytes >= 0);

-- When bytes of it were counted last: a draft whose bytes have just arrived is being sent.
alter table parcels add column changed_at timestamptz;
