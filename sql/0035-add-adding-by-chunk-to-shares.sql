-- Whether its additions were opened by a chunk of its owner, and not asked for: finalizing the list
-- that completed the share is no addition then.
alter table shares add column adding_by_chunk boolean not null default false;
