import type { ReceivedArrival, RequestOptions } from '@guild-settings/client/browser';
import { referencesIn } from '@guild-settings/contract/settings';
import type { ShownChanges } from '@guild-settings/i18n';
import { sentences } from '@guild-settings/i18n';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PickNotice } from '../controls/pick-notice.tsx';
import { Button } from '../design/button.tsx';
import { Link } from '../design/link.tsx';
import { ErrorPanel, Loading, Notice } from '../design/panels.tsx';
import { DifferenceTable } from '../history/change-text.tsx';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { absoluteTime } from '../i18n/time.ts';
import { useShared } from '../i18n/use-shared.ts';
import { failureOf, isUnconfirmed, problemOf, slugOf } from '../service/failure.ts';
import { type InputOf, REVERT_WAIT_SECONDS, type ResultOf, sendMutation } from '../service/service.ts';
import { useArrivalText } from '../settings/use-arrival-text.ts';
import { type ExportDocument, pointerOf } from './export-file.ts';
import styles from './transfer.module.css';

interface ImportPreviewProps {
  readonly guild: string;
  readonly file: string;
  readonly document: ExportDocument;
}

/** The difference that a file would make, the skipped fields, and the button that imports exactly that. */
export function ImportPreview({ guild, file, document }: ImportPreviewProps): ReactNode {
  const { t } = useTranslation(['transfer', 'history', 'settings']);
  const client = useQueryClient();
  const preview = useQuery(importPreviewQuery(guild, useId(), document));
  const imported = useMutation({
    mutationFn: (shown: PreviewedImport) => importDocument(guild, document, shown),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['guild', guild] }),
    // The displayed difference is outdated, so it is read again.
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

function Skipped({ outcome: { skipped } }: { readonly outcome: ImportOutcome }): ReactNode {
  const { t } = useTranslation('transfer');
  const { settings, shared } = useShared();
  if (skipped.length === 0) return null;
  const textOf = ({ pointer, reason, detail }: ImportOutcome['skipped'][number]) => {
    const [, setting] = [...settings.byField].find(([field]) => pointer === pointerOf(field)) ?? [];
    const kind = setting?.declared.kind;
    if (reason === 'other-guild' && isNamed(kind)) return t(`skipped.other-guild-${kind}`);
    return isKnownReason(reason) ? t(`skipped.${reason}`) : detail;
  };
  return (
    <>
      <p>{t('import.skipped')}</p>
      <ul className={styles.list}>
        {skipped.map((one) => (
          <li key={one.pointer}>
            <Filled
              text={shared('labelled', UNFILLED)}
              slots={{ label: <code>{one.field}</code>, value: textOf(one) }}
            />
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
        <p>{sentences(t('import.done'), arrivalText(arrival))}</p>
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

/** The warnings about the channels and roles that the import sets, like on the settings page. */
function Warnings({ guild, changes }: WarningsProps): ReactNode {
  const words = useShared();
  return words.settings.all.flatMap((setting) => {
    const references = referencesIn(setting, changes[setting.shownField]?.to);
    return [setting, ...(setting.columns ?? [])].map((needing) => {
      const ids = references.filter((one) => one.setting === needing).map(({ id }) => id);
      const key = `${setting.field} ${needing.name}`;
      return ids.length > 0 && <PickNotice key={key} guild={guild} setting={needing} ids={ids} words={words} />;
    });
  });
}

const KNOWN_REASONS = ['other-guild', 'unknown-field', 'access', 'history', 'reserved'] as const;

/** The kinds with a specific text for values of another server. Channels use the general one. */
const NAMED_KINDS = ['role', 'user', 'emoji', 'table'] as const;

function isNamed(kind: string | undefined): kind is (typeof NAMED_KINDS)[number] {
  return NAMED_KINDS.some((named) => named === kind);
}

function isKnownReason(reason: string): reason is (typeof KNOWN_REASONS)[number] {
  return KNOWN_REASONS.some((known) => known === reason);
}

interface ImportFailureProps {
  readonly file: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

function ImportFailure({ file, error, onRetry }: ImportFailureProps): ReactNode {
  const { t } = useTranslation('transfer');
  const { issues = [], detail = '' } = problemOf(error) ?? {};
  if (failureOf(error).kind !== 'invalid') return <ErrorPanel error={error} onRetry={onRetry} />;
  return (
    <Notice tone="danger" role="alert">
      <h3>{t('wrong.heading', { file })}</h3>
      <p>{issues.length > 0 ? t('wrong.issues') : t('wrong.refused', { detail })}</p>
      {/* The service only has English messages. */}
      {issues.length > 0 && <FileIssues issues={issues.map(withinFile)} lang="en" />}
      <p>{t('wrong.nothing')}</p>
    </Notice>
  );
}

/** Returns an issue with its place in the file, which is a part of the request. */
function withinFile({ pointer, message }: FileIssue): FileIssue {
  return { pointer: pointer.replace(/^\/document(?=\/|$)/, '') || '/', message };
}

interface FileIssue {
  /** The JSON Pointer (RFC 6901) to it in the file. */
  readonly pointer: string;
  readonly message: string;
}

interface FileIssuesProps {
  readonly issues: readonly FileIssue[];
  /** The language of the messages, if it differs from that of the page. */
  readonly lang?: string;
}

export function FileIssues({ issues, lang }: FileIssuesProps): ReactNode {
  const { shared } = useShared();
  return (
    <ul className={styles.list}>
      {issues.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          <Filled
            text={shared('labelled', UNFILLED)}
            slots={{ label: <code>{pointer}</code>, value: <span lang={lang}>{message}</span> }}
          />
        </li>
      ))}
    </ul>
  );
}

type ImportInput = InputOf<'guilds.import'>;

type ImportOutcome = ResultOf<'guilds.import'>;

/** The difference that an import would make, and the entity tag of the record to which it applies. */
type PreviewedImport = ImportOutcome & { readonly etag: string | undefined };

/** The query of the difference that a document would make now. `choice` distinguishes documents. */
export function importPreviewQuery(guild: string, choice: string, document: ExportDocument) {
  return queryOptions({
    queryKey: ['import', guild, choice] as const,
    queryFn: async ({ signal }): Promise<PreviewedImport> => {
      const { data, etag } = await sendImport({ guild, document, isDryRun: true }, { signal });
      return { ...data, etag };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

interface Imported {
  readonly outcome: ImportOutcome;
  readonly arrival: ReceivedArrival | undefined;
}

/** Imports a document if the guild still has the revision of the preview. */
export async function importDocument(
  guild: string,
  document: ExportDocument,
  preview: PreviewedImport,
): Promise<Imported> {
  const { data: outcome, arrival } = await sendImport(
    { guild, document, isDryRun: false },
    // A proxy may have removed the tag: without a precondition, another difference could be made.
    { ifMatch: preview.etag ?? `"${preview.revision}"`, waitSeconds: REVERT_WAIT_SECONDS },
  );
  return { outcome, arrival };
}

interface Import {
  readonly guild: string;
  readonly document: ExportDocument;
  readonly isDryRun: boolean;
}

function sendImport({ guild, document, isDryRun }: Import, request: RequestOptions) {
  // The service validates the document and reports its errors.
  const input = { guild, document, ...(isDryRun && { dry_run: true }) } as ImportInput;
  return sendMutation('guilds.import', input, request);
}
