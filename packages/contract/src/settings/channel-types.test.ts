import { expect, test } from 'vitest';
import { takesType } from './channel-types.ts';
import type { ChannelType } from './setting-declaration.ts';

test.each<[types: readonly ChannelType[] | undefined, taken: readonly number[]]>([
  [undefined, [0, 2, 4, 5, 10, 11, 12, 13, 15, 16, 99]],
  [
    ['text', 'announcement'],
    [0, 5, 10, 11, 12],
  ],
  [['text'], [0, 11, 12]],
  [['forum'], [11, 15]],
  [
    ['voice', 'category'],
    [2, 4],
  ],
])('a setting for channels of the types %s takes those with the numbers %s', (types, taken) => {
  const declared = { kind: 'channel', label: {}, ...(types && { types }) } as const;
  const numbers = [0, 2, 4, 5, 10, 11, 12, 13, 15, 16, 99];
  expect(numbers.filter((number) => takesType({ declared }, number))).toEqual(taken);
});
