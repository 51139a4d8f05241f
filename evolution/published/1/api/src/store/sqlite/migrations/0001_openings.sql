CREATE TABLE `openings` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`epoch` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `openings_epoch` ON `openings` (`epoch`);