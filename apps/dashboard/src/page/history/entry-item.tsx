import type { GuildLevel } from '@guild-settings/contract';
import { type Entry, fillParts, saysEverything, sentenceOf } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { Link } from '../design/link.tsx';
import { RelativeTime } from '../design/relative-time.tsx';
import { Avatar } from '../people/avatar.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { EntryActions } from './entry-actions.tsx';
import styles from './entry-item.module.css';
import type { RevertTarget } from './revert-queries.ts';
import { Parts } from './sentence-text.tsx';
import { useWords } from './use-words.ts';

interface EntryProps {
  readonly guild: string;
  readonly entry: Entry;
  /** True: it is the newest change of the guild, whose state is current already. */
  readonly isNewest: boolean;
  readonly level: GuildLevel;
  readonly onRevert: (target: RevertTarget) => void;
}

/** A change in the list: its author, sentence and time on one line, and its actions. */
export function EntryItem({ guild, entry, isNewest, level, onRevert }: EntryProps): ReactNode {
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
            <DifferenceTable changes={changes} caption={`${t('change.difference')} #${revision}`} />
          </details>
        )}
      </div>
      {actions.length > 0 && <EntryActions entry={entry} actions={actions} onRevert={onRevert} />}
      <p className={styles.time}>
        <Link to="/guilds/$guild/history/$revision" params={{ guild, revision: String(revision) }}>
          <span>
            #{revision} · <RelativeTime at={at} />
          </span>
        </Link>
      </p>
    </li>
  );
}

/**
 * The reason and the origin of a change, and the change that has undone it. The page itself is not named as an origin.
 */
function Notes({ entry: { reason, origin, undoneBy } }: Pick<EntryProps, 'entry'>): ReactNode {
  const { t, shared } = useWords();
  const undone =
    undoneBy === undefined
      ? []
      : fillParts(shared('undoneBy', { skipInterpolation: true }), {
          change: [{ kind: 'change', revision: undoneBy }],
        });
  if (reason === null && undone.length === 0 && (!isWay(origin) || origin === 'trpc')) return null;
  return (
    <p className={styles.notes}>
      {reason !== null && (
        <span>
          {t('entry.reason')} <bdi>{reason}</bdi>
        </span>
      )}
      {isWay(origin) && origin !== 'trpc' && <span>{t(`origin.${origin}`)}</span>}
      {undone.length > 0 && (
        <span>
          <Parts parts={undone} />
        </span>
      )}
    </p>
  );
}

/** Returns what a person with this level may do about a change. The access list is put back by managers, and has no states. */
export function revertsOf({ kind }: Entry, level: GuildLevel): readonly RevertTarget['kind'][] {
  if (kind === 'access') return level === 'manager' ? ['undo'] : [];
  return kind === 'settings' && level !== 'viewer' ? ['undo', 'restore'] : [];
}

/** Returns true if the origin of a change has a text. The sentence of a change with another origin includes it. */
export function isWay(origin: string): origin is 'rest' | 'trpc' | 'bot' {
  return origin === 'rest' || origin === 'trpc' || origin === 'bot';
}
