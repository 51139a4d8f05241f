import { byId, el } from './dom.js';
import { Refused } from './request.js';

const KEPT = 3;
const list = byId('notices');

/** Shows a notice until the user closes it or writes. */
export function notice(text) {
  const item = el('div', { class: 'notice' }, el('span', { lang: '' }, text));
  item.append(el('button', { type: 'button', 'aria-label': 'Dismiss', click: () => item.remove() }, '×'));
  list.append(item);
  while (list.children.length > KEPT) list.firstElementChild.remove();
}

export function clearNotices() {
  list.replaceChildren();
}

/** Runs an action and shows its error; resolves to `null` then. */
export async function telling(action) {
  try {
    return await action();
  } catch (error) {
    notice(error instanceof Refused ? error.message : `The page failed: ${error.message}`);
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}
