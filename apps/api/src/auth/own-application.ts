import { type Application, type GuildId, inviteUrl, type Snowflake } from '@guild-settings/contract';

/** Interval of requests for the name and icon, until Discord states them. */
const RETRY_MS = 60_000;

export interface ApplicationProfile {
  readonly name?: string | undefined;
  readonly icon?: string | null | undefined;
}

interface OwnApplicationOptions {
  readonly applicationId: Snowflake;
  readonly authorizeUrl: string;
  readonly monotonicMs: () => number;
  readonly readAsBot?: (() => Promise<ApplicationProfile>) | undefined;
}

/**
 * The Discord application of the service. Name and icon are from the last check of a token, or before that from a
 * request with the bot's token, if the service has it.
 */
export class OwnApplication {
  readonly #options: OwnApplicationOptions;
  readonly #inviteUrl: string;
  #profile: { readonly name: string; readonly icon: string | null } | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: OwnApplicationOptions) {
    this.#options = options;
    this.#inviteUrl = inviteUrl(options);
  }

  readonly learn = ({ name, icon }: ApplicationProfile): void => {
    if (name !== undefined) this.#profile = { name, icon: icon ?? null };
  };

  get isKnown(): boolean {
    return this.#profile !== undefined;
  }

  /** Returns the application. If its name is not known, waits for Discord within a time limit. */
  async get(): Promise<Application> {
    this.#ask();
    await this.#asking;
    return this.#known;
  }

  /** Returns the application as known now. Requests a missing name without waiting for it. */
  current(): Application {
    this.#ask();
    return this.#known;
  }

  #ask(): void {
    const { readAsBot, monotonicMs } = this.#options;
    if (this.isKnown || readAsBot === undefined || monotonicMs() - this.#askedAtMs < RETRY_MS) return;
    this.#askedAtMs = monotonicMs();
    // The invitation works without them.
    this.#asking = readAsBot().then(this.learn, () => undefined);
  }

  get #known(): Application {
    const { name = null, icon = null } = this.#profile ?? {};
    return { id: this.#options.applicationId, name, icon, inviteUrl: this.#inviteUrl };
  }

  readonly inviteUrlOf = (guild: GuildId): string => inviteUrl({ ...this.#options, guild });
}
