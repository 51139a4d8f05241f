CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"at" bigint NOT NULL,
	"revision" bigint NOT NULL,
	"was_present" boolean NOT NULL,
	"is_requested" boolean NOT NULL,
	"sealed" text,
	"is_clean" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "meta" ADD COLUMN "erasure_key" text;--> statement-breakpoint
CREATE INDEX "erasures_hash" ON "erasures" USING btree ("hash","revision");--> statement-breakpoint
CREATE INDEX "erasures_unclean" ON "erasures" USING btree ("kind") WHERE NOT is_clean;