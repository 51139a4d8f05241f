import type { GrantedLevel } from '@guild-settings/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../design/panels.tsx';
import { useGuildEvents } from '../guilds/use-guild-events.ts';
import { nameQuery } from '../people/names.ts';
import { useUser } from '../session/session.ts';
import { type AccessEdits, changesList, withEdits } from './access-draft.ts';
import { type AccessList, accessQuery, mayChangeAccess, saveAccess } from './access-queries.ts';

const NONE: AccessEdits = new Map();

/** An access list as a draft, which is saved as a whole. What others change meanwhile is read, and stays below what was chosen. */
export function useAccessDraft(guild: string, theirs: AccessList) {
  const { t } = useTranslation('access');
  const client = useQueryClient();
  const user = useUser();
  const [edits, setEdits] = useState(NONE);
  const [isOvertaken, setOvertaken] = useState(false);
  const { queryKey } = accessQuery(guild);
  const entries = withEdits(theirs.entries, edits);
  const hasChanges = changesList(theirs.entries, edits);
  const saving = useMutation({
    mutationFn: (_sent: AccessEdits) => saveAccess(guild, entries, theirs),
    onSuccess(list, sent) {
      client.setQueryData(queryKey, list);
      setEdits((now) => new Map([...now].filter(([subject, level]) => sent.get(subject) !== level)));
      setOvertaken(false);
      announce(t('saved'));
      // A person who was entered by their id has a name from now on.
      const names = { queryKey: nameQuery(guild, '').queryKey.slice(0, 2) };
      void client.invalidateQueries({ ...names, predicate: ({ state }) => state.data === null });
    },
    // Another manager was faster, or the response was lost: what the service has is shown below what was chosen.
    onError: () => client.invalidateQueries({ queryKey }),
  });
  useGuildEvents(guild, (event) => {
    if (!mayChangeAccess(event.type)) return;
    if (event.type === 'access' && event.actor.id !== user?.id) setOvertaken(hasChanges);
    void client.invalidateQueries({ queryKey });
  });
  return {
    entries,
    hasChanges,
    /** True: another manager has changed the list below the edits. */
    isOvertaken,
    saving,
    save: () => saving.mutate(edits),
    set(subject: string, level: GrantedLevel | null) {
      saving.reset();
      setEdits((now) => new Map(now).set(subject, level));
    },
    discard() {
      saving.reset();
      setEdits(NONE);
      setOvertaken(false);
    },
  };
}
