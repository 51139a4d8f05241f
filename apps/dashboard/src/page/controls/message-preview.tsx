import type { Actor } from '@guild-settings/contract';
import { CHANNEL_TYPE_NUMBERS, type Texts, textIn } from '@guild-settings/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { EmojiImage } from '../design/emoji.tsx';
import { Logo } from '../design/picture.tsx';
import { useGuild } from '../guilds/guilds.ts';
import { channelName, useNames } from '../people/names.ts';
import { rolesQuery, roleText } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { useAppName } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import { useSettings } from '../settings/settings-context.ts';
import { type Markup, markupOf } from './discord-markup.ts';
import styles from './message-preview.module.css';

interface MessagePreviewProps {
  readonly text: string;
  readonly placeholders: Readonly<Record<string, Texts>>;
}

/** A message as Discord would show it, with examples for its placeholders. */
export function MessagePreview({ text, placeholders }: MessagePreviewProps): ReactNode {
  const { t } = useSettings().words;
  const name = useAppName();
  const parts = useMemo(() => markupOf(text), [text]);
  const examples = useExamples(placeholders);
  const names = useMentioned(parts);
  return (
    <figure className={styles.preview} aria-label={t('placeholders.preview')}>
      <Logo size="2.25rem" />
      <div className={styles.message}>
        <figcaption>
          <bdi className={styles.name}>{name}</bdi> <span className={styles.note}>{t('placeholders.preview')}</span>
        </figcaption>
        {text.trim() === '' ? (
          <p className={styles.note}>{t('placeholders.nothing')}</p>
        ) : (
          <div className={styles.text} dir="auto">
            <Parts parts={parts} examples={examples} names={names} />
          </div>
        )}
      </div>
    </figure>
  );
}

interface Example {
  readonly text: string;
  readonly isMention?: boolean;
}

type ExampleOf = (name: string) => Example | undefined;
type NameOf = (mention: Extract<Markup, { kind: 'mention' }>) => string;

interface PartsProps {
  readonly parts: readonly Markup[];
  readonly examples: ExampleOf;
  readonly names: NameOf;
}

function Parts({ parts, ...known }: PartsProps): ReactNode {
  return parts.map((part, position) => <Part key={position} part={part} {...known} />);
}

interface PartProps extends Omit<PartsProps, 'parts'> {
  readonly part: Markup;
}

function Part({ part, examples, names }: PartProps): ReactNode {
  const inner = 'parts' in part && <Parts parts={part.parts} examples={examples} names={names} />;
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code className={styles.code}>{part.text}</code>;
    case 'block':
      return <pre className={styles.block}>{part.text}</pre>;
    case 'emoji':
      return <EmojiImage emoji={part.emoji} />;
    case 'mention':
      return <Mention>{names(part)}</Mention>;
    case 'placeholder': {
      const example = examples(part.name);
      if (example === undefined) return `{${part.name}}`;
      return example.isMention ? <Mention>{example.text}</Mention> : <bdi>{example.text}</bdi>;
    }
    case 'bold':
      return <strong>{inner}</strong>;
    case 'italic':
      return <em>{inner}</em>;
    case 'underline':
      return <u>{inner}</u>;
    case 'strike':
      return <s>{inner}</s>;
    case 'spoiler':
      return <span className={styles.spoiler}>{inner}</span>;
    case 'heading':
      return <div className={styles.heading}>{inner}</div>;
    case 'quote':
      return <blockquote className={styles.quote}>{inner}</blockquote>;
    case 'item':
      return <div className={styles.item}>{inner}</div>;
  }
}

function Mention({ children }: { readonly children: string }): ReactNode {
  return <bdi className={styles.mention}>{children}</bdi>;
}

const MEMBERS = 1_204;

/** The names of placeholders for which this guild provides an example, in lower case. */
const MEANT: Readonly<Record<string, 'reader' | 'guild' | 'count' | 'channel' | undefined>> = {
  user: 'reader',
  member: 'reader',
  mention: 'reader',
  server: 'guild',
  guild: 'guild',
  count: 'count',
  members: 'count',
  membercount: 'count',
  channel: 'channel',
};

/** Returns an example for each placeholder: from this guild, or the placeholder's description. */
function useExamples(placeholders: Readonly<Record<string, Texts>>): ExampleOf {
  const { guild, words } = useSettings();
  const { language } = words;
  const reader = useUser()?.name ?? '';
  const guildName = useGuild(guild)?.name ?? '';
  const { channels } = useChannels(guild, []);
  const channel = channels?.find(({ type }) => type === CHANNEL_TYPE_NUMBERS.text)?.name ?? '';
  return (name) => {
    if (!Object.hasOwn(placeholders, name)) return undefined;
    const key = name.toLowerCase();
    switch (Object.hasOwn(MEANT, key) ? MEANT[key] : undefined) {
      case 'reader':
        return { text: `@${reader}`, isMention: true };
      case 'guild':
        return { text: guildName };
      case 'count':
        return { text: new Intl.NumberFormat(language).format(MEMBERS) };
      case 'channel':
        return channel === '' ? { text: name } : { text: `#${channel}`, isMention: true };
      case undefined:
        return { text: textIn(placeholders[name], language) ?? name };
    }
  };
}

/** Returns how the mentions of a message are displayed. */
function useMentioned(parts: readonly Markup[]): NameOf {
  const { guild } = useSettings();
  const mentions = mentionsIn(parts);
  const idsOf = (of: string) => mentions.filter((mention) => mention.of === of).map(({ id }) => id);
  const { channels } = useChannels(guild, idsOf('channel'));
  const { data: roles } = useQuery({ ...rolesQuery(guild), enabled: idsOf('role').length > 0 });
  const actors = idsOf('user').map((id): Actor => ({ kind: 'user', id }));
  const { knownNameOf } = useNames(actors);
  return ({ of, id }) => {
    if (of === 'all') return id;
    if (of === 'channel') return channelName(id, channels) ?? `#${id}`;
    if (of === 'role') return roleText(id, roles) ?? `@${id}`;
    return `@${knownNameOf({ kind: 'user', id }) ?? id}`;
  };
}

function mentionsIn(parts: readonly Markup[]): readonly Extract<Markup, { kind: 'mention' }>[] {
  return parts.flatMap((part) => {
    if (part.kind === 'mention') return [part];
    return 'parts' in part ? mentionsIn(part.parts) : [];
  });
}
