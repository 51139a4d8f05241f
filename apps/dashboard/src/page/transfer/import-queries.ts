import type { ReceivedArrival, RequestOptions } from '@guild-settings/client/browser';
import { queryOptions } from '@tanstack/react-query';
import { REVERT_WAIT_SECONDS, send, service } from '../service/service.ts';
import type { ExportDocument } from './export-file.ts';

type ImportInput = Parameters<typeof service.guilds.import.mutate>[0];

/** The difference that an import made or would make, and the fields that it leaves alone. */
export type ImportOutcome = Awaited<ReturnType<typeof service.guilds.import.mutate>>;

/** The difference that an import would make, and the entity tag of the record that it applies to. */
export type PreviewedImport = ImportOutcome & { readonly etag: string | undefined };

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

export interface Imported {
  readonly outcome: ImportOutcome;
  readonly arrival: ReceivedArrival | undefined;
}

/** Imports a document, if the guild still has the revision of the preview. */
export async function importDocument(
  guild: string,
  document: ExportDocument,
  preview: PreviewedImport,
): Promise<Imported> {
  const { data: outcome, arrival } = await sendImport(
    { guild, document, isDryRun: false },
    // A proxy may have removed the tag: without a condition, another difference could be made.
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
  // The service validates the document, and names what is wrong with it.
  const input = { guild, document, ...(isDryRun && { dry_run: true }) } as ImportInput;
  return send((options) => service.guilds.import.mutate(input, options), request);
}
