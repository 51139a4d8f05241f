import { type Setting, textIn } from '@guild-settings/contract/settings';
import type { Button, Invocation, Reply } from '../framework/invocation.ts';
import { group, groupLines, slashNameOf } from '../framework/options.ts';
import { LOCK, literal } from '../i18n/text.ts';
import { isLocked, settingName, settingText } from '../settings/setting-texts.ts';
import { pageLines } from './page-lines.ts';
import { requirePermission } from './require-permission.ts';
import { action, type SettingsServices } from './services.ts';
import { suggestGroups } from './suggestions.ts';

/** Code points of a page: Discord's limit for a message, minus room for the lines below. */
const MAX_LENGTH = 1_600;

/** Shows the effective settings, one page per group, and since when they are stale. */
export const show = action({
  options: { group: group() },
  guard: requirePermission,
  run({ invocation, services, options }) {
    const first = pagesOf(invocation).findIndex((page) => page.group === options.group);
    return pageReply(invocation, services, Math.max(first, 0));
  },
  suggest: { group: ({ typed, translator }) => suggestGroups(typed, translator) },
  buttons: {
    page: ({ invocation, services, values: [index] }) => pageReply(invocation, services, Number(index)),
  },
});

function pageReply(
  invocation: Invocation,
  { replica, pageOf }: Pick<SettingsServices, 'pageOf' | 'replica'>,
  wanted: number,
): Reply {
  const { translator, trigger } = invocation;
  const { t } = translator;
  const pages = pagesOf(invocation);
  const index = Math.min(wanted, pages.length - 1);
  const { status } = replica;
  const lines = [
    ...(pages[index]?.lines ?? []),
    ...(status.state === 'STALE'
      ? [t('settings.stale', { since: translator.moment(status.since.getTime(), 'UTC') })]
      : []),
    ...pageLines(invocation, { pageOf }),
  ];
  if (pages.length > 1 && trigger.kind === 'message') {
    lines.push(t('settings.pages.more', { command: slashNameOf(invocation, ['settings', 'show']) }));
    lines.push(...groupLines(invocation));
  }
  const button = (label: string, to: number): Button[] =>
    to < 0 || to >= pages.length ? [] : [{ name: 'page', label, style: 'secondary', values: [String(to)] }];
  const buttons = [...button(t('settings.pages.previous'), index - 1), ...button(t('settings.pages.next'), index + 1)];
  return { content: lines.join('\n'), buttons };
}

interface Page {
  readonly lines: readonly string[];
  /** Undefined: settings without a group. */
  readonly group: string | undefined;
}

function pagesOf({ translator, settings }: Invocation): Page[] {
  const { all, declaration } = translator.settings;
  const groups = Object.entries(declaration?.groups ?? {});
  const isIn = (name: string) => (setting: Setting) => setting.declared.group === name;
  const ungrouped = all.filter((setting) => !groups.some(([name]) => isIn(name)(setting)));
  const parts = [
    { title: translator.t('settings.title'), settings: ungrouped, group: undefined },
    ...groups.map(([group, { label }]) => {
      const title = `**${literal(textIn(label, translator.language) ?? group)}**`;
      return { title, settings: all.filter(isIn(group)), group };
    }),
  ];
  return parts.flatMap((part) => {
    if (part.settings.length === 0) return [];
    const lines = part.settings.map((setting) => {
      const lock = isLocked(setting) ? LOCK : '';
      const label = `${lock}**${settingName(setting, translator)}**`;
      return translator.shared('labelled', { label, value: settingText(setting, settings, translator) });
    });
    return slices(lines).map((slice) => ({ lines: [part.title, ...slice], group: part.group }));
  });
}

function slices(lines: readonly string[]): string[][] {
  const found: string[][] = [[]];
  let length = 0;
  for (const line of lines) {
    const size = [...line].length + 1;
    if (length + size > MAX_LENGTH && length > 0) {
      found.push([]);
      length = 0;
    }
    found.at(-1)?.push(line);
    length += size;
  }
  return found;
}
