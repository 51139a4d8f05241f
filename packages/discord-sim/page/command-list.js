import * as api from './api.js';
import { byId, el } from './dom.js';
import { telling } from './notices.js';
import { settings } from './settings.js';

const MAX_SHOWN = 50;
const [list, text] = ['commands', 'text'].map(byId);
let commands = null;
let shown = [];
let active = 0;
let onPick = () => undefined;

export function pickingCommands(pick) {
  onPick = pick;
}

/** Lists the commands that match the input; fetches them again whenever the input begins with a slash. */
export async function suggest() {
  const typed = text.value;
  if (!typed.startsWith('/') || typed.includes('\n')) return hide();
  if (commands === null || typed === '/') commands = (await telling(api.commands)) ?? [];
  if (text.value !== typed) return undefined;
  shown = fitting(typed.slice(1).trim().toLowerCase()).slice(0, MAX_SHOWN);
  active = 0;
  return show();
}

export function hide() {
  commands = null;
  shown = [];
  show();
}

export function listKey(event) {
  if (shown.length === 0 || event.isComposing) return false;
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      active = (active + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length;
      mark();
      return true;
    case 'Enter':
    case 'Tab':
      if (event.shiftKey) return false;
      pick(active);
      return true;
    case 'Escape':
      hide();
      return true;
    default:
      return false;
  }
}

function fitting(query) {
  const fits = ({ name, command }) =>
    [name, command].some((full) => full.toLowerCase().includes(query) || query.startsWith(`${full.toLowerCase()} `));
  return commands.filter(fits);
}

function show() {
  list.hidden = shown.length === 0;
  text.setAttribute('aria-expanded', String(shown.length > 0));
  list.replaceChildren(...shown.map(item));
  mark();
}

function item({ name, description, bot }, index) {
  return el(
    'div',
    {
      id: `command-${index}`,
      role: 'option',
      // Before the text field loses its focus.
      mousedown: (event) => event.preventDefault(),
      click: () => pick(index),
    },
    el('strong', { lang: settings.locale }, `/${name}`),
    el('span', { class: 'command-about', lang: settings.locale }, description),
    el('small', { class: 'command-hint' }, bot),
  );
}

function mark() {
  for (const [index, option] of [...list.children].entries()) {
    option.setAttribute('aria-selected', String(index === active));
    if (index === active) option.scrollIntoView({ block: 'nearest' });
  }
  if (shown.length > 0) text.setAttribute('aria-activedescendant', `command-${active}`);
  else text.removeAttribute('aria-activedescendant');
}

function pick(index) {
  const command = shown[index];
  hide();
  onPick(command);
}
