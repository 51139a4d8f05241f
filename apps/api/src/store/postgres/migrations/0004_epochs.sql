ALTER TABLE "openings" RENAME TO "epochs";--> statement-breakpoint
ALTER TABLE "epochs" RENAME COLUMN "incarnation" TO "server_run";--> statement-breakpoint
ALTER SEQUENCE "openings_number_seq" RENAME TO "epochs_number_seq";--> statement-breakpoint
ALTER INDEX "openings_pkey" RENAME TO "epochs_pkey";--> statement-breakpoint
ALTER INDEX "openings_epoch" RENAME TO "epochs_epoch";--> statement-breakpoint
ALTER INDEX "openings_incarnation" RENAME TO "epochs_server_run";--> statement-breakpoint
-- For processes of the version before this one, which run beside this one during an upgrade: they read it and insert into
-- it as if it were the table. A later migration drops the view.
CREATE VIEW "openings" AS SELECT "number", "epoch", "since", "server_run" AS "incarnation" FROM "epochs";
