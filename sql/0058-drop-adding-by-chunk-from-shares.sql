-- A chunk no longer starts additions. Those that it has started go on like others.
alter table shares drop column adding_by_chunk;
