CREATE TABLE `watchers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`shards` text NOT NULL,
	`left_at` integer
);
