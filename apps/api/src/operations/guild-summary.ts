import type { ManagedGuildSummary } from '@guild-settings/contract';
import type { OpenGuild } from '../auth/granted-access.ts';
import type { Call } from './call.ts';

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
