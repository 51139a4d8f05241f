DROP INDEX "erasures_unclean";--> statement-breakpoint
ALTER TABLE "changes" ALTER COLUMN "after" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "erasures_unfinished" ON "erasures" USING btree ("kind") WHERE sealed IS NOT NULL;--> statement-breakpoint
ALTER TABLE "erasures" DROP COLUMN "is_clean";