import type { Actor, GuildLevel } from '@guild-settings/contract';
import { type Entry, saysEverything, sentenceOf } from '@guild-settings/i18n';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button, Popup } from '../design/button.tsx';
import { Icon, type IconName } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { ErrorPanel } from '../design/panels.tsx';
import { Logo, Picture } from '../design/picture.tsx';
import { RelativeTime, useNow } from '../design/relative-time.tsx';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { dayHeading } from '../i18n/time.ts';
import { useNames } from '../people/names.ts';
import { appIcon } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import { ChangeLink, DifferenceTable, isWay, Parts, useWords } from './change-text.tsx';
import { type HistoryFilters, isFiltered } from './filters.ts';
import styles from './history.module.css';
import { type RevertTarget, revertsOf } from './revert-queries.ts';

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

/** The changes by day, newest first, and a button for older ones. */
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

/** A button for older changes, or a text if there are none. */
function Older({ history }: Pick<HistoryListProps, 'history'>): ReactNode {
  const { t } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const load = async () => {
    const { hasNextPage } = await history.fetchNextPage();
    const focused = document.activeElement;
    const hadFocus = focused === document.body || place.current?.contains(focused);
    // The button disappears, and would take the focus with it.
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

interface EntryProps {
  readonly guild: string;
  readonly entry: Entry;
  /** True: it is the newest change of the guild, whose state is already current. */
  readonly isNewest: boolean;
  readonly level: GuildLevel;
  readonly onRevert: (target: RevertTarget) => void;
}

function EntryItem({ guild, entry, isNewest, level, onRevert }: EntryProps): ReactNode {
  const words = useWords();
  const { t } = words;
  const { revision, at, undoneBy, changes } = entry;
  const actions = revertsOf(entry, level).filter((action) => (action === 'undo' ? undoneBy === undefined : !isNewest));
  return (
    <li className={styles.entry} data-revision={revision}>
      <Avatar actor={entry.actor} />
      <div className={styles.what}>
        <p>
          <Parts parts={sentenceOf(entry, words)} />
        </p>
        <Notes entry={entry} />
        {!saysEverything(entry) && (
          <details className={styles.details}>
            <summary>{t('entry.details')}</summary>
            <DifferenceTable changes={changes} caption={t('change.differenceOf', { id: `#${revision}` })} />
          </details>
        )}
      </div>
      <p className={styles.time}>
        <Link to="/guilds/$guild/history/$revision" params={{ guild, revision: String(revision) }}>
          <span>
            #{revision} · <RelativeTime at={at} />
          </span>
        </Link>
      </p>
      {actions.length > 0 && <EntryActions entry={entry} actions={actions} onRevert={onRevert} />}
    </li>
  );
}

/** The reason and origin of a change, and the change that has undone it. The page itself is not named as an origin. */
function Notes({ entry: { reason, origin, undoneBy } }: Pick<EntryProps, 'entry'>): ReactNode {
  const { t, shared } = useWords();
  if (reason === null && undoneBy === undefined && (!isWay(origin) || origin === 'trpc')) return null;
  return (
    <p className={styles.notes}>
      {reason !== null && (
        <span>
          <Filled text={t('entry.reason', UNFILLED)} slots={{ reason: <bdi>{reason}</bdi> }} />
        </span>
      )}
      {isWay(origin) && origin !== 'trpc' && <span>{t(`origin.${origin}`)}</span>}
      {undoneBy !== undefined && (
        <span>
          <Filled text={shared('undoneBy', UNFILLED)} slots={{ change: <ChangeLink revision={undoneBy} /> }} />
        </span>
      )}
    </p>
  );
}

interface EntryActionsProps {
  readonly entry: Entry;
  readonly actions: readonly RevertTarget['kind'][];
  readonly onRevert: (target: RevertTarget) => void;
}

/** The actions of a change: the undo beside it, and the rarer restore in a menu. */
function EntryActions({ entry: { revision, kind }, actions, onRevert }: EntryActionsProps): ReactNode {
  const { t } = useWords();
  const id = `#${revision}`;
  const choose = (action: RevertTarget['kind']) => onRevert({ kind: action, revision, isOfAccess: kind === 'access' });
  return (
    <div className={styles.entryActions}>
      {actions.includes('undo') && <UndoButton id={id} onPress={() => choose('undo')} />}
      {actions.includes('restore') && (
        <Popup side="menu" isIcon label={t('entry.more', { id })} button={<Icon name="more" />}>
          {(close) => (
            <Button
              kind="quiet"
              aria-label={t('entry.restoreName', { id })}
              onPress={() => {
                close();
                choose('restore');
              }}
            >
              {t('entry.restore')}
            </Button>
          )}
        </Popup>
      )}
    </div>
  );
}

/** The button of an undo. When it disappears because the change is undone, it moves the focus to its neighbour. */
function UndoButton({ id, onPress }: { readonly id: string; readonly onPress: () => void }): ReactNode {
  const { t } = useWords();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (button === null || document.activeElement !== button) return;
      const row = button.closest('li');
      // The menu may appear with the same change of the row.
      queueMicrotask(() => {
        const beside = row?.querySelector<HTMLElement>('button[popovertarget]') ?? row?.querySelector('a');
        beside?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <Button
      ref={ref}
      kind="quiet"
      isIcon
      aria-label={t('entry.undoName', { id })}
      title={t('entry.undo')}
      onPress={onPress}
    >
      <Icon name="undo" />
    </Button>
  );
}

const ICONS: Readonly<Record<string, IconName>> = { application: 'bot', platform: 'discord' };

function Avatar({ actor }: { readonly actor: Actor }): ReactNode {
  const { kind, id } = actor;
  const user = useUser();
  const isReader = kind === 'user' && user?.id === id;
  const { nameOf, avatarOf } = useNames(isReader ? [] : [actor]);
  if (kind === 'application' && appIcon() !== undefined) return <Logo size="1.75rem" />;
  if (kind !== 'user' || id === null) {
    return (
      <span className={styles.icon}>
        <Icon name={ICONS[kind] ?? 'user'} />
      </span>
    );
  }
  const hash = isReader ? user?.avatar : avatarOf(actor);
  const path = hash == null ? undefined : `avatars/${id}/${hash}.webp?size=64`;
  return <Picture id={id} name={isReader ? user.name : nameOf(actor)} path={path} size="person" />;
}
