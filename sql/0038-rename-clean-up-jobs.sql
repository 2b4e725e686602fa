-- Renames jobs to the word of the glossary (docs/architecture.md), keeping the times of runs.
update job_runs set name = 'clean up shares' where name = 'sweep shares';
update job_runs set name = 'clean up deliveries' where name = 'sweep deliveries';
