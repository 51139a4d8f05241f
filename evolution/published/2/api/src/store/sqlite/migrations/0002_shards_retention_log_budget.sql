CREATE TABLE `shard_counts` (
	`count` integer PRIMARY KEY NOT NULL,
	`filled_to` text
);
--> statement-breakpoint
CREATE TABLE `shard_guilds` (
	`shard_count` integer NOT NULL,
	`shard_id` integer NOT NULL,
	`guild_id` text NOT NULL,
	PRIMARY KEY(`shard_count`, `shard_id`, `guild_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `guilds` ADD `logged_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `guilds` ADD `logged_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `meta` ADD `retention_ran_at` integer;