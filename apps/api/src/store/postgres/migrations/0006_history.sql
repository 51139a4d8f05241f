ALTER TABLE "changes" ADD COLUMN "target" bigint;--> statement-breakpoint
ALTER TABLE "changes" ADD COLUMN "undone_by" bigint;