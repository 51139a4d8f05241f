import type { Actor } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { Link } from '../design/link.tsx';
import { useUser } from '../session/session.ts';
import styles from './sentence.module.css';
import { actorName, type SentencePart } from './sentence.ts';
import { useWords } from './use-words.ts';

interface SentenceProps {
  readonly guild: string;
  readonly parts: readonly SentencePart[];
}

/** A sentence about a change, with links to the other changes that it names. */
export function Sentence({ guild, parts }: SentenceProps): ReactNode {
  return parts.map((part, position) => <SentencePiece key={position} guild={guild} part={part} />);
}

function SentencePiece({ guild, part }: { readonly guild: string; readonly part: SentencePart }): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'value':
      return <Value text={part.text} />;
    case 'person':
      return <Person actor={part.actor} />;
    case 'change':
      return <ChangeLink guild={guild} revision={part.revision} />;
  }
}

/** What somebody typed or chose. Its direction of writing does not change the text around it. */
export function Value({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi>
      <code className={styles.value}>{text}</code>
    </bdi>
  );
}

/** The author of a change. The reader has their name; of others the service knows the Discord id. */
export function Person({ actor }: { readonly actor: Actor }): ReactNode {
  const words = useWords();
  const user = useUser();
  const isReader = actor.kind === 'user' && user?.id === actor.id;
  return (
    <strong className={styles.person}>
      {isReader ? (
        <>
          <bdi>{user?.name}</bdi> ({words.t('entry.you')})
        </>
      ) : (
        actorName(actor, words)
      )}
    </strong>
  );
}

/** A link to another change. */
export function ChangeLink({ guild, revision }: { readonly guild: string; readonly revision: number }): ReactNode {
  return (
    <Link to="/guilds/$guild/history/$revision" params={{ guild, revision: String(revision) }}>
      #{revision}
    </Link>
  );
}
