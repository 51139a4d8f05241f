import type { ManagedGuildSummary } from '@guild-settings/contract';
import type { OpenGuild } from '../auth/granted-access.ts';
import type { Call } from './call.ts';

/** A guild for the OpenAPI document. */
export const EXAMPLE_SUMMARY: ManagedGuildSummary = {
  id: '197038439483310086',
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  owner: false,
  permissions: '32',
  access: 'manager',
  botPresent: true,
};

export async function summariesOf({ services }: Call, guilds: readonly OpenGuild[]): Promise<ManagedGuildSummary[]> {
  const { records } = services;
  const presence = await services.guilds.botPresence(guilds);
  return Promise.all(
    guilds.map(async (guild, at) => {
      const { id, principal, level, profile } = guild;
      const managed = principal.kind === 'user' ? principal.managedGuilds.get(id) : undefined;
      const others = principal.kind === 'user' ? principal.otherGuilds.get(id) : undefined;
      const { name, icon } = profile ?? records.of(id, await services.guilds.find(guild), undefined);
      return {
        id,
        name,
        icon,
        owner: managed?.isOwner ?? false,
        permissions: String(managed?.permissions ?? others ?? 0),
        access: level,
        botPresent: presence[at] ?? null,
      };
    }),
  );
}
