import type { GuildId, RecordSettings } from '@guild-settings/contract';
import { type Setting, valueIn } from '@guild-settings/contract/settings';
import { channelWarnings, roleWarnings } from '@guild-settings/i18n';
import type { Channels } from '../discord/channels.ts';
import type { Translator } from '../i18n/translator.ts';

interface WarningContext {
  readonly guildId: GuildId;
  readonly translator: Translator;
  readonly channels: Pick<Channels, 'channel' | 'role'>;
}

/** Returns the warnings about the channels or roles of a setting, as the page has them; none while Discord cannot be reached. */
export async function referenceWarnings(
  setting: Setting,
  settings: RecordSettings,
  { guildId, translator, channels }: WarningContext,
): Promise<string[]> {
  const { kind } = setting.declared;
  if (kind !== 'channel' && kind !== 'role') return [];
  const ids = [valueIn(settings, setting) ?? []].flat().filter((id) => id !== '');
  const warnings = await Promise.all(
    ids.map(async (item) => {
      const id = String(item);
      if (kind === 'role') {
        const shown = { name: `<@&${id}>`, lead: `<@&${id}>: ` };
        return roleWarnings(id === guildId ? 'everyone' : channels.role(guildId, id), shown, translator);
      }
      const shown = { name: `<#${id}>`, lead: `<#${id}>: ` };
      return channels.channel(guildId, id).then(
        (channel) => channelWarnings(setting, channel, shown, translator),
        () => [],
      );
    }),
  );
  return [...new Set(warnings.flat())];
}
