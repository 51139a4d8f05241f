CREATE TABLE `changes` (
	`revision` integer PRIMARY KEY NOT NULL,
	`guild_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`origin` text NOT NULL,
	`reason` text,
	`before` text NOT NULL,
	`after` text NOT NULL,
	`unset` text,
	`target` integer,
	`undone_by` integer
);
--> statement-breakpoint
CREATE INDEX `changes_guild` ON `changes` (`guild_id`,`revision`);--> statement-breakpoint
CREATE INDEX `changes_at` ON `changes` (`at`);--> statement-breakpoint
CREATE INDEX `changes_author` ON `changes` (`actor_id`,`revision`) WHERE actor_kind = 'user' AND actor_id <> '';--> statement-breakpoint
CREATE TABLE `epochs` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`epoch` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `epochs_epoch` ON `epochs` (`epoch`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`hash` text NOT NULL,
	`at` integer NOT NULL,
	`revision` integer NOT NULL,
	`was_present` integer NOT NULL,
	`is_requested` integer NOT NULL,
	`sealed` text
);
--> statement-breakpoint
CREATE INDEX `erasures_hash` ON `erasures` (`hash`,`revision`);--> statement-breakpoint
CREATE INDEX `erasures_unfinished` ON `erasures` (`kind`) WHERE sealed IS NOT NULL;--> statement-breakpoint
CREATE TABLE `guilds` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`icon` text,
	`settings` text NOT NULL,
	`revision` integer NOT NULL,
	`access` text,
	`access_revision` integer,
	`presence` text NOT NULL,
	`left_at` integer,
	`updated_at` integer NOT NULL,
	`logged_day` integer DEFAULT 0 NOT NULL,
	`logged_bytes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `guilds_revision` ON `guilds` (`revision`);--> statement-breakpoint
CREATE INDEX `guilds_access_revision` ON `guilds` (`access_revision`) WHERE access_revision IS NOT NULL;--> statement-breakpoint
CREATE INDEX `guilds_left_at` ON `guilds` (`left_at`) WHERE left_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `ledgers` (
	`id` text PRIMARY KEY NOT NULL,
	`lines` integer NOT NULL,
	`chain` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`id` integer PRIMARY KEY NOT NULL,
	`database_id` text NOT NULL,
	`last_revision` integer NOT NULL,
	`oldest_revision` integer NOT NULL,
	`retention_ran_at` integer,
	`erasure_key` text,
	`declaration` text,
	CONSTRAINT "meta_one_row" CHECK("meta"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `presence_reports` (
	`shard_id` integer NOT NULL,
	`shard_count` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`shard_id`, `shard_count`)
);
--> statement-breakpoint
CREATE TABLE `token_checks` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`checked_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `watchers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`shards` text NOT NULL,
	`registration` integer NOT NULL,
	`version` integer NOT NULL,
	`epoch` text NOT NULL,
	`revision` integer NOT NULL,
	`rejected` text NOT NULL,
	`is_connected` integer NOT NULL,
	`seen_at` integer NOT NULL
);
