import type { Actor } from '@guild-settings/contract';
import { actorName } from '@guild-settings/i18n';
import { useQueries } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useShared } from '../i18n/use-shared.ts';
import { botName } from '../service/identity.ts';
import { nameQuery } from './names.ts';

export interface Names {
  /** Returns how an author is called; by the id where the name is not known. */
  readonly nameOf: (actor: Actor) => string;
  readonly avatarOf: (actor: Actor) => string | null;
  readonly isPending: boolean;
}

export function useNames(actors: readonly Actor[]): Names {
  const words = useShared();
  const { guild = '' } = useParams({ strict: false });
  const ids = [...new Set(actors.flatMap(({ kind, id }) => (kind === 'user' && id !== null ? [id] : [])))];
  const results = useQueries({ queries: ids.map((id) => nameQuery(guild, id)) });
  const people = new Map(ids.map((id, index) => [id, results[index]?.data]));
  const personOf = ({ kind, id }: Actor) => (kind === 'user' ? people.get(id ?? '') : undefined);
  const ownNameOf = (actor: Actor) => (actor.kind === 'application' ? botName() : personOf(actor)?.name);
  return {
    nameOf: (actor) => ownNameOf(actor) || actorName(actor, words),
    avatarOf: (actor) => personOf(actor)?.avatar ?? null,
    isPending: results.some((result) => result.isPending),
  };
}
