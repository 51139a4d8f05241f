ALTER TABLE `openings` RENAME TO `epochs`;--> statement-breakpoint
DROP INDEX `openings_epoch`;--> statement-breakpoint
CREATE UNIQUE INDEX `epochs_epoch` ON `epochs` (`epoch`);--> statement-breakpoint
-- For the version before this one, should it be started again on the file. A later migration drops the view.
CREATE VIEW `openings` AS SELECT `number`, `epoch`, `since` FROM `epochs`;--> statement-breakpoint
CREATE TRIGGER `openings_inserted` INSTEAD OF INSERT ON `openings` BEGIN
	INSERT INTO `epochs` (`epoch`, `since`) VALUES (NEW.`epoch`, NEW.`since`);
END;
--> statement-breakpoint
CREATE TRIGGER `openings_deleted` INSTEAD OF DELETE ON `openings` BEGIN
	DELETE FROM `epochs` WHERE `number` = OLD.`number`;
END;
