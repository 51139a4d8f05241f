import { setTimeout as delay } from 'node:timers/promises';
import { type GuildSettingsClient, type ReceivedArrival, withRequest } from '@guild-settings/client';
import type { RecordSettings } from '@guild-settings/contract';
import type { SettingsPatch } from '@guild-settings/contract/settings';
import { type Backoff, jitteredBackoffMs } from '@guild-settings/runtime/backoff';
import { callService, isMismatch, readService, type ServiceFailure } from './call-service.ts';
import type { PermittedUser } from './permitted-user.ts';

/** The time for which a reply waits until the change is live. */
const WAIT_SECONDS = 1;

/** Tries of a change of a guild that others change at the same time: one of them succeeds in each round. */
const MAX_TRIES = 25;

const BACKOFF: Backoff = { firstMs: 20, longestMs: 400 };

export type PatchFor = (before: RecordSettings) => SettingsPatch;

export type ChangeOutcome =
  | {
      readonly kind: 'changed';
      readonly before: RecordSettings;
      readonly after: RecordSettings;
      /** The state of the change; absent: the service does not send it. */
      readonly arrival?: ReceivedArrival | undefined;
    }
  | ServiceFailure;

export type SettingsWriter = ReturnType<typeof settingsWriter>;

export function settingsWriter(client: GuildSettingsClient) {
  async function change(
    { guildId: guild, userId: onBehalfOf }: PermittedUser,
    patchFor: PatchFor,
  ): Promise<ChangeOutcome> {
    let ifMatch: string | undefined;
    let arrival: ReceivedArrival | undefined;
    const onEtag = (etag: string) => {
      ifMatch = etag;
    };
    const onArrival = (received: ReceivedArrival) => {
      arrival = received;
    };
    // The limit of requests is that of the user, and not the one that all guilds share.
    const before = await readService(() => client.guilds.get.query({ guild }, withRequest({ onBehalfOf, onEtag })));
    if (before.kind !== 'result') return before;
    const patch = patchFor(before.result);
    const options = withRequest({ onBehalfOf, ifMatch, waitSeconds: WAIT_SECONDS, onArrival });
    const after = await callService(() => client.guilds.update.mutate({ guild, ...patch }, options));
    return after.kind === 'result' ? { kind: 'changed', before: before.result, after: after.result, arrival } : after;
  }

  return {
    /**
     * Changes settings. The values before are those that the change replaces: where others change the guild between the two, it is
     * tried again, with the patch for what is there then.
     * @param user the user that the change is made for, and the guild
     */
    async change(user: PermittedUser, patchFor: PatchFor): Promise<ChangeOutcome> {
      for (let tries = 1; ; tries += 1) {
        const outcome = await change(user, patchFor);
        if (!isMismatch(outcome) || tries === MAX_TRIES) return outcome;
        await delay(jitteredBackoffMs(tries - 1, BACKOFF));
      }
    },
  };
}
