import type { ChangedField } from '@guild-settings/contract';
import type { Button, Invocation, Reply } from '../framework/invocation.ts';
import { setting } from '../framework/options.ts';
import { Refusal } from '../i18n/text.ts';
import { entryText } from '../settings/change-texts.ts';
import type { PermittedUser } from '../settings/service.ts';
import { failureText } from './change-settings.ts';
import { requirePermission } from './require-permission.ts';
import { action, type SettingsServices } from './services.ts';
import { suggestSettings } from './suggestions.ts';

/** Maximum changes in one reply, if their texts fit. */
const MAX_ENTRIES = 10;

/** Maximum code points of a reply: Discord's limit for a message, minus a margin. One change always fits. */
const MAX_LENGTH = 1_900;

export const history = action({
  options: { setting: setting(false) },
  guard: requirePermission,
  run: ({ options, ...use }) => page(use, { field: options.setting?.shownField }),
  suggest: { setting: ({ typed, translator }) => suggestSettings(typed, translator) },
  buttons: {
    newest: ({ values: [field], ...use }) => page(use, { field }),
    older: ({ values: [before, field], ...use }) => page(use, { before: Number(before), field }),
  },
});

interface PageUse {
  readonly invocation: Invocation;
  readonly pass: PermittedUser;
  readonly services: Pick<SettingsServices, 'history'>;
}

interface PageQuery {
  readonly before?: number;
  readonly field: string | undefined;
}

async function page({ invocation, pass, services }: PageUse, { before, field }: PageQuery): Promise<Reply> {
  const { translator } = invocation;
  const read = await services.history.read(pass, {
    limit: MAX_ENTRIES,
    before,
    field: field as ChangedField | undefined,
  });
  if (read.kind !== 'result') throw new Refusal(failureText(read, invocation, 'history'));
  const { entries, nextBefore } = read.result;
  const texts: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const text = entryText(entry, translator);
    length += [...text].length + 1;
    if (texts.length > 0 && length > MAX_LENGTH) break;
    texts.push(text);
  }
  const olderThan = texts.length < entries.length ? entries[texts.length - 1]?.revision : nextBefore;
  const buttons: Button[] = [];
  const fields = field === undefined ? [] : [field];
  if (before !== undefined) {
    buttons.push({ name: 'newest', label: translator.t('history.newest'), style: 'secondary', values: fields });
  }
  if (olderThan !== undefined) {
    const values = [String(olderThan), ...fields];
    buttons.push({ name: 'older', label: translator.t('history.older'), style: 'secondary', values });
  }
  const title = translator.t(texts.length === 0 ? 'history.none' : 'history.title');
  return { content: [title, ...texts].join('\n'), buttons };
}
