-- Folders that later additions have filled stayed, and archives left them out: now a row is a folder
-- that is empty.
delete from folders
using (
  select distinct container_id, array_to_string(segments[1:depth], '/') as entry_name
  from (
    select container_id, string_to_array(entry_name, '/') as segments
    from files
    where container_id in (select container_id from folders)
    union all
    select container_id, string_to_array(entry_name, '/')
    from folders
    where entry_name is not null
  ) as entries
  cross join lateral generate_series(1, cardinality(segments) - 1) as depth
) as filled
where folders.container_id = filled.container_id and folders.entry_name = filled.entry_name;
