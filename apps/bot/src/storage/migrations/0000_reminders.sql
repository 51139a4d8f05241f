CREATE TABLE `reminders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`guild_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`user_id` text NOT NULL,
	`text` text NOT NULL,
	`due_at` integer NOT NULL,
	`time_zone` text NOT NULL,
	`language` text NOT NULL,
	`every` text,
	`nonce` text NOT NULL,
	`next_try_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminders_next` ON `reminders` (`next_try_at`,`id`) WHERE "reminders"."next_try_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reminders_of_person` ON `reminders` (`guild_id`,`user_id`);