-- A guild's shard is (id >> 22) % count. Ids of 19 digits exceed 64 signed bits, so the id is split before its last nine
-- digits: with id = high * 10^9 + low and 10^9 = 2^9 * 1953125, id >> 22 = (high * 1953125 + (low >> 9)) >> 13.
CREATE TRIGGER `guilds_inserted` AFTER INSERT ON `guilds` BEGIN
	INSERT INTO `shard_guilds` (`shard_count`, `shard_id`, `guild_id`)
	SELECT `count`, ((CAST(substr(NEW.id, 1, length(NEW.id) - 9) AS INTEGER) * 1953125 + (CAST(substr(NEW.id, -9) AS INTEGER) >> 9)) >> 13) % `count`, NEW.id FROM `shard_counts` WHERE true
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `guilds_deleted` AFTER DELETE ON `guilds` BEGIN
	DELETE FROM `shard_guilds` WHERE `guild_id` = OLD.id AND (`shard_count`, `shard_id`) IN
	(SELECT `count`, ((CAST(substr(OLD.id, 1, length(OLD.id) - 9) AS INTEGER) * 1953125 + (CAST(substr(OLD.id, -9) AS INTEGER) >> 9)) >> 13) % `count` FROM `shard_counts`);
END;
