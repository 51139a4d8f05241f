CREATE TABLE `staged` (
	`guild_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`record` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `position` ADD `held_epoch` text;--> statement-breakpoint
ALTER TABLE `position` ADD `held_for_ms` integer DEFAULT 0 NOT NULL;