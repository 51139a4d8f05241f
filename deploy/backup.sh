#!/bin/sh
# Copies a SQLite file that is in use, and the ledger of erasures, then deletes copies that are older than 14 days:
#
#   backup.sh /var/lib/guild-settings/api/api.db /var/lib/guild-settings-backups/api
set -eu

file=${1:?Expected the path of a SQLite file}
folder=${2:?Expected the folder of the copies}
name=$(basename "$file" .db)
ledger=${ERASURE_LEDGER:-$file-erasures}
if [ -n "${ERASURE_LEDGER:-}" ] && [ ! -e "$ledger" ]; then
  echo "Expected the ledger of erasures at $ledger, as ERASURE_LEDGER has it, found no file. Correct the path." >&2
  exit 1
fi

node "$(dirname "$0")/dist/backup.js" --from "file:$file" --to "file:$folder/$name-$(date -u +%Y-%m-%dT%H-%M-%SZ).db"
# Only the newest ledger: an older one lacks the erasures since.
if [ -e "$ledger" ]; then
  cp "$ledger" "$folder/erasures.partial"
  mv "$folder/erasures.partial" "$folder/erasures"
fi
find "$folder" -name "$name-*.db" -mtime +14 -delete
# The program reads the time of its last backup here, for its metrics.
touch "$file-backup"
