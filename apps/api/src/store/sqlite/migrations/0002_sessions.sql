CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`user_id` text NOT NULL,
	`user_name` text NOT NULL,
	`user_avatar` text,
	`locale` text,
	`device` text NOT NULL,
	`started_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`tokens` text NOT NULL,
	`tokens_expire_at` integer NOT NULL,
	`tokens_version` integer NOT NULL,
	`lease_holder` text,
	`lease_until` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_public_id` ON `sessions` (`public_id`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_last_used` ON `sessions` (`last_used_at`);