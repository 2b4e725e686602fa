-- The words of docs/architecture.md: clean-up. Times of their last runs are kept.
update job_runs set name = 'clean up shares' where name = 'sweep shares';
update job_runs set name = 'clean up deliveries' where name = 'sweep deliveries';
