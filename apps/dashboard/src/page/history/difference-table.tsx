import { type DifferenceRow, differenceOf, fieldLabel, type ShownChanges } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import styles from './difference.module.css';
import { Feature, Parts } from './sentence-text.tsx';
import { useWords } from './use-words.ts';

interface DifferenceProps {
  readonly changes: ShownChanges;
  /** The name of the table for screen readers. */
  readonly caption: string;
}

/** Changed fields with their values before and after. */
export function DifferenceTable({ changes, caption }: DifferenceProps): ReactNode {
  const words = useWords();
  const { t } = words;
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
        {differenceOf(changes, words).map((row) => (
          <tr key={row.field}>
            <th scope="row">{fieldLabel(row.field, words)}</th>
            {row.features === undefined ? <Values row={row} /> : <Features features={row.features} />}
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

function Features({ features }: { readonly features: NonNullable<DifferenceRow['features']> }): ReactNode {
  const { t } = useWords();
  const { added, removed } = features;
  return (
    <>
      <td className={styles.before}>
        <Names label={t('entry.removed')} names={removed} />
      </td>
      <td className={styles.after}>
        <Names label={t('entry.added')} names={added} />
      </td>
    </>
  );
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }): ReactNode {
  if (names.length === 0) return null;
  return (
    <>
      {label}{' '}
      {names.map((name) => (
        <span key={name}>
          <Feature id={name} />{' '}
        </span>
      ))}
    </>
  );
}
