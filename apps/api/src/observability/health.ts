import { openEnum } from '@guild-settings/contract';
import { z } from 'zod';

/** Present while retention is stopped: nothing is erased until an operator intervenes. The service stays ready. */
const StoppedRetention = z.object({
  status: z.literal('stopped'),
  reason: z.string().meta({ maxLength: 1_024, description: 'The reason why retention erases nothing.' }),
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
      'Only of /readyz without DISCORD_BOT_TOKEN: channels, roles and names of members cannot be listed.',
    ).optional(),
    forwardedFor: openEnum(
      ['trusted', 'ignored'],
      'Only of /healthz with `X-Forwarded-For`: whether its first address is that of the client.',
    ).optional(),
  })
  .meta({ id: 'Health', description: 'Whether the process is alive, or ready for requests.' });

export type Health = z.infer<typeof Health>;
