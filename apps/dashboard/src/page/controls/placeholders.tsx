import { type Texts, textIn } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useField, useSettings } from '../settings/settings-context.ts';
import styles from './controls.module.css';
import { MessagePreview } from './message-preview.tsx';

type TextInput = HTMLInputElement | HTMLTextAreaElement;

interface PlaceholdersProps {
  readonly placeholders: Readonly<Record<string, Texts>>;
  readonly text: string;
  readonly onInsert: (text: string) => void;
  /** Returns the field with the text. */
  readonly inputOf: () => TextInput | null | undefined;
}

/** The placeholders of a text, which can be inserted, and a preview of the text in Discord. */
export function Placeholders({ placeholders, text, onInsert, inputOf }: PlaceholdersProps): ReactNode {
  const { t, language } = useSettings().words;
  const { texts, isCell } = useField();
  const insert = (name: string) => {
    const input = inputOf();
    const [start, end] = [input?.selectionStart ?? text.length, input?.selectionEnd ?? text.length];
    const inserted = `{${name}}`;
    flushSync(() => onInsert(text.slice(0, start) + inserted + text.slice(end)));
    input?.focus();
    input?.setSelectionRange(start + inserted.length, start + inserted.length);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
      <ul role="list" aria-label={t('placeholders.list', { field: texts.label })} className={styles.placeholders}>
        {Object.entries(placeholders).map(([name, meanings]) => (
          <li key={name}>
            <button
              type="button"
              className={styles.placeholder}
              title={textIn(meanings, language)}
              onClick={() => insert(name)}
            >
              {`{${name}}`}
            </button>
          </li>
        ))}
      </ul>
      {!isCell && <MessagePreview text={text} placeholders={placeholders} />}
    </>
  );
}
