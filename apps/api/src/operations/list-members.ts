import { ProblemError, userSubject } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { personOf } from '../auth/principal.ts';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';

export const listGuildMembers: Handler<Operations['guilds']['members']> = async ({
  caller,
  guild,
  stored,
  input,
  call,
}) => {
  const { lookups, history } = call.services;
  if (lookups === undefined) throw new ProblemError('bot-token-missing');
  const { ids = [], query } = input;
  const lookup = { id: guild.id, presence: stored?.presence ?? 'unknown', person: personOf(guild.principal) };
  if (query !== undefined) return { body: await lookups.memberSearch.find({ ...lookup, query }) };
  const authors = new Set(await history.authorsAmong(guild, ids, logReaderOf(call, caller)));
  const listed = new Set(stored?.access?.map(({ subject }) => subject));
  const userIds = [...new Set(ids)].filter((id) => authors.has(id) || listed.has(userSubject(id)));
  return { body: await lookups.members.list({ ...lookup, userIds, authors }) };
};
