CREATE TABLE `changes` (
	`revision` integer PRIMARY KEY NOT NULL,
	`guild_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`origin` text NOT NULL,
	`reason` text,
	`before` text NOT NULL,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `changes_guild` ON `changes` (`guild_id`,`revision`);--> statement-breakpoint
CREATE INDEX `changes_at` ON `changes` (`at`);--> statement-breakpoint
CREATE TABLE `guilds` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`icon` text,
	`prefix` text NOT NULL,
	`announcement_channel` text NOT NULL,
	`beta` integer NOT NULL,
	`language` text NOT NULL,
	`enabled_features` text NOT NULL,
	`revision` integer NOT NULL,
	`presence` text NOT NULL,
	`left_at` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `guilds_revision` ON `guilds` (`revision`);--> statement-breakpoint
CREATE INDEX `guilds_left_at` ON `guilds` (`left_at`) WHERE left_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `meta` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` text NOT NULL,
	`last_revision` integer NOT NULL,
	`oldest_revision` integer NOT NULL,
	CONSTRAINT "meta_one_row" CHECK("meta"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `presence_reports` (
	`shard_id` integer NOT NULL,
	`shard_count` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`shard_id`, `shard_count`)
);
