import type { Operations } from '@guild-settings/contract/operations';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';

export const readHistory: Handler<Operations['guilds']['history']> = async ({ caller, guild, input, call }) => {
  const { guild: id, ...query } = input;
  const { entries, nextBefore } = await call.services.history.read(guild, query, logReaderOf(call, caller));
  if (nextBefore === undefined) return { body: { entries } };
  const parameters = Object.entries({ ...query, before: nextBefore }).map(([name, value]) => [name, String(value)]);
  const next = `/guilds/${id}/history?${new URLSearchParams(Object.fromEntries(parameters))}`;
  return { body: { entries }, next };
};
