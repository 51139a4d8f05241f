import type { APIGuildApplicationCommandPermissions, Snowflake } from 'discord-api-types/v10';
import type { Channel, Member, Message, Role } from './entities.ts';
import type { Interaction } from './messages.ts';

export type WorldChange =
  /** Sent to every bot in the guild, or to the one that just joined. */
  | { readonly kind: 'guild-available'; readonly guildId: Snowflake; readonly userId: Snowflake | null }
  | {
      readonly kind: 'guild-lost';
      readonly guildId: Snowflake;
      readonly userIds: readonly Snowflake[];
      readonly outage: boolean;
    }
  | { readonly kind: 'guild-updated'; readonly guildId: Snowflake }
  | {
      readonly kind: 'channel-created' | 'channel-updated' | 'channel-deleted';
      readonly guildId: Snowflake;
      readonly channel: Channel;
    }
  | {
      readonly kind: 'role-created' | 'role-updated' | 'role-deleted';
      readonly guildId: Snowflake;
      readonly role: Role;
      /** The member who owns the role; `null` for a shared role. */
      readonly member: Member | null;
    }
  | {
      readonly kind: 'member-added' | 'member-updated' | 'member-removed';
      readonly guildId: Snowflake;
      readonly member: Member;
    }
  | {
      readonly kind: 'command-permissions-updated';
      readonly guildId: Snowflake;
      readonly permissions: APIGuildApplicationCommandPermissions;
    }
  | {
      readonly kind: 'message-created' | 'message-updated' | 'message-deleted';
      readonly guildId: Snowflake;
      readonly message: Message;
    }
  | {
      readonly kind: 'interaction-created' | 'interaction-answered';
      readonly guildId: Snowflake;
      readonly interaction: Interaction;
    };

type Listener = (change: WorldChange) => void;

/** Emits changes to listeners, in order and before the caller continues. */
export class WorldChanges {
  readonly #listeners = new Set<Listener>();

  publish(change: WorldChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** @returns a function that removes the listener */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
