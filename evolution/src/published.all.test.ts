import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import { expect, test } from 'vitest';
import { FILES, publish, SERVICE } from './published-files.ts';
import { folderOf, PACKAGE_VERSION, publishedVersions } from './versions.ts';

const MAX_BYTES = 1_500_000;

if (process.env.PUBLISH_VERSION === '1') {
  const discord = await startWorld();
  await publish(PACKAGE_VERSION, discord);
  await discord.close();
}

test('the version of the packages is published', () => {
  expect(
    publishedVersions(),
    'PUBLISH_VERSION=1 npx --yes pnpm@12 --filter @guild-settings/evolution test:all',
  ).toContain(PACKAGE_VERSION);
});

test.each(publishedVersions())('version %s has a service, a reader and files, in at most 1.5 MB', (version) => {
  const folder = folderOf(version);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([SERVICE, 'reader/program/main.mjs', ...Object.values(FILES).map((file) => `${file}.gz`)]),
  );
  const bytes = files.map((file) => statSync(join(folder, file))).filter((stat) => stat.isFile());
  expect(bytes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});
