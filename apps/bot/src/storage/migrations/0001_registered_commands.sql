CREATE TABLE `registered_commands` (
	`application_id` text NOT NULL,
	`id` text NOT NULL,
	`version` text NOT NULL,
	PRIMARY KEY(`application_id`, `id`)
);
