DROP INDEX `erasures_unclean`;--> statement-breakpoint
CREATE INDEX `erasures_unfinished` ON `erasures` (`kind`) WHERE sealed IS NOT NULL;--> statement-breakpoint
ALTER TABLE `erasures` DROP COLUMN `is_clean`;--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_changes` (
	`revision` integer PRIMARY KEY NOT NULL,
	`guild_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`origin` text NOT NULL,
	`reason` text,
	`before` text NOT NULL,
	`after` text NOT NULL,
	`target` integer,
	`undone_by` integer
);
--> statement-breakpoint
INSERT INTO `__new_changes`("revision", "guild_id", "at", "actor_kind", "actor_id", "origin", "reason", "before", "after", "target", "undone_by") SELECT "revision", "guild_id", "at", "actor_kind", "actor_id", "origin", "reason", "before", "after", "target", "undone_by" FROM `changes`;--> statement-breakpoint
DROP TABLE `changes`;--> statement-breakpoint
ALTER TABLE `__new_changes` RENAME TO `changes`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `changes_guild` ON `changes` (`guild_id`,`revision`);--> statement-breakpoint
CREATE INDEX `changes_at` ON `changes` (`at`);