import { plainDigits, type Setting, type SettingValue } from '@guild-settings/contract/settings';
import { DURATION_UNITS, lengthOf, numberText, sentences } from '@guild-settings/i18n';
import { lazy, type ReactNode, type TextareaHTMLAttributes, useId, useRef, useState } from 'react';
import styles from '../design/field.module.css';
import { describedBy, Field, type FieldTexts } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { TextField } from '../design/inputs.tsx';
import { Notice } from '../design/panels.tsx';
import { readTyped, useField, useSettings } from '../settings/settings-context.ts';
import type { ValueWords } from '../settings/value-text.ts';
import controls from './controls.module.css';

/** The share of the maximum length from which on the length is shown. */
const NEAR_LIMIT = 0.8;

const Placeholders = lazy(() =>
  import('./placeholders.tsx').then(
    (module) => ({ default: module.Placeholders }),
    () => ({ default: () => null }),
  ),
);

/** A text of one or more lines, with its length near the limit. */
export function TextControl({ setting }: ControlProps): ReactNode {
  const { t } = useSettings().words;
  const { set, value, texts } = useField();
  const box = useRef<HTMLDivElement>(null);
  const { declared, place } = setting;
  const text = String(value);
  const used = lengthOf(text);
  const max = declared.kind === 'text' ? declared.max : used;
  const length = used >= max * NEAR_LIMIT ? t('length', { used, max }) : undefined;
  const Input = declared.kind === 'text' && declared.lines === 'many' ? TextArea : TextField;
  const placeholders = declared.kind === 'text' ? declared.placeholders : undefined;
  return (
    <div ref={box} className={controls.text}>
      <Input
        {...texts}
        description={sentences(texts.description, length)}
        value={text}
        onChange={set}
        spellCheck={place === 'custom'}
      />
      {placeholders !== undefined && (
        <Placeholders
          placeholders={placeholders}
          text={text}
          onInsert={set}
          inputOf={() => box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')}
        />
      )}
      {setting.declared.noLeadingSpace && value === '/' && (
        <Notice tone="warning" role="status">
          <p>{t('prefixSlash')}</p>
        </Notice>
      )}
    </div>
  );
}

/** A number with its unit and its range. Typed text that is not a number is kept, with an error. */
export function NumberControl({ setting }: ControlProps): ReactNode {
  const { words } = useSettings();
  const { declared } = setting;
  const field = useTypedField(setting, (value) => digitsText(value, words.language));
  const isNegative = 'min' in declared && declared.min < 0;
  return (
    <TextField
      {...field}
      description={sentences(field.description, rangeText(setting, words))}
      unit={'unit' in declared ? declared.unit : undefined}
      // Number keyboards of phones have no minus.
      inputMode={isNegative ? 'text' : declared.kind === 'number' ? 'decimal' : 'numeric'}
    />
  );
}

/** Returns all digits of a number, without groups; other text unchanged. */
function digitsText(value: SettingValue, language: string): string {
  if (typeof value !== 'number') return String(value);
  return new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(value);
}

export function DurationControl({ setting }: ControlProps): ReactNode {
  const { words } = useSettings();
  const { t, language } = words;
  const id = useId();
  const { set, value, texts } = useField();
  const { declared } = setting;
  const max = declared.kind === 'duration' ? declared.max : 0;
  const [chosen, setChosen] = useState(() => unitOf(value, max));
  const unit = typeof value === 'number' && value % chosen !== 0 ? unitOf(value, max) : chosen;
  const field = { ...texts, description: sentences(texts.description, rangeText(setting, words)) };
  const meant = (typed: string) => {
    const plain = plainDigits(typed);
    return /^\d{1,9}$/.test(plain) ? Number(plain) * unit : readTyped(setting, typed, words);
  };
  const countOf = (shown: unknown) => String(typeof shown === 'number' ? shown / unit : shown);
  const { text, type, leave } = useTyped(value, countOf, meant);
  const choose = (other: number) => {
    setChosen(other);
    if (typeof value === 'number') set((value / unit) * other);
  };
  const units = DURATION_UNITS.filter(([, seconds]) => seconds <= max || seconds === unit || seconds === 1);
  return (
    <Field id={id} {...field}>
      <span className={styles.pair}>
        <input
          {...describedBy(id, field)}
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          dir="auto"
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
            aria-label={t('number.unitOf', { field: texts.label })}
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
  );
}

/**
 * Returns the seconds of the largest unit that divides a duration; if there is none, those of minutes if the maximum
 * allows.
 */
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

/**
 * Returns a text field whose value is parsed from typed text.
 * @param textOf returns the text of a value that was not typed here
 */
export function useTypedField(setting: Setting, textOf: (value: SettingValue) => string = String) {
  const { words } = useSettings();
  const { set, value, texts } = useField();
  const meant = (typed: string) => readTyped(setting, typed, words);
  const { text, type, leave } = useTyped(value, textOf, meant);
  const onChange = (typed: string) => {
    type(typed);
    set(meant(typed));
  };
  return { ...texts, value: text, onChange, onBlur: leave };
}

/**
 * Keeps the typed text until the field is left: `1h 3` may become `1h 30m`, and `-0` `-05`. Reformatting at each key
 * would turn it into another value.
 * @param textOf returns the text of a value that was not typed here
 * @param meant returns the parsed value, or the text if it is invalid
 */
function useTyped(
  value: SettingValue,
  textOf: (value: SettingValue) => string,
  meant: (typed: string) => SettingValue,
) {
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && meant(typed) === value;
  return { text: isTyped ? typed : textOf(value), type: setTyped, leave: () => setTyped(undefined) };
}

export function rangeText(setting: Setting, { t, language }: ValueWords): string | undefined {
  const { declared } = setting;
  if (!('min' in declared)) return undefined;
  const [min, max] = [declared.min, declared.max].map((limit) => numberText(setting, limit, language));
  if (!('decimals' in declared)) return t('number.range', { min, max });
  return t('number.rangeDecimals', { min, max, count: declared.decimals });
}

interface TextAreaProps extends FieldTexts, Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, 'spellCheck'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Labelled lines of text that grow with their content. */
function TextArea({ value, onChange, spellCheck, ...texts }: TextAreaProps): ReactNode {
  const id = useId();
  return (
    <Field id={id} {...texts}>
      {/* A hidden copy of the text determines the height. */}
      <span className={styles.growing} data-text={`${value}\n`}>
        <textarea
          {...describedBy(id, texts)}
          id={id}
          className={styles.input}
          dir="auto"
          rows={2}
          value={value}
          spellCheck={spellCheck}
          // Some input programs insert carriage returns, which texts may not contain.
          onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\r\n?/g, '\n'))}
        />
      </span>
    </Field>
  );
}

export interface ControlProps {
  readonly setting: Setting;
}
