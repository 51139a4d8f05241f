import { flawsOf, patchOf, type Row, type Setting, type SettingValue } from '@guild-settings/contract/settings';
import { flawText, listParts, shorten, valueParts } from '@guild-settings/i18n';
import type { Reply } from '../framework/invocation.ts';
import { type OptionSet, slashNameOf } from '../framework/options.ts';
import { code, didYouMean, literal, nearest, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { itemNames } from '../settings/parse-setting.ts';
import type { PermittedUser } from '../settings/service.ts';
import { markdown, settingLabel, settingName, settingText } from '../settings/setting-texts.ts';
import { cellOf, isRowId, parseTypedRow, rowFinder, rowIds, rowsOf, typedRow } from '../settings/table-rows.ts';
import { changeSettings, requireLength } from './change-settings.ts';
import { pageLines } from './page-lines.ts';
import type { Use } from './services.ts';
import { rowForm } from './setting-form.ts';
import { rowNames } from './suggestions.ts';

type TableUse = Omit<Use<OptionSet, PermittedUser>, 'options'>;

/** Adds the typed row, or returns the form for one. */
export async function addTyped(use: TableUse, table: Setting, typed: string | undefined): Promise<Reply | string> {
  const { invocation, services } = use;
  const { translator, ownTranslator = translator } = invocation;
  const context = { ...invocation, channels: services.channels };
  const form = rowForm(table, { ...context, translator: ownTranslator });
  if (form === undefined) {
    const why = translator.t('settings.table', { setting: settingName(table, translator) });
    throw new Refusal([why, ...pageLines(invocation, services, table)].join('\n'));
  }
  const columns = (table.columns ?? []).map((column) => literal(settingLabel(column, translator)));
  requireLength(table, rowsOf(invocation.settings, table).length + 1, translator);
  const how = translator.t('settings.cells', {
    setting: settingName(table, translator),
    columns: translator.list(columns),
    command: slashNameOf(invocation, ['settings', 'add'], table.name),
  });
  if (typed === undefined) return { content: [how, ...pageLines(invocation, services, table)].join('\n'), form };
  const row = await parseTypedRow(table, typed, context).catch((error) => {
    throw error instanceof Refusal ? new Refusal(`${error.message}\n${how}`) : error;
  });
  if (row === undefined) throw new Refusal(how);
  return addRow(use, table, row);
}

export function addRow(use: TableUse, table: Setting, row: Row): Promise<string> {
  const { translator } = use.invocation;
  return changeSettings(use, (before) => {
    const rows = [...rowsOf(before, table), row];
    requireLength(table, rows.length, translator);
    requireOwnKey(table, rows, translator);
    return patchOf([[table, rows as SettingValue]]);
  });
}

/** @throws Refusal when the last row has the same key as another one */
function requireOwnKey(table: Setting, rows: readonly Row[], translator: Translator): void {
  const flaw = flawsOf(table, rows).find(({ key, at }) => key === 'sameKey' && at === rows.length - 1);
  if (flaw === undefined) return;
  const columns = (table.columns ?? []).filter(({ name }) => flaw.names?.includes(name));
  const labels = translator.list(columns.map((column) => `**${settingName(column, translator)}**`));
  throw new Refusal(`${labels}: ${flawText(flaw, translator, table)}`);
}

/** Maximum rows listed in a refusal. */
const MAX_NAMED = 10;

/**
 * Removes the row that a person has selected, or has named by its text or by one of its cells. Of identical rows, the
 * last one is removed unless one was selected.
 * @throws Refusal when the row is not in the table, or is ambiguous
 */
export async function removeRow(use: TableUse, table: Setting, typed: string): Promise<string> {
  const { invocation, services } = use;
  const { translator } = invocation;
  let meant = isRowId(typed) ? typed : undefined;
  const find = meant ? () => [] : await rowFinder(table, typed, { ...invocation, channels: services.channels });
  return changeSettings(use, (before) => {
    const rows = rowsOf(before, table);
    const ids = rowIds(table, rows);
    const names = rowNames(table, rows, { invocation, services, translator });
    const namesOf = (at: number) => {
      const row = rows[at] ?? {};
      // Copying on a phone includes the Markdown of a reply.
      const shown = markdown(valueParts(table.field, [row], translator), translator);
      return [names[at]?.distinct ?? '', names[at]?.text ?? '', shown, typedRow(table, row)];
    };
    const found = meant === undefined ? find(rows, namesOf) : [];
    const contents = found.map((at) => ids[at]?.replace(/:\d+$/, ''));
    // Rows that others add meanwhile were not visible to the person.
    if (new Set(contents).size === 1) meant = ids[found.at(-1) ?? 0];
    const at = meant === undefined ? -1 : ids.indexOf(meant);
    if (at !== -1) return patchOf([[table, rows.toSpliced(at, 1) as SettingValue]]);
    const setting = settingName(table, translator);
    const value = settingText(table, before, translator);
    if (meant !== undefined) throw new Refusal(translator.t('settings.rowGone', { setting, value }));
    const item = code(shorten(typed));
    if (found.length > 1) {
      const texts = found.map((one) => ({ kind: 'value' as const, text: names[one]?.distinct ?? '' }));
      const values = markdown(listParts(texts, translator, MAX_NAMED), translator);
      throw new Refusal(translator.t('settings.severalInList', { item, setting, values }));
    }
    const cells = rows.flatMap((row) =>
      (table.columns ?? []).flatMap((column) => itemNames(column, cellOf(column, row), translator)),
    );
    const similar = nearest(typed, [...names.map(({ text }) => text), ...cells]);
    const lines = [translator.t('settings.notInList', { item, setting, value }), ...didYouMean(similar, translator)];
    throw new Refusal(lines.join('\n'));
  });
}
