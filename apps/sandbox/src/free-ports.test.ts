import { rejectionOf, serveHttp } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { requireFreePorts, type ServerPort } from './free-ports.ts';

function server(variable: string, port: number, defaultPort = port): ServerPort {
  return { server: variable.toLowerCase(), host: '127.0.0.1', port, variable, defaultPort };
}

async function freePort(): Promise<number> {
  await using taken = await serveHttp();
  return taken.port;
}

test('accepts free ports, and 0 for any', async () => {
  await requireFreePorts([server('ONE', await freePort()), server('OTHER', 0)]);
});

test('names all the ports that are taken, with a different free one for each', async () => {
  await using one = await serveHttp();
  await using other = await serveHttp();
  const error = (await rejectionOf(requireFreePorts([server('ONE', one.port), server('OTHER', other.port)]))) as Error;
  expect(error.message).toContain(`Port ${one.port} is taken, so one cannot listen on it.`);
  expect(error.message).toContain(`Port ${other.port} is taken, so other cannot listen on it.`);
  const [, first, second] = /ONE=(\d+) OTHER=(\d+) npx --yes pnpm@12 start$/.exec(error.message) ?? [];
  expect(first).not.toBe(second);
  await requireFreePorts([server('ONE', Number(first)), server('OTHER', Number(second))]);
});

test('keeps ports that were chosen in the suggestion', async () => {
  await using one = await serveHttp();
  const chosen = await freePort();
  const error = (await rejectionOf(
    requireFreePorts([server('ONE', one.port), server('OTHER', chosen, 3_001)]),
  )) as Error;
  expect(error.message).toMatch(new RegExp(`ONE=\\d+ OTHER=${chosen} npx`));
});
