ALTER TABLE `changes` ADD `target` integer;--> statement-breakpoint
ALTER TABLE `changes` ADD `undone_by` integer;