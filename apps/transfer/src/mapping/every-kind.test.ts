import { DeclaredSettings } from '@guild-settings/contract/settings';
import { EVERY_KIND, LISTS, SAMPLES } from '@guild-settings/testing/every-kind';
import { expect, test } from 'vitest';
import { fitting } from './take-value.ts';

const settings = new DeclaredSettings(EVERY_KIND);

function imported(name: string, value: unknown): unknown {
  const setting = settings.byField.get(`custom.${name}`);
  const taken = setting && fitting(setting, value);
  return taken?.is === 'value' ? taken.value : undefined;
}

test.each(Object.entries(SAMPLES))('values of a file for the kind %s are taken, or named', (name, sample) => {
  const all = [...sample.imported, ...sample.values.map((value) => [value, value] as const)];
  expect(all.map(([value]) => [value, imported(name, value)])).toEqual(all);
});

test.each(Object.entries(LISTS))('a list of %s is taken as it is on the wire', (name, value) => {
  expect(imported(name, value)).toEqual(value);
});
