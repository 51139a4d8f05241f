import type {
  APIApplicationCommandAutocompleteInteraction,
  APIApplicationCommandOptionChoice,
  APIChatInputApplicationCommandInteractionData,
  APIMessageButtonInteractionData,
  APIModalInteractionResponseCallbackData,
  APIModalSubmission,
  InteractionResponseType,
  Locale,
  Snowflake,
} from 'discord-api-types/v10';

const KEPT_INTERACTIONS = 10_000;

/** The time for a bot's first response. */
export const FIRST_ANSWER_MS = 3_000;
/** The time for which an interaction's token is valid afterwards. */
export const INTERACTION_TOKEN_MS = 15 * 60_000;

/** The used command, an option of one that is being typed, the button of a message, or a modal that was filled in. */
export type InteractionUse =
  | { readonly kind: 'command'; readonly data: APIChatInputApplicationCommandInteractionData }
  | { readonly kind: 'autocomplete'; readonly data: APIApplicationCommandAutocompleteInteraction['data'] }
  | { readonly kind: 'button'; readonly data: APIMessageButtonInteractionData; readonly messageId: Snowflake }
  | {
      readonly kind: 'modal';
      readonly data: APIModalSubmission;
      readonly messageId: Snowflake | null;
      /** The interaction that the modal was the response to. */
      readonly openedBy: Snowflake;
    };

export interface Interaction {
  readonly id: Snowflake;
  readonly token: string;
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly guildId: Snowflake;
  readonly channelId: Snowflake;
  readonly locale: Locale;
  readonly use: InteractionUse;
  readonly createdAt: number;
  /** The kind of the first response; `null` without one. */
  readonly responseType: InteractionResponseType | null;
  /** The message of `@original`, which is the button's message when the response updates it. */
  readonly originalId: Snowflake | null;
  readonly choices?: readonly APIApplicationCommandOptionChoice[];
  readonly modal?: APIModalInteractionResponseCallbackData;
}

/** The last 10,000 interactions. */
export class Interactions {
  readonly #interactions = new Map<Snowflake, Interaction>();

  put(interaction: Interaction): void {
    this.#interactions.set(interaction.id, interaction);
    const [oldest] = this.#interactions.keys();
    if (oldest !== undefined && this.#interactions.size > KEPT_INTERACTIONS) this.#interactions.delete(oldest);
  }

  find(id: Snowflake): Interaction | null {
    return this.#interactions.get(id) ?? null;
  }

  findByToken(applicationId: Snowflake, token: string): Interaction | null {
    for (const interaction of this.#interactions.values()) {
      if (interaction.token === token && interaction.applicationId === applicationId) return interaction;
    }
    return null;
  }
}
