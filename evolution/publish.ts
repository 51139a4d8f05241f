import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { test } from 'vitest';
import { startApi } from './src/api-process.ts';
import { bundleVersion } from './src/bundle.ts';
import { startReader } from './src/reader-process.ts';
import { PUBLISHED, publishedVersions } from './src/versions.ts';
import { environmentOf, GUILD, OTHER_GUILD, startDiscord, TOKEN } from './src/world.ts';

test('publishes the sources as they are now as the next version, with the files that it has written', async () => {
  const folder = join(PUBLISHED, String(publishedVersions().length + 1));
  await bundleVersion(folder);
  const files = temporaryFolder();
  const discord = await startDiscord();
  const api = await startApi(folder, environmentOf(discord, files.file('api.db')));
  const reader = startReader(folder);
  const to = { url: api.url, token: TOKEN };
  const call = { ...to, procedure: 'guilds.update', type: 'mutate' };
  await reader.send('openReplica', { ...to, path: files.file('replica.db') });
  await reader.send('call', { ...call, input: { guild: OTHER_GUILD, language: 'ja', enabledFeatures: ['a', 'b'] } });
  await reader.send('call', { ...call, input: { guild: GUILD, prefix: '?', beta: true } });
  await waitUntil(async () => {
    const { metrics } = await reader.send<{ metrics: { revision: number } }>('replica', { guilds: [] });
    return metrics.revision === 2;
  });
  await reader.send('closeReplica');
  await reader[Symbol.asyncDispose]();
  await api.end('SIGTERM');
  await discord.close();
  mkdirSync(join(folder, 'files'));
  for (const name of readdirSync(files.path)) {
    if (name.endsWith('-lock')) continue;
    copyFileSync(files.file(name), join(folder, 'files', name));
    chmodSync(join(folder, 'files', name), 0o644);
  }
  files[Symbol.dispose]();
});
