import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Switch } from '../design/inputs.tsx';
import { Card, ErrorPanel, Notice } from '../design/panels.tsx';
import { send, service } from '../service/service.ts';
import { saveFile } from './save-file.ts';
import styles from './transfer.module.css';

interface ExportProps {
  readonly guild: string;
  readonly isManager: boolean;
}

export function ExportCard({ guild, isManager }: ExportProps): ReactNode {
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
