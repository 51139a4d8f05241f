import { queryOptions } from '@tanstack/react-query';
import { send } from '../service/send.ts';
import { service } from '../service/service.ts';
import { etagOf } from '../settings/guild-query.ts';
import type { ExportDocument } from './export-file.ts';

type ImportInput = Parameters<typeof service.guilds.import.mutate>[0];

/** What an import changed, or would change, and what it leaves alone. */
export type ImportOutcome = Awaited<ReturnType<typeof service.guilds.import.mutate>>;

/** What a document would change now. `choice`: tells documents apart. */
export function importPreviewQuery(guild: string, choice: string, document: ExportDocument) {
  return queryOptions({
    queryKey: ['import', guild, choice] as const,
    queryFn: ({ signal }) => sendImport({ guild, document, isDryRun: true }, undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Imports a document, if the guild still has the revision of the preview. */
export function importDocument(
  guild: string,
  document: ExportDocument,
  preview: ImportOutcome,
): Promise<ImportOutcome> {
  return sendImport({ guild, document, isDryRun: false }, etagOf(preview.revision));
}

interface Import {
  readonly guild: string;
  readonly document: ExportDocument;
  readonly isDryRun: boolean;
}

async function sendImport({ guild, document, isDryRun }: Import, ifMatch?: string, signal?: AbortSignal) {
  // The service validates the document, and names what is wrong with it.
  const input = { guild, document, ...(isDryRun && { dry_run: true }) } as ImportInput;
  const { data } = await send((options) => service.guilds.import.mutate(input, options), { ifMatch, signal });
  return data;
}
