import { earlier } from './api.js';
import { byId, keepingFocus } from './dom.js';
import { messageItem } from './message.js';
import { telling } from './notices.js';

const [list, scroller, empty, earlierButton] = ['messages', 'scroller', 'empty', 'earlier'].map(byId);

/** Close enough to the end to follow it, in pixels. */
const NEAR_END = 80;
const messages = new Map();
let atEnd = true;

scroller.addEventListener('scroll', () => {
  atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END;
});
// A form or a notice below reduces its height.
new ResizeObserver(() => {
  if (atEnd) toEnd();
}).observe(scroller);

export function showHistory({ messages: newest, more }) {
  // Screen readers must not announce the whole history.
  list.setAttribute('aria-busy', 'true');
  messages.clear();
  for (const message of newest) messages.set(message.id, message);
  list.replaceChildren(...newest.map(messageItem));
  earlierButton.hidden = !more;
  sayWhenEmpty('Nobody has written here yet.');
  atEnd = true;
  toEnd();
  list.setAttribute('aria-busy', 'false');
}

export function showNothing(reason) {
  showHistory({ messages: [], more: false });
  sayWhenEmpty(reason);
}

/** Adds or updates a message. Ignores messages older than those shown. */
export function showMessage(message) {
  const before = itemOf(message.id);
  const newest = list.lastElementChild?.dataset.id ?? '0';
  if (!before && BigInt(message.id) < BigInt(newest)) return;
  messages.set(message.id, message);
  empty.hidden = true;
  following(() => {
    const item = messageItem(message);
    if (!before) return list.append(item);
    return keepingFocus(before, () => {
      before.replaceWith(item);
      return item;
    });
  });
}

export function removeMessage({ id }) {
  messages.delete(id);
  itemOf(id)?.remove();
  sayWhenEmpty('Nobody has written here yet.');
}

export function redraw() {
  list.setAttribute('aria-busy', 'true');
  const items = [...messages.values()].map(messageItem);
  following(() => keepingFocus(list, () => list.replaceChildren(...items)));
  list.setAttribute('aria-busy', 'false');
}

earlierButton.addEventListener('click', () =>
  telling(async () => {
    const [oldest] = messages.keys();
    const { messages: older, more } = await earlier(oldest);
    if (oldest !== messages.keys().next().value) return;
    const newer = [...messages];
    messages.clear();
    for (const message of older) messages.set(message.id, message);
    for (const [id, message] of newer) messages.set(id, message);
    const height = scroller.scrollHeight;
    list.prepend(...older.map(messageItem));
    scroller.scrollTop += scroller.scrollHeight - height;
    earlierButton.hidden = !more;
  }),
);

function itemOf(id) {
  return list.querySelector(`[data-id="${CSS.escape(id)}"]`);
}

function sayWhenEmpty(reason) {
  empty.textContent = reason;
  empty.hidden = messages.size > 0;
}

function following(change) {
  change();
  if (atEnd) toEnd();
}

function toEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}
