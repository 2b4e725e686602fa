-- What guests have to say of themselves: any of name, email, note.
alter table reverse_shares add column demands text[] not null default '{}';
