import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button, classNames } from '../design/button.tsx';
import { announce } from '../design/panels.tsx';
import { useGuildEvents } from '../guilds/use-guild-events.ts';
import type { HistoryFilters } from './filters.ts';
import styles from './history.module.css';
import { historyQuery, newerQuery, showNewer } from './history-queries.ts';
import { type HistoryPart, newestShown } from './merge-newer.ts';
import { useWords } from './use-words.ts';

interface NewerChangesProps {
  readonly guild: string;
  readonly filters: HistoryFilters;
  readonly parts: readonly HistoryPart[];
}

/**
 * Offers the changes that are newer than the shown ones. They are shown when the reader wants them: an entry that appeared by
 * itself would move the one that is being read, or pressed. The place of the button is kept free. An empty list shows them at once.
 */
export function NewerChanges({ guild, filters, parts }: NewerChangesProps): ReactNode {
  const { t } = useWords();
  const client = useQueryClient();
  const { data: newer, refetch } = useQuery(newerQuery(guild, filters, newestShown(parts)));
  const state = useGuildEvents(guild, ({ type }) => {
    if (type === 'guild' || type === 'changed' || type === 'presence' || type === 'access') void refetch();
    if (type !== 'erased') return;
    announce(t('empty.erased'));
    void client.resetQueries({ queryKey: ['history', guild] });
  });
  // The first change of a list moves none.
  const isEmpty = newestShown(parts) === 0;
  const label = newer.length === 0 ? undefined : t('page.new', { count: newer.length });
  const take = useEffectEvent((text: string) => {
    if (isEmpty) showNewer(client, historyQuery(guild, filters).queryKey, newer);
    else announce(text);
  });
  useEffect(() => {
    if (label !== undefined) take(label);
  }, [label]);
  const place = useRef<HTMLDivElement>(null);
  const show = () => {
    // The button goes, and the focus would go with it.
    place.current?.focus({ preventScroll: true });
    showNewer(client, historyQuery(guild, filters).queryKey, newer);
    window.scrollTo({ top: 0 });
  };
  return (
    <div ref={place} tabIndex={-1} className={classNames(styles.newer, label !== undefined && styles.sticky)}>
      {label === undefined ? (
        <p className={styles.meta}>{state !== 'connecting' && t(state === 'live' ? 'page.live' : 'page.notLive')}</p>
      ) : (
        <Button kind="primary" onPress={show}>
          {label}
        </Button>
      )}
    </div>
  );
}
