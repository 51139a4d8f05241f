import type { ChangedField } from '@guild-settings/contract';
import { listDifference } from '@guild-settings/contract/settings';
import { queryOptions } from '@tanstack/react-query';
import type { FieldChangedBy, Theirs } from '../draft/draft.ts';
import { FEATURES, type Field } from '../draft/fields.ts';
import { send, service } from '../service/service.ts';

/** Changes of the features in which the newest one of a feature is looked for. */
const SEARCHED = 20;

/** Returns the query of the newest change of a setting in the history, for a record without its author; null: the history has none. */
export function lastChangeQuery(guild: string, field: Field, { upTo }: Theirs) {
  return queryOptions({
    queryKey: ['last-change', guild, field, upTo] as const,
    queryFn: async ({ signal }): Promise<FieldChangedBy | null> => {
      // Later changes are not shown yet.
      const input = { guild, field: field as ChangedField, before: upTo + 1, limit: 1 };
      const { data } = await send((options) => service.guilds.history.query(input, options), { signal });
      return data.entries[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the query of the newest change that switched a feature; null: it is not among the newest changes of the features. */
export function lastSwitchQuery(guild: string, name: string, { upTo }: Theirs) {
  return queryOptions({
    queryKey: ['last-switch', guild, name, upTo] as const,
    queryFn: async ({ signal }): Promise<FieldChangedBy | null> => {
      const field = FEATURES.field as ChangedField;
      const input = { guild, field, before: upTo + 1, limit: SEARCHED };
      const { data } = await send((options) => service.guilds.history.query(input, options), { signal });
      const isOfFeature = ({ changes }: (typeof data.entries)[number]) => {
        const { added = [], removed = [] } = listDifference(changes[field]?.from, changes[field]?.to) ?? {};
        return added.includes(name) || removed.includes(name);
      };
      return data.entries.find(isOfFeature) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
