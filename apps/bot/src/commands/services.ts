import { actionsWith, type Command, type SettingsServices, type Typing } from '@guild-settings/discord/framework';
import type { Replica } from '@guild-settings/replica';
import type { Channels } from '../discord/channels.ts';
import type { ClientShards } from '../discord/gateway-client.ts';
import type { Reminders } from '../reminders/reminders.ts';

/** The services that the commands of this bot use. */
export interface Services extends SettingsServices {
  readonly shards: ClientShards;
  readonly replica: Pick<Replica, 'status' | 'metrics'>;
  readonly channels: Channels;
  readonly reminders: Pick<Reminders, 'add' | 'of' | 'cancel'>;
}

export type BotCommand = Command<Services>;

export type BotTyping = Typing<Services>;

export const action = actionsWith<Services>();
