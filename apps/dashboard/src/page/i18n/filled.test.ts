import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Filled } from './filled.tsx';

const link = createElement('a', null, '#5');

test('an element stands where the language has its placeholder', () => {
  const shown = ['Undone by change {{change}}', '変更 {{change}} で元に戻し済み'].map((text) =>
    renderToStaticMarkup(createElement(Filled, { text, slots: { change: link } })),
  );
  expect(shown).toEqual(['Undone by change <a>#5</a>', '変更 <a>#5</a> で元に戻し済み']);
});

test('what is around an element may be for screen readers alone', () => {
  const filled = createElement(Filled, { text: '{{page}} (unsaved)', slots: { page: link }, isSpoken: true });
  expect(renderToStaticMarkup(filled)).toBe('<a>#5</a><span class="visually-hidden"> (unsaved)</span>');
});
