import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

test.each([
  ['the replica', 'packages/replica/src/index.ts', 'node'],
  ['the page', 'apps/dashboard/src/page/main.tsx', 'browser'],
] as const)('%s loads no operation, whose texts and schemas are for the service', async (_name, entry, platform) => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    platform,
    conditions: ['@guild-settings/source'],
    format: 'esm',
    bundle: true,
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
    loader: { '.svg': 'empty' },
    external: ['better-sqlite3'],
  });
  const sources = Object.keys(metafile.inputs);
  expect(sources.filter((name) => name.startsWith('packages/contract/src/')).length).toBeGreaterThan(5);
  expect(sources.filter((name) => name.startsWith('packages/contract/src/operations/'))).toEqual([]);
});
