import type { Actor } from '@guild-settings/contract';
import {
  type DifferenceRow,
  differenceOf,
  fieldLabel,
  type Part,
  type ShownChanges,
  valueParts,
  type Words,
} from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiImage } from '../design/emoji.tsx';
import { Link } from '../design/link.tsx';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { useShared } from '../i18n/use-shared.ts';
import { channelText, useNames } from '../people/names.ts';
import { rolesQuery, roleText } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { useUser } from '../session/session.ts';
import { featuresQuery, featureText } from '../settings/features.ts';
import styles from './change-text.module.css';

export function Parts({ parts }: { readonly parts: readonly Part[] }): ReactNode {
  return parts.map((part, position) => <OnePart key={position} part={part} />);
}

function OnePart({ part }: { readonly part: Part }): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.isDeclared ? <bdi>{part.text}</bdi> : part.text;
    case 'value':
      return <Value text={part.text} />;
    case 'emoji':
      return <EmojiImage emoji={part.text} />;
    case 'role':
      return <Role id={part.id} />;
    case 'feature':
      return <Feature id={part.id} />;
    case 'channel':
      return <Channel id={part.id} />;
    case 'person':
      return <Person actor={part.actor} />;
    case 'change':
      return <ChangeLink revision={part.revision} />;
  }
}

/** Characters of a word that is not broken, even in a narrow table. */
const MAX_WORD = 12;

/** A value of a setting. Its text direction does not affect the text around it. */
function Value({ text }: { readonly text: string }): ReactNode {
  const isLong = text.split(/\s/).some((word) => word.length > MAX_WORD);
  return (
    <bdi>
      <code className={styles.value} data-long={isLong || undefined}>
        {text}
      </code>
    </bdi>
  );
}

function Feature({ id }: { readonly id: string }): ReactNode {
  const { language } = useWords();
  // Ids are sufficient if the names cannot be loaded.
  const { data } = useQuery({ ...featuresQuery, retryOnMount: false });
  return <Value text={featureText(id, data, language)} />;
}

function Role({ id }: { readonly id: string }): ReactNode {
  const { guild = '' } = useParams({ strict: false });
  const { data } = useQuery({ ...rolesQuery(guild), retryOnMount: false });
  return <Value text={roleText(id, data) ?? id} />;
}

function Channel({ id }: { readonly id: string }): ReactNode {
  const { guild = '' } = useParams({ strict: false });
  const { channels } = useChannels(guild, [id], {
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  });
  return <Value text={channelText(id, channels)} />;
}

export function Person({ actor }: { readonly actor: Actor }): ReactNode {
  const words = useWords();
  const user = useUser();
  const isReader = actor.kind === 'user' && user?.id === actor.id;
  const { nameOf } = useNames(isReader ? [] : [actor]);
  return (
    <strong className={styles.person}>
      {isReader ? (
        <Filled
          text={words.shared('noted', UNFILLED)}
          slots={{ text: <bdi>{user?.name}</bdi>, note: words.t('entry.you') }}
        />
      ) : (
        <bdi>{nameOf(actor)}</bdi>
      )}
    </strong>
  );
}

export function ChangeLink({ revision }: { readonly revision: number }): ReactNode {
  const { guild = '' } = useParams({ strict: false });
  return (
    <Link to="/guilds/$guild/history/$revision" params={{ guild, revision: String(revision) }}>
      #{revision}
    </Link>
  );
}

interface DifferenceProps {
  readonly changes: ShownChanges;
  readonly caption: string;
}

/** Changed fields with their values before and after; not rendered for fields without displayable values. */
export function DifferenceTable({ changes, caption }: DifferenceProps): ReactNode {
  const words = useWords();
  const { t } = words;
  const rows = differenceOf(changes, words);
  if (rows.length === 0) return null;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('change.setting')}</th>
          <th scope="col">{t('change.before')}</th>
          <th scope="col">{t('change.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.field}>
            <th scope="row">
              <bdi>{fieldLabel(row.field, words)}</bdi>
            </th>
            {row.items === undefined ? <Values row={row} /> : <Items field={row.field} items={row.items} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Values({ row: { from, to } }: { readonly row: DifferenceRow }): ReactNode {
  return (
    <>
      <td className={styles.before}>
        <Parts parts={from} />
      </td>
      <td className={styles.after}>
        <Parts parts={to} />
      </td>
    </>
  );
}

interface ItemsProps {
  readonly field: string;
  readonly items: NonNullable<DifferenceRow['items']>;
}

function Items({ field, items: { added, removed } }: ItemsProps): ReactNode {
  const { t } = useWords();
  return (
    <>
      <td className={styles.before}>
        <List text={t('entry.removed', UNFILLED)} field={field} items={removed} />
      </td>
      <td className={styles.after}>
        <List text={t('entry.added', UNFILLED)} field={field} items={added} />
      </td>
    </>
  );
}

interface ListProps {
  /** With the placeholder of the items. */
  readonly text: string;
  readonly field: string;
  readonly items: readonly unknown[];
}

function List({ text, field, items }: ListProps): ReactNode {
  const words = useWords();
  if (items.length === 0) return null;
  const list = items.map((item) => (
    <span key={JSON.stringify(item)}>
      <Parts parts={valueParts(field, [item], words)} />{' '}
    </span>
  ));
  return <Filled text={text} slots={{ items: list }} />;
}

interface HistoryWords extends Words {
  readonly t: TFunction<'history'>;
}

export function useWords(): HistoryWords {
  const { t } = useTranslation(['history', 'settings', 'shared']);
  const shared = useShared();
  return useMemo(() => ({ ...shared, t }), [t, shared]);
}

/** Returns true if the origin of a change has a text. Other origins are part of the sentence. */
export function isWay(origin: string): origin is 'rest' | 'trpc' | 'bot' {
  return origin === 'rest' || origin === 'trpc' || origin === 'bot';
}
