-- Chunks are always synced before they are acknowledged. Its partial index goes with it.
alter table chunks drop column boot_id;
