-- A guild's shard is (id >> 22) % count. Ids of 19 digits exceed 64 signed bits, so the id is split before its last nine
-- digits: with id = high * 10^9 + low and 10^9 = 2^9 * 1953125, id >> 22 = (high * 1953125 + (low >> 9)) >> 13.
CREATE FUNCTION "keep_shard_guilds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "shard_guilds" ("shard_count", "shard_id", "guild_id")
		SELECT "count", ((left(NEW.id, -9)::bigint * 1953125 + (right(NEW.id, 9)::bigint >> 9)) >> 13) % "count", NEW.id FROM "shard_counts"
		ON CONFLICT DO NOTHING;
	ELSE
		DELETE FROM "shard_guilds" USING "shard_counts" WHERE "shard_count" = "count"
		AND "shard_id" = ((left(OLD.id, -9)::bigint * 1953125 + (right(OLD.id, 9)::bigint >> 9)) >> 13) % "count" AND "guild_id" = OLD.id;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "guilds_shards" AFTER INSERT OR DELETE ON "guilds" FOR EACH ROW EXECUTE FUNCTION "keep_shard_guilds"();
