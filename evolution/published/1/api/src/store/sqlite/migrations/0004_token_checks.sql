CREATE TABLE `token_checks` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`checked_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
