CREATE TABLE `position` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` text NOT NULL,
	`revision` integer NOT NULL,
	`generation` integer NOT NULL,
	`live_at` integer
);
--> statement-breakpoint
CREATE TABLE `records` (
	`guild_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`generation` integer NOT NULL,
	`record` text NOT NULL
);
