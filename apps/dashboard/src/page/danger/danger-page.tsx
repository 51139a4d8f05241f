import { sentences } from '@guild-settings/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/inputs.tsx';
import { Link } from '../design/link.tsx';
import { Card, ErrorPanel, Notice } from '../design/panels.tsx';
import { useGuild } from '../guilds/guilds.ts';
import { WithLevel } from '../guilds/with-level.tsx';
import { isUnconfirmed, slugOf } from '../service/failure.ts';
import { usePageTitle } from '../service/identity.ts';
import { REVERT_WAIT_SECONDS, sendMutation } from '../service/service.ts';
import { useArrivalText } from '../settings/use-arrival-text.ts';
import styles from './danger.module.css';

const route = getRouteApi('/guilds/$guild/danger');

const ERASED = ['erasedSettings', 'erasedHistory', 'erasedAccess'] as const;
const REMAINS = ['remainsBot', 'remainsExports', 'remainsReminders'] as const;

/** Erases the settings and the history of a guild, after its name was typed. */
export function DangerPage(): ReactNode {
  const { t } = useTranslation(['danger', 'settings']);
  const arrivalText = useArrivalText();
  const { guild: id } = route.useParams();
  const guild = useGuild(id);
  // A guild without a visible name is confirmed by its id.
  const name = isTypable(guild?.name ?? '') ? (guild?.name ?? id) : id;
  const client = useQueryClient();
  usePageTitle(t('title'), guild?.name);
  const erased = useMutation({
    // At any revision: all settings are going to be erased.
    mutationFn: () =>
      sendMutation(
        'guilds.erase',
        { guild: id },
        {
          ifMatch: '*',
          waitSeconds: REVERT_WAIT_SECONDS,
        },
      ),
    onSuccess: () => {
      for (const key of ['guild', 'history', 'change']) client.removeQueries({ queryKey: [key, id] });
    },
  });
  return (
    <div className={styles.page}>
      {erased.isSuccess ? (
        <Notice tone="success" role="status">
          <h2>{t('doneHeading')}</h2>
          <p>{sentences(t('doneText', { name }), arrivalText(erased.data.arrival))}</p>
          <Link to="/guilds/$guild" params={{ guild: id }}>
            {t('doneLink')}
          </Link>
        </Notice>
      ) : (
        <WithLevel guild={id}>
          {() =>
            guild?.owner === false ? (
              <Notice tone="warning">
                <p>{t('ownerOnly')}</p>
              </Notice>
            ) : (
              <Card aria-labelledby="erase" className={styles.card}>
                <h2 id="erase">{t('heading')}</h2>
                <p>
                  <strong>{t('text')}</strong>
                </p>
                <Consequences />
                <p>
                  <Link to="/guilds/$guild/transfer" params={{ guild: id }}>
                    {t('exportFirst')}
                  </Link>
                </p>
                <Confirmation id={id} name={name} isPending={erased.isPending} onConfirm={erased.mutate} />
                {erased.error !== null && <EraseFailure error={erased.error} onRetry={erased.mutate} />}
              </Card>
            )
          }
        </WithLevel>
      )}
    </div>
  );
}

function Consequences(): ReactNode {
  const { t } = useTranslation('danger');
  return (
    <>
      <h3>{t('erased')}</h3>
      <ul className={styles.list}>
        {ERASED.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
      <h3>{t('remains')}</h3>
      <ul className={styles.list}>
        {REMAINS.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </>
  );
}

interface ConfirmationProps {
  readonly id: string;
  readonly name: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
}

/**
 * The field for the guild's name or id, and the button that it enables. `name` is the id if the guild has no visible
 * name.
 */
function Confirmation({ id, name, isPending, onConfirm }: ConfirmationProps): ReactNode {
  const { t } = useTranslation('danger');
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const isRight = isNameTyped(typed, { id, name });
        setWrong(!isRight);
        if (isRight && !isPending) onConfirm();
      }}
    >
      <TextField
        label={name === id ? t('confirmIdLabel', { id }) : t('confirmLabel', { id, name })}
        error={isWrong ? t('confirmMismatch') : undefined}
        value={typed}
        spellCheck={false}
        onChange={(value) => {
          setTyped(value);
          setWrong(false);
        }}
      />
      <div>
        <Button kind="danger" type="submit" isPending={isPending}>
          {t(isPending ? 'busy' : 'erase')}
        </Button>
      </div>
    </form>
  );
}

function EraseFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): ReactNode {
  const { t } = useTranslation('danger');
  const isForOwner = slugOf(error) === 'not-guild-owner';
  if (!isForOwner && !isUnconfirmed(error)) return <ErrorPanel error={error} onRetry={onRetry} />;
  return (
    <Notice tone="warning" role="alert">
      <p>{t(isForOwner ? 'ownerOnly' : 'failed')}</p>
    </Notice>
  );
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Returns true if the typed text is the name of a guild, or its id. The comparison ignores differences that keyboards
 * do not show or cannot produce: composition, styled letters, invisible characters, and the amount of white space.
 */
export function isNameTyped(typed: string, { id, name }: Named): boolean {
  const text = normalized(typed);
  return text !== '' && (text === id || text === normalized(name));
}

export function isTypable(name: string): boolean {
  return normalized(name) !== '';
}

/** @see https://unicode.org/reports/tr15/ for the compatibility composition (NFKC) */
function normalized(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .replaceAll(/\s+/gu, ' ');
}
