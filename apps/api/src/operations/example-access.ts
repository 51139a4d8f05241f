import type { GuildAccessList } from '@guild-settings/contract';

export const EXAMPLE_ACCESS = {
  entries: [
    { subject: 'role:197038439483310099', level: 'editor' },
    { subject: 'user:80351110224678912', level: 'viewer' },
  ],
} satisfies GuildAccessList;
