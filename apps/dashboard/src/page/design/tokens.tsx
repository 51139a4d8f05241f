import { type MouseEvent, type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { focusAround } from './focus-around.ts';
import { Icon } from './icons.tsx';
import styles from './tokens.module.css';

export interface Token {
  readonly id: string;
  readonly text: string;
  readonly start?: ReactNode;
}

interface TokensProps {
  readonly label: string;
  readonly tokens: readonly Token[];
  readonly removeLabel: (text: string) => string;
  readonly onRemove: (id: string) => void;
}

export function Tokens({ label, tokens, removeLabel, onRemove }: TokensProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  if (tokens.length === 0) return null;
  /** Leaves the focus to the button that takes the place of the one that was pressed. */
  const remove = ({ currentTarget: button }: MouseEvent<HTMLElement>, index: number, id: string) => {
    focusAround(button);
    flushSync(() => onRemove(id));
    const left = list.current?.querySelectorAll('button') ?? [];
    left[Math.min(index, left.length - 1)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without marks for none.
    <ul ref={list} role="list" aria-label={label} className={styles.tokens}>
      {tokens.map(({ id, text, start }, index) => (
        <li key={id} className={styles.token}>
          {start}
          <bdi>{text}</bdi>
          <button
            type="button"
            className={styles.remove}
            aria-label={removeLabel(text)}
            onClick={(event) => remove(event, index, id)}
          >
            <Icon name="close" size="1rem" />
          </button>
        </li>
      ))}
    </ul>
  );
}
