import { secondsIn } from '@guild-settings/contract/settings';
import { type ReactNode, useId, useState } from 'react';
import styles from '../design/field.module.css';
import { describedBy, Field } from '../design/field-parts.tsx';
import { Icon } from '../design/icons.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';
import { rangeText } from './range-text.ts';

/** The units of a duration with their seconds, the largest first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A number of seconds as a number and a unit. */
export function DurationControl({ setting }: ControlProps): ReactNode {
  const { words } = useSettings();
  const { t, language } = words;
  const id = useId();
  const { set, value, label, description, error } = useField(setting);
  const { declared } = setting;
  const max = declared.kind === 'duration' ? declared.max : 0;
  const [chosen, setChosen] = useState(() => unitOf(value));
  const unit = typeof value === 'number' && value % chosen !== 0 ? unitOf(value) : chosen;
  const texts = {
    description: [description, rangeText(setting, words)].filter((text) => text !== undefined).join(' '),
    error,
  };
  const type = (typed: string) => {
    const count = /^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) * unit : secondsIn(typed);
    set(count ?? typed);
  };
  const choose = (other: number) => {
    setChosen(other);
    if (typeof value === 'number') set((value / unit) * other);
  };
  const units = UNITS.filter(([, seconds]) => seconds <= max || seconds === unit || seconds === 1);
  return (
    <SettingFrame setting={setting}>
      <Field id={id} label={label} {...texts}>
        <span className={styles.pair}>
          <input
            {...describedBy(id, texts)}
            id={id}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            className={styles.input}
            value={typeof value === 'number' ? String(value / unit) : String(value)}
            onChange={(event) => type(event.currentTarget.value)}
          />
          <span className={styles.group}>
            <select
              aria-label={t('number.unitOf', { field: label })}
              className={styles.input}
              value={unit}
              onChange={(event) => choose(Number(event.currentTarget.value))}
            >
              {units.map(([name, seconds]) => (
                <option key={name} value={seconds}>
                  {unitText(name, typeof value === 'number' ? value / unit : 0, language)}
                </option>
              ))}
            </select>
            <Icon name="chevron" />
          </span>
        </span>
      </Field>
    </SettingFrame>
  );
}

/** Returns the seconds of the largest unit of which a duration is a whole number. */
function unitOf(value: unknown): number {
  const seconds = typeof value === 'number' && value > 0 ? value : 60;
  return UNITS.find(([, size]) => seconds % size === 0)?.[1] ?? 1;
}

/** Returns the name of a unit as it follows a number: "minutes". */
function unitText(unit: string, count: number, language: string): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).formatToParts(count);
  return parts
    .flatMap(({ type, value }) => (type === 'unit' ? value : []))
    .join('')
    .trim();
}
