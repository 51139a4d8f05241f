import { z } from 'zod';
import { Snowflake } from './snowflake.ts';

export const InviteUrl = z.string().meta({
  format: 'uri',
  maxLength: 1_024,
  description: "Discord's page where a user adds the bot to a guild, with the permissions that the bot uses.",
  examples: [
    'https://discord.com/oauth2/authorize?client_id=80351110224678912&scope=bot+applications.commands&permissions=274877975552',
  ],
});

/** The Discord application of the bot that the settings are for. */
export const Application = z
  .strictObject({
    id: Snowflake,
    name: z
      .string()
      .nullable()
      .meta({
        description: 'Its name; null: Discord has not stated it since the service was started.',
        maxLength: 256,
        examples: ['Melody'],
      }),
    icon: z.string().nullable().meta({
      description: 'Its icon hash; null: none, or Discord has not stated it since the service was started.',
      maxLength: 256,
    }),
    inviteUrl: InviteUrl,
  })
  .meta({ id: 'Application', title: 'Application', description: 'The Discord application.' });
export type Application = z.infer<typeof Application>;
