CREATE TABLE "watchers" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"shards" jsonb NOT NULL,
	"left_at" bigint,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "watchers_version" ON "watchers" USING btree ("version");