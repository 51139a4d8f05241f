import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../design/panels.tsx';
import styles from './access.module.css';

const LEVELS = ['viewer', 'editor', 'manager', 'owner'] as const;

export function LevelsTable(): ReactNode {
  const { t } = useTranslation('access');
  return (
    <Card aria-labelledby="levels">
      <h2 id="levels">{t('levels.heading')}</h2>
      <table className={styles.table} aria-labelledby="levels">
        <thead>
          <tr>
            <th scope="col">{t('level')}</th>
            <th scope="col">{t('levels.may')}</th>
          </tr>
        </thead>
        <tbody>
          {LEVELS.map((level) => (
            <tr key={level}>
              <th scope="row">{t(`levels.${level}`)}</th>
              <td>{t(`levels.${level}May`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
