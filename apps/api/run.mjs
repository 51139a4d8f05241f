import { existsSync } from 'node:fs';

/** Runs a built program of this package: `node run.mjs migrate --to ...` runs `dist/migrate.js`. */
const [name] = process.argv.splice(2, 1);
const program = new URL(`dist/${name}.js`, import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('The api is not built. Run this in the root of the repository: npx --yes pnpm@12 build\n');
  process.exitCode = 1;
}
