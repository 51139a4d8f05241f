import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Switch } from '../design/inputs.tsx';
import { Card, ErrorPanel, Notice } from '../design/panels.tsx';
import { useGuild } from '../guilds/guilds.ts';
import { WithLevel } from '../guilds/with-level.tsx';
import { usePageTitle } from '../service/identity.ts';
import { send, service } from '../service/service.ts';
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

interface ExportProps {
  readonly guild: string;
  readonly isManager: boolean;
}

function ExportCard({ guild, isManager }: ExportProps): ReactNode {
  const { t } = useTranslation('transfer');
  const [withHistory, setWithHistory] = useState(false);
  const download = useMutation({
    mutationFn: async (): Promise<string> => {
      const input = { guild, ...(isManager && withHistory && { history: true }) };
      const { data } = await send((options) => service.guilds.export.query(input, options));
      const name = `guild-settings-${guild}-${data.exportedAt.slice(0, 10)}.json`;
      saveFile(name, `${JSON.stringify(data, null, 2)}\n`);
      return name;
    },
  });
  return (
    <Card aria-labelledby="export">
      <h2 id="export">{t('export.heading')}</h2>
      <p className={styles.text}>{t('export.text')}</p>
      {isManager && (
        <Switch
          label={t('export.history')}
          description={t('export.historyHelp')}
          isSelected={withHistory}
          onChange={setWithHistory}
        />
      )}
      <div className={styles.actions}>
        <Button kind="primary" isPending={download.isPending} onPress={() => download.mutate()}>
          {t(download.isPending ? 'export.busy' : 'export.download')}
        </Button>
      </div>
      {download.isSuccess && (
        <Notice tone="success" role="status">
          <p>{t('export.done', { file: download.data })}</p>
        </Notice>
      )}
      {download.error !== null && <ErrorPanel error={download.error} onRetry={() => download.mutate()} />}
    </Card>
  );
}

const RELEASE_AFTER_MS = 60_000;

/** Gives the person a text as a file, as a download of a link does. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}
