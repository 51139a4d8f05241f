import type { Config } from '@guild-settings/api';
import { GUILDS, type Role, tokenOf } from '@guild-settings/discord-sim/testing/world';

const HOUR_MS = 3_600_000;

const [TESTERS, , CAFE] = GUILDS as readonly [(typeof GUILDS)[0], unknown, (typeof GUILDS)[0]];

/** A channel of the first guild that was deleted after it had been chosen. */
const DELETED_CHANNEL = String(BigInt(TESTERS.channels.general) + 50n);

interface FirstChange {
  readonly hoursAgo: number;
  readonly by: Extract<Role, 'owner' | 'manager'>;
  /** The first guild unless given. */
  readonly guildId?: string;
  readonly patch?: object;
  /** True: enables the first feature. */
  readonly isFeatureEnabled?: true;
  /** Values of settings in examples/own-settings, each sent where it is declared. */
  readonly custom?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  /** The owner's reason to undo it half an hour later. */
  readonly undoneFor?: string;
}

/** The changes before the first start. Retention takes a clock that goes on by more than three days for a wrong one. */
const CHANGES: readonly FirstChange[] = [
  {
    hoursAgo: 55.7,
    by: 'owner',
    patch: { announcement_channel: DELETED_CHANNEL },
    custom: {
      welcomeOn: true,
      welcomeChannel: TESTERS.channels.general,
      welcomeMessage: 'Welcome to {server}, {user}! Say hello in the lounge.',
    },
  },
  {
    hoursAgo: 31.2,
    by: 'manager',
    isFeatureEnabled: true,
    custom: { levelsOn: true, xpRate: 1.5 },
    reason: 'Asked for in #general',
  },
  { hoursAgo: 27.6, by: 'manager', patch: { prefix: 'mel!' }, undoneFor: 'Too long to type' },
  { hoursAgo: 26.3, by: 'owner', guildId: CAFE.id, patch: { language: 'ja' } },
  { hoursAgo: 3.4, by: 'owner', custom: { spam: 'delete', volume: 80 } },
];

interface FirstChangesOptions {
  readonly apiUrl: string;
  readonly settings: Config['settings'];
  /** Sets the clock of the service, in milliseconds behind. */
  readonly setBehind: (ms: number) => void;
}

/**
 * Has two people change guilds of the simulated Discord in the days before, after the bot was added to them. The service has a new
 * database.
 */
export async function makeFirstChanges({ apiUrl, settings, setBehind }: FirstChangesOptions): Promise<void> {
  // Over tRPC, as the page does.
  const send = async (role: Role, operation: string, body: object, reason = ''): Promise<Response> => {
    const response = await fetch(`${apiUrl}/trpc/${operation}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenOf(role)}`,
        'content-type': 'application/json',
        ...(reason !== '' && { 'x-audit-log-reason': encodeURIComponent(reason) }),
      },
      body: JSON.stringify(body),
    });
    // A declaration may have other limits than the example's, or reserve a setting.
    if (response.status >= 500) throw new Error(`${operation}: ${await response.text()}`);
    return response;
  };
  const enabledFeatures = Object.keys(settings.declaration?.features ?? { reminders: {} }).slice(0, 1);
  const goTo = (hoursAgo: number) => setBehind(hoursAgo * HOUR_MS);
  try {
    goTo(56.4);
    const guilds = GUILDS.map(({ id, name, icon }) => ({ id, name, icon }));
    await send('application', 'presence.report', { type: 'snapshot', shard: { id: 0, count: 1 }, guilds });
    for (const { hoursAgo, by, guildId = TESTERS.id, patch, isFeatureEnabled, custom = {}, ...notes } of CHANGES) {
      const declared = Object.entries(custom).filter(([name]) => settings.byField.has(`custom.${name}`));
      const changed = {
        ...patch,
        ...(isFeatureEnabled && enabledFeatures.length > 0 && { enabledFeatures }),
        ...(declared.length > 0 && { custom: Object.fromEntries(declared) }),
      };
      if (Object.keys(changed).length === 0) continue;
      goTo(hoursAgo);
      const { ok, headers } = await send(by, 'guilds.update', { guild: guildId, ...changed }, notes.reason);
      if (!ok || notes.undoneFor === undefined) continue;
      goTo(hoursAgo - 0.5);
      const revision = Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]);
      await send('owner', 'guilds.undo', { guild: guildId, revision }, notes.undoneFor);
    }
  } finally {
    setBehind(0);
  }
}
