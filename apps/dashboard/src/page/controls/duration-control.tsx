import { plainDigits, secondsIn } from '@guild-settings/contract/settings';
import { DURATION_UNITS } from '@guild-settings/i18n';
import { type ReactNode, useId, useState } from 'react';
import { describedBy, Field } from '../design/field.tsx';
import styles from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';
import { joinedTexts } from './joined-texts.ts';
import { rangeText } from './range-text.ts';
import { useTyped } from './use-typed.ts';

export function DurationControl({ setting }: ControlProps): ReactNode {
  const { words } = useSettings();
  const { t, language } = words;
  const id = useId();
  const { set, value, label, description, error } = useField(setting);
  const { declared } = setting;
  const max = declared.kind === 'duration' ? declared.max : 0;
  const [chosen, setChosen] = useState(() => unitOf(value, max));
  const unit = typeof value === 'number' && value % chosen !== 0 ? unitOf(value, max) : chosen;
  const texts = {
    description: joinedTexts(description, rangeText(setting, words)),
    error,
  };
  const meant = (typed: string) => {
    const plain = plainDigits(typed);
    return (/^\d{1,9}$/.test(plain) ? Number(plain) * unit : secondsIn(plain)) ?? typed;
  };
  const countOf = (shown: unknown) => String(typeof shown === 'number' ? shown / unit : shown);
  const { text, type, leave } = useTyped(value, countOf, meant);
  const choose = (other: number) => {
    setChosen(other);
    if (typeof value === 'number') set((value / unit) * other);
  };
  const units = DURATION_UNITS.filter(([, seconds]) => seconds <= max || seconds === unit || seconds === 1);
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
            value={text}
            onChange={({ currentTarget: { value: typed } }) => {
              type(typed);
              set(meant(typed));
            }}
            onBlur={leave}
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

/** Returns the seconds of the largest unit of which a duration is a whole number; of none, those of minutes if there can be some. */
function unitOf(value: unknown, max: number): number {
  const seconds = typeof value === 'number' && value > 0 ? value : Math.min(60, max);
  return DURATION_UNITS.find(([, size]) => seconds % size === 0)?.[1] ?? 1;
}

function unitText(unit: string, count: number, language: string): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).formatToParts(count);
  return parts
    .flatMap(({ type, value }) => (type === 'unit' ? value : []))
    .join('')
    .trim();
}
