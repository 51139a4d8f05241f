import type { Item } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import { TextField } from '../design/inputs.tsx';
import { useField, useSettings } from '../settings/settings-context.ts';
import styles from './controls.module.css';
import { ListControl } from './list-control.tsx';
import { type ControlProps, useTypedField } from './text-controls.tsx';

const HEX = /^#[0-9A-F]{6}$/i;

/** A color that is typed, or picked in the browser's own dialog. */
export function ColorControl({ setting }: ControlProps): ReactNode {
  const { t } = useSettings().words;
  const { set, value, texts } = useField();
  const color = String(value);
  return (
    <TextField {...useTypedField(setting)} spellCheck={false}>
      <input
        type="color"
        aria-label={t('color.pick', { field: texts.label })}
        className={styles.color}
        data-empty={HEX.test(color) ? undefined : ''}
        value={HEX.test(color) ? color.toLowerCase() : '#000000'}
        onChange={({ currentTarget }) => set(currentTarget.value.toUpperCase())}
      />
    </TextField>
  );
}

export function ColorsControl({ setting }: ControlProps): ReactNode {
  const swatchOf = (item: Item) =>
    HEX.test(String(item)) && <span className={styles.swatch} style={{ background: String(item) }} />;
  return <ListControl setting={setting} startOf={swatchOf} />;
}
