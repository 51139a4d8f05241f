import { createGuildSettingsClient, withRequest } from '@guild-settings/client';

const settings = createGuildSettingsClient({
  url: 'http://127.0.0.1:3000',
  token: 'sandbox-application-token-0001',
});

const guild = await settings.guilds.get.query({ guild: '197038439483310086' });
const feature = { guild: guild.id, feature: 'reminders' };
await settings.guilds.enableFeature.mutate(feature, withRequest({ auditReason: 'requested by the team' }));
