import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useGuild } from '../guilds/guilds.ts';
import { WithLevel } from '../guilds/with-level.tsx';
import { usePageTitle } from '../service/identity.ts';
import { ExportCard } from './export-card.tsx';
import { ImportCard } from './import-card.tsx';
import styles from './transfer.module.css';

const route = getRouteApi('/guilds/$guild/transfer');

export function TransferPage(): ReactNode {
  const { t } = useTranslation();
  const { guild } = route.useParams();
  usePageTitle(t('nav.transfer'), useGuild(guild)?.name);
  return (
    <div className={styles.page}>
      <WithLevel guild={guild}>
        {(level) => (
          <>
            <ExportCard guild={guild} isManager={level === 'manager'} />
            {level !== 'viewer' && <ImportCard guild={guild} />}
          </>
        )}
      </WithLevel>
    </div>
  );
}
