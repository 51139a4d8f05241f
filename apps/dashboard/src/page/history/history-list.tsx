import type { GuildLevel } from '@guild-settings/contract';
import type { Entry } from '@guild-settings/i18n';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { ErrorPanel } from '../design/panels.tsx';
import { useNow } from '../design/relative-time.tsx';
import { dayHeading } from '../i18n/time.ts';
import { EntryItem } from './entry-item.tsx';
import { type HistoryFilters, isFiltered } from './filters.ts';
import styles from './history.module.css';
import type { RevertTarget } from './revert-queries.ts';
import { useWords } from './use-words.ts';

interface HistoryListProps {
  readonly guild: string;
  readonly filters: HistoryFilters;
  readonly history: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage' | 'error'
  >;
  readonly entries: readonly Entry[];
  readonly level: GuildLevel;
  readonly onRevert: (target: RevertTarget) => void;
}

const MINUTE_MS = 60_000;

/** The changes by days, the newest first, and a button for older ones. */
export function HistoryList({ guild, filters, history, entries, level, onRevert }: HistoryListProps): ReactNode {
  const { language } = useWords();
  const nowMs = useNow(() => MINUTE_MS);
  const days = byDay(entries, ({ at }) => dayHeading(Date.parse(at), nowMs, { language }));
  const newest = isFiltered(filters) ? undefined : entries[0]?.revision;
  return (
    <>
      {[...days].map(([heading, changes]) => (
        <section key={heading} aria-label={heading} className={styles.day}>
          <h2 className={styles.heading}>{heading}</h2>
          {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
          <ol role="list" className={styles.list}>
            {changes.map((entry) => (
              <EntryItem
                key={entry.revision}
                guild={guild}
                entry={entry}
                isNewest={entry.revision === newest}
                level={level}
                onRevert={onRevert}
              />
            ))}
          </ol>
        </section>
      ))}
      {history.isFetchNextPageError ? (
        <ErrorPanel error={history.error} onRetry={history.fetchNextPage} />
      ) : (
        <Older history={history} />
      )}
    </>
  );
}

/** A button for older changes; where there are none, a text says so. */
function Older({ history }: Pick<HistoryListProps, 'history'>): ReactNode {
  const { t } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const load = async () => {
    const { hasNextPage } = await history.fetchNextPage();
    const focused = document.activeElement;
    const hadFocus = focused === document.body || place.current?.contains(focused);
    // The button goes, and the focus would go with it.
    if (!hasNextPage && hadFocus) place.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={place} tabIndex={-1}>
      {history.hasNextPage ? (
        <Button isPending={history.isFetchingNextPage} onPress={load}>
          {t('page.more')}
        </Button>
      ) : (
        <p className={styles.end}>{t('page.end')}</p>
      )}
    </div>
  );
}

function byDay(entries: readonly Entry[], headingOf: (entry: Entry) => string): Map<string, Entry[]> {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const heading = headingOf(entry);
    days.set(heading, [...(days.get(heading) ?? []), entry]);
  }
  return days;
}
