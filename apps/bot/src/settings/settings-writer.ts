import { type GuildSettingsClient, withRequest } from '@guild-settings/client';
import type { GuildSettings, RecordSettings } from '@guild-settings/contract';
import { callService, readService, type ServiceFailure } from './call-service.ts';
import type { GuildManager } from './guild-manager.ts';

/** Result of a change. */
export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly before: RecordSettings; readonly after: RecordSettings }
  | ServiceFailure;

/** Changes settings through the service, on behalf of a manager. */
export type SettingsWriter = ReturnType<typeof settingsWriter>;

/** Returns a writer that uses a client with the application's token. */
export function settingsWriter(client: GuildSettingsClient) {
  return {
    /**
     * Changes the settings in a patch.
     * @param manager the user that the change is made for, and the guild
     * @param auditReason stored with the change
     */
    async change(
      { guildId: guild, userId: onBehalfOf }: GuildManager,
      patch: Partial<GuildSettings>,
      auditReason: string,
    ): Promise<ChangeOutcome> {
      const before = await readService(() => client.guilds.get.query({ guild }));
      if (before.kind !== 'result') return before;
      const after = await callService(() =>
        client.guilds.update.mutate({ guild, ...patch }, withRequest({ onBehalfOf, auditReason })),
      );
      return after.kind === 'result' ? { kind: 'changed', before: before.result, after: after.result } : after;
    },
  };
}
