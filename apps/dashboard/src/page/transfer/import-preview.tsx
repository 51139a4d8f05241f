import type { ShownChanges } from '@guild-settings/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PickNotice } from '../controls/pick-notice.tsx';
import { Button } from '../design/button.tsx';
import { Link } from '../design/link.tsx';
import { Loading, Notice } from '../design/panels.tsx';
import { DifferenceTable } from '../history/difference-table.tsx';
import { absoluteTime } from '../i18n/time.ts';
import { useShared } from '../i18n/use-shared.ts';
import { isUnconfirmed, slugOf } from '../service/failure.ts';
import { useArrivalText } from '../settings/use-arrival-text.ts';
import type { ExportDocument } from './export-file.ts';
import { ImportFailure } from './import-failure.tsx';
import {
  type Imported,
  type ImportOutcome,
  importDocument,
  importPreviewQuery,
  type PreviewedImport,
} from './import-queries.ts';
import { pointerOf } from './long-fields.ts';
import styles from './transfer.module.css';

interface ImportPreviewProps {
  readonly guild: string;
  readonly file: string;
  readonly document: ExportDocument;
}

/**
 * The difference that a file would make and the fields that it leaves alone, and the button that imports exactly that.
 */
export function ImportPreview({ guild, file, document }: ImportPreviewProps): ReactNode {
  const { t } = useTranslation(['transfer', 'history', 'settings']);
  const client = useQueryClient();
  const preview = useQuery(importPreviewQuery(guild, useId(), document));
  const imported = useMutation({
    mutationFn: (shown: PreviewedImport) => importDocument(guild, document, shown),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['guild', guild] }),
    // The shown difference has become outdated: read it again.
    onError: (error) => slugOf(error) === 'revision-mismatch' && void preview.refetch(),
  });
  if (imported.isSuccess) return <Done guild={guild} imported={imported.data} />;
  if (preview.error !== null) return <ImportFailure file={file} error={preview.error} onRetry={preview.refetch} />;
  if (preview.data === undefined) return <Loading />;
  const { changes } = preview.data;
  const hasChanges = Object.keys(changes).length > 0;
  const isUnknown = imported.error !== null && isUnconfirmed(imported.error);
  const isOutdated = slugOf(imported.error) === 'revision-mismatch';
  return (
    <div className={styles.part}>
      <h3>{t('import.preview', { file })}</h3>
      <Source document={document} />
      {isOutdated && (
        <Notice tone="warning" role="alert">
          <p>{t('import.meanwhile')}</p>
        </Notice>
      )}
      {hasChanges ? (
        <>
          <p>{t('revert.will', { ns: 'history' })}</p>
          <DifferenceTable changes={changes} caption={t('revert.will', { ns: 'history' })} />
        </>
      ) : (
        <Notice role="status">
          <p>{t('import.nothing')}</p>
        </Notice>
      )}
      <Warnings guild={guild} changes={changes} />
      <Skipped outcome={preview.data} />
      {isUnknown && (
        <Notice tone="warning" role="alert">
          <p>{t('import.failed')}</p>
        </Notice>
      )}
      {imported.error !== null && !isOutdated && !isUnknown && (
        <ImportFailure file={file} error={imported.error} onRetry={imported.reset} />
      )}
      {hasChanges && (
        <div className={styles.actions}>
          <Button
            kind="primary"
            isDisabled={preview.isFetching}
            isPending={imported.isPending}
            onPress={() => imported.mutate(preview.data)}
          >
            {t('import.confirm')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Source({ document: { guild, name, exportedAt } }: { readonly document: ExportDocument }): ReactNode {
  const { t, i18n } = useTranslation('transfer');
  const atMs = Date.parse(exportedAt ?? '');
  return (
    <p className={styles.text}>
      {name === undefined || Number.isNaN(atMs)
        ? t('import.sourceId', { id: guild })
        : t('import.source', { name, id: guild, time: absoluteTime(atMs, i18n.language) })}
    </p>
  );
}

/** The fields of the file that are left alone, with the reason. */
function Skipped({ outcome: { skipped } }: { readonly outcome: ImportOutcome }): ReactNode {
  const { t } = useTranslation('transfer');
  const { settings } = useShared();
  if (skipped.length === 0) return null;
  const isRole = (pointer: string) =>
    settings.all.some(({ field, declared }) => declared.kind === 'role' && pointer === pointerOf(field));
  return (
    <>
      <p>{t('import.skipped')}</p>
      <ul className={styles.list}>
        {skipped.map(({ field, pointer, reason, detail }) => (
          <li key={pointer}>
            <code>{field}</code>:{' '}
            {reason === 'other-guild' && isRole(pointer)
              ? t('skipped.other-guild-role')
              : isKnownReason(reason)
                ? t(`skipped.${reason}`)
                : detail}
          </li>
        ))}
      </ul>
    </>
  );
}

function Done({ guild, imported }: { readonly guild: string; readonly imported: Imported }): ReactNode {
  const { t } = useTranslation('transfer');
  const arrivalText = useArrivalText();
  const { outcome, arrival } = imported;
  return (
    <div className={styles.part}>
      <Notice tone="success" role="status">
        <p>
          {t('import.done')} {arrivalText(arrival)}
        </p>
        {Object.keys(outcome.changes).length > 0 && (
          <Link to="/guilds/$guild/history/$revision" params={{ guild, revision: String(outcome.revision) }}>
            {t('import.show')}
          </Link>
        )}
      </Notice>
      <Warnings guild={guild} changes={outcome.changes} />
      <Skipped outcome={outcome} />
    </div>
  );
}

interface WarningsProps {
  readonly guild: string;
  readonly changes: ShownChanges;
}

/** The warnings about the channels and roles that the import sets, as the page of the settings has them. */
function Warnings({ guild, changes }: WarningsProps): ReactNode {
  const words = useShared();
  return words.settings.all.map((setting) => {
    const { kind } = setting.declared;
    const ids = [changes[setting.field]?.to ?? []].flat().map(String);
    const names = (kind === 'channel' || kind === 'role') && ids.length > 0;
    return names && <PickNotice key={setting.field} guild={guild} setting={setting} ids={ids} words={words} />;
  });
}

const KNOWN_REASONS = ['other-guild', 'unknown-field', 'access', 'history', 'reserved'] as const;

function isKnownReason(reason: string): reason is (typeof KNOWN_REASONS)[number] {
  return KNOWN_REASONS.some((known) => known === reason);
}
