import { LIMITS } from '@guild-settings/contract/constants';
import type { DeclaredSettings } from '@guild-settings/contract/settings';
import { flawText } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card, ErrorPanel, Loading, Notice } from '../design/panels.tsx';
import { useShared } from '../i18n/use-shared.ts';
import { servedSettingsQuery } from '../service/served-settings.ts';
import { type ChosenFile, type ExportDocument, isWrongFile, readExportFile, type WrongFile } from './export-file.ts';
import { FileIssues } from './file-issues.tsx';
import { FilePicker } from './file-picker.tsx';
import { ImportPreview } from './import-preview.tsx';
import { pointerOf } from './long-fields.ts';
import { sizeText } from './size-text.ts';
import styles from './transfer.module.css';

interface Choice {
  /** Makes choosing the same file again another choice. */
  readonly id: number;
  readonly name: string;
  readonly result?: ExportDocument | WrongFile;
}

/** The settings of a file, with what they would change before they do. */
export function ImportCard({ guild }: { readonly guild: string }): ReactNode {
  const { t, i18n } = useTranslation('transfer');
  // A long text of a setting that is not known yet would be taken for one of a later version, and not be sent.
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
