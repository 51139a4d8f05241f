import { type ReactNode, useId, useState } from 'react';
import { buttonClass } from '../design/button.tsx';
import type { ChosenFile } from './export-file.ts';
import styles from './transfer.module.css';

interface FilePickerProps {
  readonly label: string;
  readonly hint: string;
  readonly onChoose: (file: ChosenFile) => void;
}

/** The browser's own choice of a file, and a place to drop one. */
export function FilePicker({ label, hint, onChoose }: FilePickerProps): ReactNode {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.item(0);
    if (file) onChoose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the button, which needs no pointer.
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        className={styles.file}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Choosing the same file again is another choice.
          event.currentTarget.value = '';
        }}
      />
      <label htmlFor={id} className={buttonClass('secondary')}>
        {label}
      </label>
      <span id={`${id}-hint`} className={styles.text}>
        {hint}
      </span>
    </div>
  );
}
