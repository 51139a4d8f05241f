import { type GuildSettingsClient, withRequest } from '@guild-settings/client';
import { DEFAULT_SETTINGS, LANGUAGES, type Language } from '@guild-settings/contract';
import { isSameValue, SPECIFIED_SETTINGS, valueIn } from '@guild-settings/contract/settings';
import { callService, closestLanguage, isMismatch, readService } from '@guild-settings/discord/framework';
import { type Client, Events } from 'discord.js';

const REASON = 'The language of the server';

export interface JoinLanguageOptions {
  readonly settings: Pick<GuildSettingsClient, 'guilds'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Sets the language of guilds that the bot joins to the guild's own, if no settings were ever stored. discord.js emits
 * the event of a join for guilds that it did not know: neither at the start, nor at the end of an outage. The service
 * has to know the guild from a report: until then, it is retried after each report.
 * @returns a function to call when guilds were reported
 */
export function followJoins(client: Client, { settings, onError }: JoinLanguageOptions): () => void {
  const joined = new Map<string, Language>();
  let trying: Promise<void> | undefined;
  client.on(Events.GuildCreate, ({ id, preferredLocale }) => {
    const language = closestLanguage(preferredLocale, LANGUAGES);
    if (language !== undefined && language !== DEFAULT_SETTINGS.language) joined.set(id, language);
  });
  client.on(Events.GuildDelete, ({ id }) => void joined.delete(id));
  const tryAll = async () => {
    for (const [guild, language] of joined) if (await isDone(settings, guild, language)) joined.delete(guild);
  };
  return () => {
    if (joined.size === 0) return;
    trying = (trying ?? Promise.resolve()).then(tryAll).catch(onError);
  };
}

async function isDone(
  { guilds }: Pick<GuildSettingsClient, 'guilds'>,
  guild: string,
  language: Language,
): Promise<boolean> {
  let ifMatch: string | undefined;
  const onEtag = (etag: string) => {
    ifMatch = etag;
  };
  const record = await readService(() => guilds.get.query({ guild }, withRequest({ onEtag })));
  if (record.kind !== 'result') return false;
  const isDefault = SPECIFIED_SETTINGS.all.every((one) => isSameValue(valueIn(record.result, one), one.default));
  if (!isDefault) return true;
  let isLonger = false;
  const onNext = () => {
    isLonger = true;
  };
  const input = { guild, kind: 'settings' as const, limit: 1 };
  const history = await readService(() => guilds.history.query(input, withRequest({ onNext })));
  if (history.kind !== 'result') return false;
  if (history.result.entries.length > 0 || isLonger) return true;
  // Another process of the bot may do the same, or a manager may be faster.
  const options = withRequest({ ifMatch, auditReason: REASON });
  const outcome = await callService(() => guilds.update.mutate({ guild, language }, options));
  if (isMismatch(outcome)) return isDone({ guilds }, guild, language);
  return outcome.kind === 'result' || outcome.kind === 'refused';
}
