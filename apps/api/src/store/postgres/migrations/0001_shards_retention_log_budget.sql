CREATE TABLE "shard_counts" (
	"count" integer PRIMARY KEY NOT NULL,
	"filled_to" text
);
--> statement-breakpoint
CREATE TABLE "shard_guilds" (
	"shard_count" integer NOT NULL,
	"shard_id" integer NOT NULL,
	"guild_id" text NOT NULL,
	CONSTRAINT "shard_guilds_shard_count_shard_id_guild_id_pk" PRIMARY KEY("shard_count","shard_id","guild_id")
);
--> statement-breakpoint
ALTER TABLE "guilds" ADD COLUMN "logged_day" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "guilds" ADD COLUMN "logged_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "meta" ADD COLUMN "retention_ran_at" bigint;