import type { ReceivedArrival } from '@guild-settings/client/browser';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ErrorPanel } from '../design/panels.tsx';
import { useGuild, useLevel } from '../guilds/guilds.ts';
import { usePageTitle } from '../service/identity.ts';
import { FilterBar } from './filter-bar.tsx';
import type { HistoryFilters } from './filters.ts';
import styles from './history.module.css';
import { HistoryList } from './history-list.tsx';
import { historyQuery, showOwnChange } from './history-queries.ts';
import { HistoryEmpty, HistoryLoading } from './history-states.tsx';
import { MomentButton } from './moment-button.tsx';
import { NewerChanges } from './newer-changes.tsx';
import { RevertDialog } from './revert-dialog.tsx';
import type { RevertTarget } from './revert-queries.ts';
import { useReverted } from './use-reverted.tsx';
import { useWords } from './use-words.ts';

const route = getRouteApi('/guilds/$guild/history');

/** The changes of a guild, with filters in the address; undo and restore for who may change it. New changes are offered at the top. */
export function HistoryPage(): ReactNode {
  const { guild } = route.useParams();
  const filters = route.useSearch();
  const { t } = useWords();
  const reverted = useReverted();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const [target, setTarget] = useState<RevertTarget>();
  usePageTitle(t('title'), useGuild(guild)?.name);
  const level = useLevel(guild);
  const history = useInfiniteQuery(historyQuery(guild, filters));
  // The people to choose from are those of all changes, also when one of them is chosen.
  const { by: _, ...ofAll } = filters;
  const all = useInfiniteQuery(historyQuery(guild, ofAll));
  const entries = history.data?.pages.flatMap((part) => part.entries) ?? [];
  const setFilters = (search: HistoryFilters) => void navigate({ search, replace: true, resetScroll: false });

  const done = (made: RevertTarget, arrival: ReceivedArrival | undefined) => {
    setTarget(undefined);
    reverted.tell(made, arrival);
    void showOwnChange(client, guild, filters);
    void client.invalidateQueries({ queryKey: ['guild', guild] });
  };
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <p className={styles.intro}>{t('page.intro')}</p>
      </div>
      <div className={styles.tools}>
        <FilterBar
          filters={filters}
          authors={authorsOf(all.data?.pages.flatMap((part) => part.entries) ?? [])}
          onChange={setFilters}
        />
        {level !== 'viewer' && (
          <MomentButton
            guild={guild}
            onFound={(revision) => setTarget({ kind: 'restore', revision, isOfAccess: false })}
          />
        )}
      </div>
      {reverted.message}
      {(history.isPending || level === undefined) && <HistoryLoading />}
      {history.data === undefined && history.error !== null && (
        <ErrorPanel error={history.error} onRetry={history.refetch} />
      )}
      {history.data !== undefined && level !== undefined && (
        <>
          <NewerChanges guild={guild} filters={filters} parts={history.data.pages} />
          {entries.length === 0 && !history.hasNextPage ? (
            <HistoryEmpty filters={filters} />
          ) : (
            <HistoryList
              guild={guild}
              filters={filters}
              history={history}
              entries={entries}
              level={level}
              onRevert={setTarget}
            />
          )}
        </>
      )}
      {target !== undefined && level !== 'viewer' && (
        <RevertDialog
          key={`${target.kind} ${target.revision}`}
          guild={guild}
          target={target}
          onClose={() => setTarget(undefined)}
          onDone={(arrival) => done(target, arrival)}
          onOther={setTarget}
        />
      )}
    </div>
  );
}

function authorsOf(entries: readonly { readonly actor: { readonly kind: string; readonly id: string | null } }[]) {
  const ids = entries.map(({ actor }) => (actor.kind === 'user' ? actor.id : null));
  return [...new Set(ids)].filter((id) => id !== null);
}
