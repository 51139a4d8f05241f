import type { ProblemIssue } from '@guild-settings/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DraftStore } from '../draft/draft-store.ts';
import type { Outcome } from './outcome.ts';
import { createSaver } from './saver.ts';

export function useSave(guild: string, store: DraftStore) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const [issues, setIssues] = useState<readonly ProblemIssue[]>([]);
  const saver = useMemo(() => createSaver({ client, guild, store, setOutcome, setIssues }), [client, guild, store]);
  return { saver, outcome, issues };
}
