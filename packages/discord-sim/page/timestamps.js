import { el } from './dom.js';
import { settings } from './settings.js';

const STYLES = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
};
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/**
 * Formats a time in one of Discord's styles, in the language of the user's client.
 *
 * @see https://discord.com/developers/docs/reference#message-formatting-timestamp-styles
 */
export function timestamp(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return el('span', { class: 'mention' }, String(seconds));
  const attributes = { datetime: date.toISOString(), title: format(date, 'F'), lang: settings.locale };
  if (style !== 'R') return el('time', attributes, format(date, style));
  return el('time', { ...attributes, 'data-relative': String(seconds) }, relative(seconds));
}

/** Formats the time of a message, with the day unless it is today. */
export function writtenAt(milliseconds) {
  const today = new Date(milliseconds).toDateString() === new Date().toDateString();
  return timestamp(milliseconds / 1000, today ? 't' : 's');
}

export function refreshRelative() {
  for (const element of document.querySelectorAll('time[data-relative]')) {
    element.textContent = relative(Number(element.dataset.relative));
  }
}

function format(date, style) {
  return new Intl.DateTimeFormat(settings.locale, STYLES[style]).format(date);
}

function relative(seconds) {
  const away = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(settings.locale, { numeric: 'auto' }).format(Math.round(away / size), unit);
}
