import { isRow, type Row, type Setting, textIn } from '@guild-settings/contract/settings';
import { sentences } from '@guild-settings/i18n';
import { type ComponentType, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../design/button.tsx';
import { describedBy, FieldDescription, FieldError } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { LabelNote, LabelNoteContext } from '../design/label-note.tsx';
import { announce } from '../design/panels.tsx';
import { FieldContext, useField, useSettings, type ValueError } from '../settings/settings-context.ts';
import { PickNotice } from './pick-notice.tsx';
import styles from './table-control.module.css';
import type { ControlProps } from './text-controls.tsx';

interface TableControlProps extends ControlProps {
  /** The control of a column: that of a setting of its kind. */
  readonly Cell: ComponentType<ControlProps>;
}

/** The rows of a table, with a control for each cell. */
export function TableControl({ setting, Cell }: TableControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { t, language } = words;
  const { value, set, texts, errors } = useField();
  const id = useId();
  const body = useRef<HTMLFieldSetElement>(null);
  const rows = (value as readonly Row[]).filter(isRow);
  const { keys, change } = useRowKeys(rows, set);
  const { columns = [], many } = setting;
  const isFull = many !== undefined && rows.length >= many.max;
  const hint = isFull ? t('table.full', { count: rows.length }) : undefined;
  const field = { ...texts, description: sentences(texts.description, hint) };

  /** Moves the focus to the first control of a row, otherwise to the button that adds one. */
  const focusRow = (index: number) => {
    const row = body.current?.querySelectorAll('tbody > tr')[index];
    (row ?? body.current)?.querySelector<HTMLElement>('input, select, textarea, [data-add]')?.focus();
  };
  const add = () => {
    const row = Object.fromEntries(columns.map((column) => [column.name, column.default])) as Row;
    flushSync(() => change([...rows, row], [...keys, nextKey()]));
    focusRow(rows.length);
    announce(t('table.added', { row: rows.length + 1 }));
  };
  const remove = (index: number) => {
    flushSync(() => change(without(rows, index), without(keys, index)));
    focusRow(Math.min(index, rows.length - 2));
    announce(t('table.removed', { row: index + 1 }));
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length) return;
    change(moved(rows, from, to), moved(keys, from, to));
    announce(t('table.moved', { from: from + 1, to: to + 1 }));
  };
  const setCell = (index: number, name: string, cell: unknown) =>
    change(
      rows.map((row, at) => (at === index ? ({ ...row, [name]: cell } as Row) : row)),
      keys,
    );

  return (
    <fieldset
      ref={body}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy(id, field)['aria-describedby']}
      className={styles.field}
    >
      <div className={styles.label} dir="auto">
        <span id={`${id}-label`}>{texts.label}</span>
        <LabelNote />
      </div>
      <FieldDescription id={id} description={field.description} />
      {rows.length > 0 && (
        <LabelNoteContext value={undefined}>
          <table aria-labelledby={`${id}-label`} className={styles.table} data-layout="cells">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.name} scope="col" data-narrow={isNarrow(column) || undefined}>
                    <bdi>{labelOf(column, language)}</bdi>
                  </th>
                ))}
                <th scope="col" className={styles.actions}>
                  <span className="visually-hidden">{t('table.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <RowFields
                  key={keys[index]}
                  row={row}
                  index={index}
                  count={rows.length}
                  columns={columns}
                  errors={errors}
                  Cell={Cell}
                  onSet={(name, cell) => setCell(index, name, cell)}
                  onMove={(by) => move(index, index + by)}
                  onRemove={() => remove(index)}
                />
              ))}
            </tbody>
          </table>
        </LabelNoteContext>
      )}
      {rows.length === 0 && <p className={styles.empty}>{t('table.empty')}</p>}
      <FieldError id={id} error={texts.error} />
      {columns.map((column) => (
        <PickNotice
          key={column.name}
          guild={guild}
          setting={column}
          ids={rows.map((row) => String(row[column.name]))}
          words={words}
        />
      ))}
      <div>
        <Button onPress={add} isDisabled={isFull} data-add="">
          {t('table.add')}
        </Button>
      </div>
    </fieldset>
  );
}

interface RowFieldsProps {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly columns: readonly Setting[];
  readonly errors: readonly ValueError[];
  readonly Cell: ComponentType<ControlProps>;
  readonly onSet: (name: string, cell: unknown) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

function RowFields({ row, index, count, columns, errors, Cell, onSet, onMove, onRemove }: RowFieldsProps): ReactNode {
  const { t, language } = useSettings().words;
  const number = index + 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.altKey ? BY[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    onMove(by);
  };
  const errorAt = (name: string) => errors.find(({ path }) => path[0] === index && path[1] === name)?.text;
  return (
    // Alt with an arrow key moves the row, from each of its cells.
    <tr onKeyDown={onKeyDown}>
      {columns.map((column) => (
        <td key={column.name}>
          <FieldContext
            value={{
              texts: { label: labelOf(column, language), description: undefined, error: errorAt(column.name) },
              value: row[column.name] ?? column.default,
              set: (cell) => onSet(column.name, cell),
              errors: [],
              isCell: true,
            }}
          >
            <Cell setting={column} />
          </FieldContext>
        </td>
      ))}
      <td className={styles.actions}>
        <span className={styles.buttons}>
          <span className={styles.moves}>
            <MoveButton label={t('table.up', { row: number })} isOff={index === 0} onPress={() => onMove(-1)} isUp />
            <MoveButton label={t('table.down', { row: number })} isOff={number === count} onPress={() => onMove(1)} />
          </span>
          <Button kind="quiet" isIcon aria-label={t('table.remove', { row: number })} onPress={onRemove}>
            <Icon name="close" />
          </Button>
        </span>
      </td>
    </tr>
  );
}

const BY: Readonly<Record<string, number | undefined>> = { ArrowUp: -1, ArrowDown: 1 };

interface MoveButtonProps {
  readonly label: string;
  readonly isUp?: boolean;
  /** True: the row is at the end. The button keeps the focus if it has it. */
  readonly isOff: boolean;
  readonly onPress: () => void;
}

function MoveButton({ label, isUp = false, isOff, onPress }: MoveButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isOff || undefined}
      className={styles.move}
      data-up={isUp || undefined}
      onClick={onPress}
    >
      <Icon name="chevron" size="1rem" />
    </button>
  );
}

function labelOf({ declared, name }: Setting, language: string): string {
  return textIn(declared.label, language) ?? name;
}

/** Returns true if the cells of a column are short: numbers and switches, but not durations with their units. */
function isNarrow({ kind: { control } }: Setting): boolean {
  return control === 'number' || control === 'switch';
}

let lastKey = 0;

function nextKey(): number {
  lastKey += 1;
  return lastKey;
}

/**
 * Returns a key for each row, so that its controls keep the typed text when it is moved. Rows that were set elsewhere,
 * by a reset or by others, have keys by position.
 */
function useRowKeys(rows: readonly Row[], set: (rows: readonly Row[]) => void) {
  const [known, setKnown] = useState<readonly number[]>(() => rows.map(nextKey));
  const missing = rows.length - known.length;
  const keys = missing > 0 ? [...known, ...Array.from({ length: missing }, nextKey)] : known.slice(0, rows.length);
  if (keys.length !== known.length) setKnown(keys);
  const change = (changed: readonly Row[], changedKeys: readonly number[]) => {
    setKnown(changedKeys);
    set(changed);
  };
  return { keys, change };
}

function without<T>(items: readonly T[], index: number): readonly T[] {
  return items.filter((_, at) => at !== index);
}

function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const [item] = items.slice(from, from + 1);
  return item === undefined ? items : without(items, from).toSpliced(to, 0, item);
}
