import { ProblemError, userSubject } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { isRow, type Setting, type SetValues } from '@guild-settings/contract/settings';
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
  const { lookups, history, records } = call.services;
  if (lookups === undefined) throw new ProblemError('bot-token-missing');
  const { ids = [], query } = input;
  const lookup = { id: guild.id, presence: stored?.presence ?? 'unknown', person: personOf(guild.principal) };
  if (query !== undefined) return { body: await lookups.memberSearch.find({ ...lookup, query }) };
  const authors = new Set(await history.authorsAmong(guild, ids, logReaderOf(call, caller)));
  const listed = new Set(stored?.access?.map(({ subject }) => subject));
  const named = usersIn(stored?.settings ?? {}, records.settings.all);
  const isKnown = (id: string) => authors.has(id) || listed.has(userSubject(id)) || named.has(id);
  const userIds = [...new Set(ids)].filter(isKnown);
  return { body: await lookups.members.list({ ...lookup, userIds, authors }) };
};

/** Returns the ids of the people in the settings of a guild. */
function usersIn(set: SetValues, settings: readonly Setting[]): ReadonlySet<unknown> {
  const isOfUsers = ({ declared }: Setting) => declared.kind === 'user';
  return new Set(
    settings.flatMap((setting) => {
      const items: readonly unknown[] = [set[setting.field] ?? []].flat();
      if (isOfUsers(setting)) return items;
      const columns = (setting.columns ?? []).filter(isOfUsers);
      return items.flatMap((item) => (isRow(item) ? columns.map(({ name }) => item[name]) : []));
    }),
  );
}
