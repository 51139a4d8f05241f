import { isDeepStrictEqual } from 'node:util';
import type { WatchedEvent } from '@guild-settings/client';
import { type Declaration, DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import type { ReplicaFile } from './replica-file.ts';
import { SettingsInEffect } from './settings-in-effect.ts';

interface FollowedDeclarationOptions<D extends Declaration | undefined> {
  readonly settings: D | undefined;
  /** The last declaration of the service; undefined: it was never connected. */
  readonly declared: DeclaredSettings | undefined;
  readonly file: Pick<ReplicaFile, 'declare'>;
}

/** The declaration of the service. A stream begins with it, unless the service declares nothing. */
export class FollowedDeclaration<D extends Declaration | undefined> {
  readonly #own: DeclaredSettings | undefined;
  readonly #file: Pick<ReplicaFile, 'declare'>;
  #declared: DeclaredSettings | undefined;
  #hasBegun = false;

  constructor({ settings, declared, file }: FollowedDeclarationOptions<D>) {
    this.#own = settings && new DeclaredSettings(settings);
    this.#declared = declared;
    this.#file = file;
  }

  /** Returns which values are in effect: by the declaration of the bot until the service was connected. */
  inEffect(): SettingsInEffect<D> {
    return new SettingsInEffect(this.inUse, this.#own);
  }

  /** The settings that the service declares, without texts; those of the bot until it was connected. */
  get inUse(): DeclaredSettings {
    return this.#declared ?? this.#own ?? SPECIFIED_SETTINGS;
  }

  /** The connection was lost: the next event is the first one of a stream. */
  disconnected(): void {
    this.#hasBegun = false;
  }

  /**
   * Takes the declaration from an event, if it is the first one of a stream.
   * @returns the change; undefined: there is none
   */
  take(event: WatchedEvent['event']) {
    if (this.#hasBegun) return undefined;
    this.#hasBegun = true;
    const sent = event.type === 'declaration' ? event : undefined;
    if (this.#declared !== undefined && isSame(this.#declared, sent)) return undefined;
    const before = this.inUse;
    const { declared, isRefetched } = this.#file.declare(sent);
    this.#declared = declared;
    return before === declared ? undefined : { declaration: declared.declaration, isRefetched };
  }
}

function isSame(
  { tag, declaration }: DeclaredSettings,
  sent: Pick<DeclaredSettings, 'tag' | 'declaration'> | undefined,
) {
  return tag === sent?.tag && isDeepStrictEqual(declaration, sent?.declaration);
}
