CREATE TABLE `declaration` (
	`tag` text NOT NULL,
	`declaration` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `position` (
	`epoch` text,
	`revision` integer NOT NULL,
	`generation` integer NOT NULL,
	`is_staging` integer NOT NULL,
	`live_at` integer,
	`scope` text NOT NULL,
	`held_epoch` text,
	`held_for_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `records` (
	`guild_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`record` text NOT NULL,
	`is_sparse` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rejected` (
	`guild_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`generation` integer NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `staged` (
	`guild_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`record` text NOT NULL,
	`is_sparse` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `watcher` (
	`id` text NOT NULL
);
