import type { GuildLevel } from '@guild-settings/contract';
import { type Entry, fillParts, saysEverything, sentenceOf } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { Link } from '../design/link.tsx';
import { DifferenceTable } from './difference-table.tsx';
import styles from './history.module.css';
import { RelativeTime } from './relative-time.tsx';
import type { RevertTarget } from './revert-queries.ts';
import { Parts } from './sentence-text.tsx';
import { useWords } from './use-words.ts';

interface EntryProps {
  readonly guild: string;
  readonly entry: Entry;
  /** Whether it is the newest change of the guild, whose state is there already. */
  readonly isNewest: boolean;
  readonly level: GuildLevel;
  readonly onRevert: (target: RevertTarget) => void;
}

/** One change in the list: its sentence, what the sentence does not say of the difference, and what can be done about it. */
export function EntryItem({ guild, entry, isNewest, level, onRevert }: EntryProps): ReactNode {
  const words = useWords();
  const { t } = words;
  const { revision, at, kind, origin, reason, undoneBy, changes } = entry;
  const id = `#${revision}`;
  const undone =
    undoneBy === undefined
      ? []
      : fillParts(words.shared('undoneBy', { skipInterpolation: true }), {
          change: [{ kind: 'change', revision: undoneBy }],
        });
  const actions = revertsOf(entry, level).filter((action) => (action === 'undo' ? undoneBy === undefined : !isNewest));
  return (
    <li className={styles.entry} data-revision={revision}>
      <div className={styles.what}>
        <p className={styles.sentence}>
          <Parts parts={sentenceOf(entry, words)} />
        </p>
        {!saysEverything(entry) && <DifferenceTable changes={changes} caption={`${t('change.difference')} ${id}`} />}
        {reason !== null && <p className={styles.reason}>{t('entry.reason', { reason })}</p>}
        <p className={styles.meta}>
          <Link to="/guilds/$guild/history/$revision" params={{ guild, revision: String(revision) }}>
            <span>
              {id} · <RelativeTime at={at} />
            </span>
          </Link>
          {isWay(origin) && <span>{t(`origin.${origin}`)}</span>}
          {undoneBy !== undefined && (
            <span className={styles.badge}>
              <Parts parts={undone} />
            </span>
          )}
        </p>
      </div>
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map((action, position) => (
            // By position: when an undo is gone, the button in its place has the focus.
            <Button
              key={position}
              kind={action === 'undo' ? 'secondary' : 'quiet'}
              aria-label={t(`entry.${action}Name`, { id })}
              onPress={() => onRevert({ kind: action, revision, isOfAccess: kind === 'access' })}
            >
              {t(`entry.${action}`)}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}

/** Returns what a person with this level may do about a change. The access list is put back by managers, and has no states. */
export function revertsOf({ kind }: Entry, level: GuildLevel): readonly RevertTarget['kind'][] {
  if (kind === 'access') return level === 'manager' ? ['undo'] : [];
  return kind === 'settings' && level !== 'viewer' ? ['undo', 'restore'] : [];
}

/** Whether the origin of a change is a way that has a text. The sentence of the other origins says how it came. */
export function isWay(origin: string): origin is 'rest' | 'trpc' | 'bot' {
  return origin === 'rest' || origin === 'trpc' || origin === 'bot';
}
