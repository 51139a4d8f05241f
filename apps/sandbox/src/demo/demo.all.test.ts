import { startDiscordSim } from '@guild-settings/discord-sim';
import { GUILDS } from '@guild-settings/discord-sim/testing/world';
import { serveHttp, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { runSandbox } from '../testing/sandbox-process.ts';
import { runScenario } from './scenario.ts';
import { UnexpectedResultError } from './users.ts';

test('the scenario runs as expected, with the milliseconds to the first use of each change', async () => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'src/demo/main.ts', folder: folder.path });
  expect((await demo.exited).code, demo.stdout() + demo.stderr()).toBe(0);
  const transcript = demo.stdout();
  expect(transcript.match(/used by the bot [\d.]+ ms after the response/g)).toHaveLength(13);
  for (const text of ['Pong!', 'ポン！', 'पोंग!', 'Tea at five', 'the kettle', 'SIGKILL', 'All as expected']) {
    expect(transcript).toContain(text);
  }
  expect(demo.stderr()).toBe('');
});

test('a scenario with an unexpected result ends there', async () => {
  // The first request of the scenario expects the default settings.
  const body = JSON.stringify({ id: GUILDS[0].id, prefix: '%' });
  await using api = await serveHttp((_request, response) => response.end(body));
  await using discord = await startDiscordSim();
  const notUsed = () => Promise.reject(new Error('Expected no kill and no start'));
  await using services = {
    discord,
    apiUrl: api.url,
    kill: notUsed,
    start: notUsed,
    [Symbol.asyncDispose]: async () => {},
  };
  const kinds: string[] = [];
  const scenario = runScenario(services, ({ kind }) => kinds.push(kind));
  await expect(scenario).rejects.toThrow(UnexpectedResultError);
  expect(kinds).toStrictEqual(['chapter', 'request']);
});
