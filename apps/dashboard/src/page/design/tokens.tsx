import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import styles from './tokens.module.css';

/** An item of a list. */
export interface Token {
  readonly id: string;
  readonly text: string;
  /** What is before the text, such as a colour. */
  readonly start?: ReactNode;
}

interface TokensProps {
  readonly label: string;
  readonly tokens: readonly Token[];
  /** Returns the name of the button that removes an item. */
  readonly removeLabel: (text: string) => string;
  readonly onRemove: (id: string) => void;
}

/** The items of a list, each with a button that removes it. */
export function Tokens({ label, tokens, removeLabel, onRemove }: TokensProps): ReactNode {
  if (tokens.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without marks for none.
    <ul role="list" aria-label={label} className={styles.tokens}>
      {tokens.map(({ id, text, start }) => (
        <li key={id} className={styles.token}>
          {start}
          <bdi>{text}</bdi>
          <button type="button" className={styles.remove} aria-label={removeLabel(text)} onClick={() => onRemove(id)}>
            <Icon name="close" size="1rem" />
          </button>
        </li>
      ))}
    </ul>
  );
}
