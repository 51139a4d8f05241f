import type { Actor } from '@guild-settings/contract';
import type { Part } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Link } from '../design/link.tsx';
import { channelText } from '../people/channels.ts';
import { rolesQuery, roleText } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { useNames } from '../people/use-names.ts';
import { useUser } from '../session/session.ts';
import { featuresQuery, featureText } from '../settings/features.ts';
import styles from './sentence.module.css';
import { useWords } from './use-words.ts';

/** A text about a change, with links to the other changes that it names. */
export function Parts({ parts }: { readonly parts: readonly Part[] }): ReactNode {
  return parts.map((part, position) => <OnePart key={position} part={part} />);
}

function OnePart({ part }: { readonly part: Part }): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.isDeclared ? <bdi>{part.text}</bdi> : part.text;
    case 'value':
      return <Value text={part.text} />;
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

/** Characters of a word that stays in one piece, also where a table has little room. */
const MAX_WORD = 12;

/** A value of a setting. Its direction of writing does not change the text around it. */
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
  // Ids will do where the names cannot be loaded.
  const { data } = useQuery({ ...featuresQuery, retryOnMount: false });
  return <Value text={featureText(id, data, language)} />;
}

function Role({ id }: { readonly id: string }): ReactNode {
  const { guild = '' } = useParams({ strict: false });
  const { data } = useQuery({ ...rolesQuery(guild), retryOnMount: false });
  return <Value text={roleText(id, data) ?? id} />;
}

/** A channel by its name where it is known, else by its id. */
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
        <>
          <bdi>{user?.name}</bdi> ({words.t('entry.you')})
        </>
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
