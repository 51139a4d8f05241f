import type { Operations } from '@guild-settings/contract/operations';
import { settingsIn } from '../domain/setting-rules.ts';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';
import { makeChange } from './write.ts';

export const restoreGuild: Handler<Operations['guilds']['restore']> = async (handled) => {
  const { call, caller, input } = handled;
  const { history } = call.services;
  const { revision, dry_run: isPreview = false } = input;
  const reader = logReaderOf(call, caller);
  const { made, facts } = await makeChange(handled, {
    fields: () => [...call.services.records.settings.byField.keys()],
    isPreview,
    write: (permission, options) => history.restore(permission, { revision, options, reader, isPreview }),
  });
  if (!('guild' in made)) return { body: made, ...facts };
  // Skipped settings are not part of a record.
  return { body: made.guild, ...facts, ...(made.skipped && { skipped: settingsIn(made.skipped) }) };
};
