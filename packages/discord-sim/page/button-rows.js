import { press } from './api.js';
import { el } from './dom.js';
import { awaitAnswer } from './interactions.js';
import { telling } from './notices.js';

const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link', 6: 'primary' };

export function buttonRows({ id, buttons }) {
  return buttons.map((row) => el('div', { class: 'buttons' }, ...row.map((button) => buttonBox(id, button))));
}

function buttonBox(messageId, { customId, url, label, style, disabled }) {
  if (url !== null && /^https?:\/\//.test(url)) {
    return el('a', { class: 'button', href: url, target: '_blank', rel: 'noopener noreferrer' }, `${label} ↗`);
  }
  const click = () => telling(async () => awaitAnswer(await press(messageId, customId)));
  return el('button', { type: 'button', class: STYLES[style], disabled: disabled || customId === null, click }, label);
}
