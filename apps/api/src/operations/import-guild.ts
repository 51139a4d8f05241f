import { fieldsOf } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { settingsIn } from '../domain/setting-rules.ts';
import type { Handler } from './handler.ts';
import { makeChange } from './write.ts';

export const importGuild: Handler<Operations['guilds']['import']> = async (handled) => {
  const { call, input } = handled;
  const { document, dry_run: isPreview = false } = input;
  const { made, facts } = await makeChange(handled, {
    fields: () => Object.keys(fieldsOf(document.settings)),
    isPreview,
    origin: 'import',
    write: (permission, options) =>
      call.services.transfer.import(permission, document, { ...options, settingsAt: ['settings'], isPreview }),
  });
  const names = settingsIn(made.skipped);
  const skipped = call.services.schemas && names.length > 0 && { skipped: names };
  return { body: made, ...facts, ...skipped };
};
