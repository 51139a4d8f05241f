#!/bin/sh
# Builds the folders api and bot for a machine that runs them: each program with its dependencies except Node, and the
# page in that of the api.
#
#  deploy/build.sh /srv/guild-settings-2.0.0
set -eu

target=${1:?Expected the new folder of the programs, such as /srv/guild-settings-2.0.0}
if [ -e "$target" ]; then
  echo "Expected a folder that does not exist yet, received $target. Name one with the version." >&2
  exit 1
fi
mkdir -p "$target"
target=$(cd "$target" && pwd)
cd "$(dirname "$0")/.."

export TURBO_TELEMETRY_DISABLED=1
npx --yes pnpm@12 exec turbo run --output-logs=errors-only \
  @guild-settings/api#build @guild-settings/bot#build @guild-settings/dashboard#page
for program in api bot; do
  npx --yes pnpm@12 --filter "@guild-settings/$program" deploy --prod "$target/$program"
  # The sources of SQLite, and its binaries for systems other than Linux, are larger than the program.
  find "$target/$program/node_modules/.pnpm" \( -path '*/better-sqlite3/deps/*' -o -path '*/better-sqlite3/src/*' \
    -o -path '*/node-addon-api/*' -o -path '*/prebuilds/*' ! -name 'linux*' \) -type f -delete
done
cp -R apps/dashboard/dist/page "$target/api/page"
cp deploy/backup.sh "$target/api/"
