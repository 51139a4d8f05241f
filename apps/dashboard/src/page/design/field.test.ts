import { sentences } from '@guild-settings/i18n';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Switch, TextField } from './inputs.tsx';

const onChange = () => {};

test.each([
  [
    'a text field',
    (description: string) => createElement(TextField, { label: 'Color', value: '', description, onChange }),
  ],
  [
    'a switch',
    (description: string) => createElement(Switch, { label: 'On', isSelected: true, description, onChange }),
  ],
] as const)('%s without sentences about it has neither an empty line nor a reference to one', (_, controlOf) => {
  const shown = (...about: string[]) => renderToStaticMarkup(controlOf(sentences(...about)));
  expect(shown()).not.toMatch(/<p|aria-describedby/);
  expect(shown('Of the embeds.')).toMatch(/aria-describedby=".*>Of the embeds\.<\/p>/);
});
