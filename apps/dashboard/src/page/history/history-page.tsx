import type { ReceivedArrival } from '@guild-settings/client/browser';
import { fieldLabel, knownFields } from '@guild-settings/i18n';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, classNames } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Select } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { announce, ErrorPanel, Loading, Skeleton } from '../design/panels.tsx';
import { useGuild, useLevel } from '../guilds/guilds.ts';
import { useGuildEvents } from '../guilds/use-guild-events.ts';
import { useNames } from '../people/names.ts';
import { usePageTitle } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import { useWords } from './change-text.tsx';
import { changedField, type HistoryFilters, isFiltered } from './filters.ts';
import styles from './history.module.css';
import { HistoryList } from './history-list.tsx';
import {
  type HistoryPart,
  historyQuery,
  newerQuery,
  newestShown,
  showNewer,
  showOwnChange,
} from './history-queries.ts';
import { MomentButton } from './moment-button.tsx';
import { RevertDialog, useReverted } from './revert.tsx';
import type { RevertTarget } from './revert-queries.ts';

const route = getRouteApi('/guilds/$guild/history');

/**
 * The changes of a guild, with filters in the URL, and undo and restore for people with permission. New changes are
 * offered at the top.
 */
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
  // The people to choose from are those of all changes, even if one of them is chosen.
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

interface FilterBarProps {
  readonly filters: HistoryFilters;
  readonly authors: readonly string[];
  readonly onChange: (filters: HistoryFilters) => void;
}

function FilterBar({ filters, authors, onChange }: FilterBarProps): ReactNode {
  const words = useWords();
  const { t, shared } = words;
  const user = useUser();
  const place = useRef<HTMLElement>(null);
  const { by, ...what } = filters;
  const people = [...new Set([...(user ? [user.id] : []), ...authors, ...(by === undefined ? [] : [by])])];
  const others = people.filter((id) => id !== user?.id).map((id) => ({ kind: 'user', id }));
  const { nameOf } = useNames(others);
  const textOf = (id: string) =>
    id === user?.id ? shared('noted', { text: user.name, note: t('entry.you') }) : nameOf({ kind: 'user', id });
  return (
    <search ref={place} className={styles.filters} aria-label={t('filter.label')}>
      <Select
        label={t('filter.what')}
        value={filters.field ?? filters.kind ?? ''}
        options={[
          { value: '', text: t('filter.everything') },
          { value: 'settings', text: t('filter.settings') },
          ...[...knownFields(words)].map((field) => ({ value: field, text: fieldLabel(field, words) })),
          { value: 'platform', text: t('filter.platform') },
        ]}
        onChange={(value: string) => onChange({ ...whatOf(value), ...(by !== undefined && { by }) })}
      />
      <Select
        label={t('filter.who')}
        value={by ?? ''}
        options={[{ value: '', text: t('filter.everyone') }, ...people.map((id) => ({ value: id, text: textOf(id) }))]}
        onChange={(id: string) => onChange({ ...what, ...(id !== '' && { by: id }) })}
      />
      <Button
        kind="quiet"
        isIcon
        hidden={!isFiltered(filters)}
        aria-label={t('filter.clear')}
        title={t('filter.clear')}
        onPress={() => {
          // The button disappears, and would take the focus with it.
          place.current?.querySelector('select')?.focus();
          onChange({});
        }}
      >
        <Icon name="close" />
      </Button>
    </search>
  );
}

function whatOf(value: string): Omit<HistoryFilters, 'by'> {
  if (value === 'settings' || value === 'platform') return { kind: value };
  const field = changedField(value);
  return field === undefined ? {} : { field };
}

function HistoryLoading(): ReactNode {
  return (
    <Loading>
      <div className={styles.day}>
        <Skeleton width="6rem" height="1.5rem" />
        <div className={styles.list}>
          {[70, 55, 80, 60].map((width) => (
            <div key={width} className={styles.entry}>
              <Skeleton width="2rem" height="2rem" />
              <div className={styles.what}>
                <Skeleton width={`${width}%`} height="1.5rem" />
              </div>
            </div>
          ))}
        </div>
      </div>
    </Loading>
  );
}

function HistoryEmpty({ filters }: { readonly filters: HistoryFilters }): ReactNode {
  const { t } = useWords();
  const filtered = isFiltered(filters);
  return (
    <EmptyState icon={filtered ? 'search' : 'clock'}>
      <h2>{t(filtered ? 'empty.filteredHeading' : 'empty.heading')}</h2>
      <p>{t(filtered ? 'empty.filteredText' : 'empty.text')}</p>
    </EmptyState>
  );
}

interface NewerChangesProps {
  readonly guild: string;
  readonly filters: HistoryFilters;
  readonly parts: readonly HistoryPart[];
}

/**
 * Offers newer changes than the displayed ones. They are shown on demand: entries that appear automatically would move
 * the one being read or pressed. Space for the button is reserved. An empty list shows them at once.
 */
function NewerChanges({ guild, filters, parts }: NewerChangesProps): ReactNode {
  const { t } = useWords();
  const client = useQueryClient();
  const { data: newer, refetch } = useQuery(newerQuery(guild, filters, newestShown(parts)));
  const state = useGuildEvents(guild, ({ type }) => {
    if (type === 'guild' || type === 'changed' || type === 'presence' || type === 'access') void refetch();
    if (type !== 'erased') return;
    announce(t('empty.erased'));
    void client.resetQueries({ queryKey: ['history', guild] });
  });
  // The first change of an empty list does not move anything.
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
    // The button disappears, and would take the focus with it.
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
