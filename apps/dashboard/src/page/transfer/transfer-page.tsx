import { LIMITS } from '@guild-settings/contract/constants';
import type { DeclaredSettings } from '@guild-settings/contract/settings';
import { flawText } from '@guild-settings/i18n';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, buttonClass } from '../design/button.tsx';
import { Switch } from '../design/inputs.tsx';
import { Card, ErrorPanel, Loading, Notice } from '../design/panels.tsx';
import { useGuild } from '../guilds/guilds.ts';
import { WithLevel } from '../guilds/with-level.tsx';
import { useShared } from '../i18n/use-shared.ts';
import { usePageTitle } from '../service/identity.ts';
import { servedSettingsQuery } from '../service/served-settings.ts';
import { sendQuery } from '../service/service.ts';
import {
  type ChosenFile,
  type ExportDocument,
  isWrongFile,
  pointerOf,
  readExportFile,
  type WrongFile,
} from './export-file.ts';
import { FileIssues, ImportPreview } from './import-preview.tsx';
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
      const { data } = await sendQuery('guilds.export', input);
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

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}

interface Choice {
  /** Distinguishes a repeated choice of the same file. */
  readonly id: number;
  readonly name: string;
  readonly result?: ExportDocument | WrongFile;
}

function ImportCard({ guild }: { readonly guild: string }): ReactNode {
  const { t, i18n } = useTranslation('transfer');
  // A long text of a setting that is not known yet would be treated as one of a later version, and not be sent.
  const { data: declared, error, refetch } = useQuery(servedSettingsQuery);
  const [choice, setChoice] = useState<Choice>();
  const choose = async (file: ChosenFile, settings: DeclaredSettings) => {
    const chosen = { id: (choice?.id ?? 0) + 1, name: file.name };
    setChoice(chosen);
    const result = await readExportFile(file, LIMITS.importBytes, settings);
    setChoice((latest) => (latest?.id === chosen.id ? { ...chosen, result } : latest));
  };
  const result = choice?.result;
  return (
    <Card aria-labelledby="import">
      <h2 id="import">{t('import.heading')}</h2>
      <p className={styles.text}>{t('import.text')}</p>
      {declared !== undefined ? (
        <FilePicker
          label={t(choice === undefined ? 'import.choose' : 'import.again')}
          hint={`${t('import.drop')} · ${t('import.limits', { size: sizeText(LIMITS.importBytes, i18n.language) })}`}
          onChoose={(file) => void choose(file, declared)}
        />
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorPanel error={error} onRetry={refetch} />
      )}
      {choice !== undefined && result === undefined && (
        <p role="status">{t('import.reading', { file: choice.name })}</p>
      )}
      {choice !== undefined && result !== undefined && isWrongFile(result) && (
        <Notice tone="danger" role="alert">
          <h3>{t('wrong.heading', { file: choice.name })}</h3>
          <WrongFileText wrong={result} />
          <p>{t('wrong.nothing')}</p>
        </Notice>
      )}
      {choice !== undefined && result !== undefined && !isWrongFile(result) && (
        <ImportPreview key={choice.id} guild={guild} file={choice.name} document={result} />
      )}
    </Card>
  );
}

function WrongFileText({ wrong }: { readonly wrong: WrongFile }): ReactNode {
  const { t, i18n } = useTranslation('transfer');
  const words = useShared();
  if (wrong.reason === 'too-long') {
    const issues = wrong.fields.map(({ pointer, flaw }) => {
      const setting = words.settings.all.find(({ field }) => pointer === pointerOf(field));
      return { pointer, message: flawText(flaw, words, setting) };
    });
    return (
      <>
        <p>{t('wrong.too-long')}</p>
        <FileIssues issues={issues} />
      </>
    );
  }
  const size = (bytes: number) => sizeText(bytes, i18n.language);
  const { reason, ...values } = wrong;
  const sizes = reason === 'too-large' && { size: size(wrong.bytes), max: size(LIMITS.importBytes) };
  return <p>{t(`wrong.${reason}`, { ...values, ...sizes })}</p>;
}

interface FilePickerProps {
  readonly label: string;
  readonly hint: string;
  readonly onChoose: (file: ChosenFile) => void;
}

/** The browser's own file input, and a drop area. */
function FilePicker({ label, hint, onChoose }: FilePickerProps): ReactNode {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.item(0);
    if (file) onChoose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the button.
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        className={styles.file}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Makes choosing the same file again emit an event.
          event.currentTarget.value = '';
        }}
      />
      <label htmlFor={id} className={buttonClass('secondary')}>
        {label}
      </label>
      <span id={`${id}-hint`} className={styles.text}>
        {hint}
      </span>
    </div>
  );
}

const KIBIBYTE = 1_024;

/** Returns a readable size: "2 MB", "512 kB". Powers of 1024 with the names that file managers use. */
function sizeText(bytes: number, language: string): string {
  const [value, unit] =
    bytes >= KIBIBYTE ** 2
      ? ([bytes / KIBIBYTE ** 2, 'megabyte'] as const)
      : ([Math.ceil(bytes / KIBIBYTE), 'kilobyte'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
