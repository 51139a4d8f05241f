import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/inputs.tsx';
import { ErrorPanel, Notice } from '../design/panels.tsx';
import { sendQuery } from '../service/service.ts';
import { useWords } from './change-text.tsx';

interface MomentButtonProps {
  readonly guild: string;
  readonly onFound: (revision: number) => void;
}

/** A button that asks for a date and time, and finds the revision at that time. */
export function MomentButton({ guild, onFound }: MomentButtonProps): ReactNode {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t('moment.open')}</Button>
      {isOpen && (
        <MomentDialog
          guild={guild}
          onClose={() => setOpen(false)}
          onFound={(revision) => {
            setOpen(false);
            onFound(revision);
          }}
        />
      )}
    </>
  );
}

function MomentDialog({ guild, onClose, onFound }: MomentButtonProps & { readonly onClose: () => void }): ReactNode {
  const { t } = useWords();
  const [text, setText] = useState('');
  // The control returns a local time without a zone, which Date.parse interprets as local time.
  const atMs = Date.parse(text);
  const isPast = atMs <= Date.now();
  const search = useMutation({
    mutationFn: () => findRevision(guild, atMs),
    onSuccess: (revision) => revision !== undefined && onFound(revision),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      heading={t('moment.heading')}
      actions={
        <>
          <Button onPress={onClose}>{t('revert.cancel')}</Button>
          <Button kind="primary" isDisabled={!isPast} isPending={search.isPending} onPress={() => search.mutate()}>
            {t('moment.search')}
          </Button>
        </>
      }
    >
      <p>{t('moment.text')}</p>
      <TextField
        type="datetime-local"
        step={1}
        label={t('moment.label')}
        error={text !== '' && !isPast ? t('moment.invalid') : undefined}
        value={text}
        onChange={(value) => {
          setText(value);
          search.reset();
        }}
      />
      {search.isSuccess && search.data === undefined && (
        <Notice tone="warning" role="alert">
          <p>{t('moment.tooEarly')}</p>
        </Notice>
      )}
      {search.error !== null && <ErrorPanel error={search.error} onRetry={() => search.mutate()} />}
    </Dialog>
  );
}

function findRevision(guild: string, atMs: number): Promise<number | undefined> {
  return revisionAt(atMs, async (before) => {
    const input = { guild, limit: 1, ...(before !== undefined && { before }) };
    const { data } = await sendQuery('guilds.history', input);
    const [entry] = data.entries;
    return entry && { revision: entry.revision, atMs: Date.parse(entry.at) };
  });
}

export interface DatedRevision {
  readonly revision: number;
  readonly atMs: number;
}

/**
 * Finds the newest change at or before a time. The service only finds changes by revision, so this is a binary search:
 * some twenty requests for a million revisions.
 * @param readNewest returns the newest change before a revision, or of all; undefined: none
 * @returns the revision; undefined: all kept changes are later
 */
export async function revisionAt(
  atMs: number,
  readNewest: (before?: number) => Promise<DatedRevision | undefined>,
): Promise<number | undefined> {
  const newest = await readNewest();
  if (newest === undefined || newest.atMs <= atMs) return newest?.revision;
  let found: number | undefined;
  // The wanted change is `found`, or between these two.
  let low = 0;
  let high = newest.revision;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const change = await readNewest(middle + 1);
    if (change === undefined || change.revision <= low) low = middle;
    else if (change.atMs > atMs) high = change.revision;
    else {
      found = change.revision;
      low = middle;
    }
  }
  return found;
}
