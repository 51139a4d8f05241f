import { openEnum } from '@guild-settings/contract';
import { z } from 'zod';

/** Present while retention is stopped: nothing is erased until an operator intervenes. The service stays ready. */
const StoppedRetention = z.object({
  status: z.literal('stopped'),
  reason: z.string().meta({ maxLength: 1_024, description: 'Why nothing is erased when its time has come.' }),
});

export const Health = z
  .object({
    status: openEnum(['ok', 'unavailable'], 'Whether the process serves requests.'),
    checks: z
      .record(z.string().meta({ maxLength: 64 }), openEnum(['ok', 'failing'], 'Whether the part works.'))
      .optional(),
    retention: StoppedRetention.optional(),
    botToken: openEnum(
      ['missing'],
      'Of /readyz: channels, roles and names of members cannot be listed; present without DISCORD_BOT_TOKEN alone.',
    ).optional(),
    forwardedFor: openEnum(
      ['trusted', 'ignored'],
      'Of /healthz: whether the first address in `X-Forwarded-For` is that of the client; present with this header alone.',
    ).optional(),
  })
  .meta({ id: 'Health', description: 'Whether the process is alive, or ready for requests.' });

export type Health = z.infer<typeof Health>;
