import type { Entry } from '@guild-settings/i18n';
import { type ReactNode, useId, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import styles from './entry-actions.module.css';
import type { RevertTarget } from './revert-queries.ts';
import { useWords } from './use-words.ts';

interface EntryActionsProps {
  readonly entry: Entry;
  readonly actions: readonly RevertTarget['kind'][];
  readonly onRevert: (target: RevertTarget) => void;
}

/**
 * The actions of a change: beside it while the pointer or the focus is there, and below a button where there is no pointer that
 * hovers or no room. The style sheet decides which: the panel is a popover of the browser, or a part of the row.
 */
export function EntryActions({ entry: { revision, kind }, actions, onRevert }: EntryActionsProps): ReactNode {
  const { t } = useWords();
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const id = `#${revision}`;
  return (
    <div className={styles.actions}>
      <span className={styles.more}>
        <Button kind="quiet" isIcon aria-label={t('entry.more', { id })} popoverTarget={panelId}>
          <Icon name="more" />
        </Button>
      </span>
      <div ref={panel} id={panelId} popover="auto" className={styles.panel}>
        {actions.map((action, position) => (
          // By position: when an undo is gone, the button in its place has the focus.
          <Button
            key={position}
            kind="quiet"
            aria-label={t(`entry.${action}Name`, { id })}
            onPress={() => {
              panel.current?.hidePopover();
              onRevert({ kind: action, revision, isOfAccess: kind === 'access' });
            }}
          >
            {t(`entry.${action}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
