import { HistoryInput } from '@guild-settings/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtersOf, isFiltered, queryOf } from './filters.ts';

const guild = '197038439483310086';

test('the filters are in the address', () => {
  const search = { field: 'prefix', by: '53908099506183680', kind: 'settings' };
  expect(filtersOf(search)).toStrictEqual(search);
  expect(queryOf(guild, filtersOf(search), 42)).toStrictEqual({
    guild,
    limit: 25,
    field: 'prefix',
    actor: '53908099506183680',
    kind: 'settings',
    before: 42,
  });
});

test('an address with anything else has a request that the service accepts', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('field', 'by', 'kind', 'x'), fc.anything()), (search) => {
      expect(HistoryInput.safeParse(queryOf(guild, filtersOf(search))).success).toBe(true);
    }),
  );
});

test('an id that was read as a number, and so is another one, is no filter', () => {
  expect(filtersOf({ by: Number('53908099506183681') })).toStrictEqual({});
});

test('without a filter the history is whole', () => {
  expect(isFiltered(filtersOf({ field: 'nothing' }))).toBe(false);
  expect(isFiltered(filtersOf({ field: 'beta' }))).toBe(true);
});
