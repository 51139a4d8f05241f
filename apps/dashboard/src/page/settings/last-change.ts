import { queryOptions } from '@tanstack/react-query';
import type { FieldChangedBy, Theirs } from '../draft/draft.ts';
import type { Field } from '../draft/fields.ts';
import { send } from '../service/send.ts';
import { service } from '../service/service.ts';

/** Returns the query of the newest change of a setting in the history, for a record without its author; null: the history has none. */
export function lastChangeQuery(guild: string, field: Field, { upTo }: Theirs) {
  return queryOptions({
    queryKey: ['last-change', guild, field, upTo] as const,
    queryFn: async ({ signal }): Promise<FieldChangedBy | null> => {
      // Later changes are not shown yet.
      const input = { guild, field, before: upTo + 1, limit: 1 };
      const { data } = await send((options) => service.guilds.history.query(input, options), { signal });
      return data.entries[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
