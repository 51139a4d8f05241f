CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`hash` text NOT NULL,
	`at` integer NOT NULL,
	`revision` integer NOT NULL,
	`was_present` integer NOT NULL,
	`is_requested` integer NOT NULL,
	`sealed` text,
	`is_clean` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erasures_hash` ON `erasures` (`hash`,`revision`);--> statement-breakpoint
CREATE INDEX `erasures_unclean` ON `erasures` (`kind`) WHERE NOT is_clean;--> statement-breakpoint
ALTER TABLE `meta` ADD `erasure_key` text;