import { type Application, type GuildId, inviteUrl, type Snowflake } from '@guild-settings/contract';
import type { CurrentAuthorization } from './discord-shapes.ts';

interface OwnApplicationOptions {
  readonly applicationId: Snowflake;
  /** The URL of Discord's authorization page. */
  readonly authorizeUrl: string;
}

/**
 * The Discord application of the service. Name and icon are those of the last check of a token: Discord documents no other
 * way to read them without the secret or the token of the bot.
 */
export class OwnApplication {
  readonly #options: OwnApplicationOptions;
  readonly #inviteUrl: string;
  #profile: { readonly name: string; readonly icon: string | null } | undefined;

  constructor(options: OwnApplicationOptions) {
    this.#options = options;
    this.#inviteUrl = inviteUrl(options);
  }

  /** Takes name and icon from what Discord says about a token of the application. */
  readonly learn = ({ name, icon }: CurrentAuthorization['application']): void => {
    if (name !== undefined) this.#profile = { name, icon: icon ?? null };
  };

  /** Whether name and icon are known. */
  get isKnown(): boolean {
    return this.#profile !== undefined;
  }

  get(): Application {
    const { name = null, icon = null } = this.#profile ?? {};
    return { id: this.#options.applicationId, name, icon, inviteUrl: this.#inviteUrl };
  }

  /** Returns the page where a user adds the bot to a guild. */
  readonly inviteUrlOf = (guild: GuildId): string => inviteUrl({ ...this.#options, guild });
}
