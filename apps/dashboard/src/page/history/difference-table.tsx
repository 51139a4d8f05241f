import { type DifferenceRow, differenceOf, fieldLabel, type ShownChanges, valueParts } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import styles from './difference.module.css';
import { Parts } from './sentence-text.tsx';
import { useWords } from './use-words.ts';

interface DifferenceProps {
  readonly changes: ShownChanges;
  readonly caption: string;
}

/** Changed fields with their values before and after; nothing for fields without values to read. */
export function DifferenceTable({ changes, caption }: DifferenceProps): ReactNode {
  const words = useWords();
  const { t } = words;
  const rows = differenceOf(changes, words);
  if (rows.length === 0) return null;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('change.setting')}</th>
          <th scope="col">{t('change.before')}</th>
          <th scope="col">{t('change.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.field}>
            <th scope="row">{fieldLabel(row.field, words)}</th>
            {row.items === undefined ? <Values row={row} /> : <Items field={row.field} items={row.items} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Values({ row: { from, to } }: { readonly row: DifferenceRow }): ReactNode {
  return (
    <>
      <td className={styles.before}>
        <Parts parts={from} />
      </td>
      <td className={styles.after}>
        <Parts parts={to} />
      </td>
    </>
  );
}

interface ItemsProps {
  readonly field: string;
  readonly items: NonNullable<DifferenceRow['items']>;
}

function Items({ field, items: { added, removed } }: ItemsProps): ReactNode {
  const { t } = useWords();
  return (
    <>
      <td className={styles.before}>
        <List label={t('entry.removed')} field={field} items={removed} />
      </td>
      <td className={styles.after}>
        <List label={t('entry.added')} field={field} items={added} />
      </td>
    </>
  );
}

interface ListProps {
  readonly label: string;
  readonly field: string;
  readonly items: readonly unknown[];
}

function List({ label, field, items }: ListProps): ReactNode {
  const words = useWords();
  if (items.length === 0) return null;
  return (
    <>
      {label}{' '}
      {items.map((item) => (
        <span key={String(item)}>
          <Parts parts={valueParts(field, [item], words)} />{' '}
        </span>
      ))}
    </>
  );
}
