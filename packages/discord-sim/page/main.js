import * as api from './api.js';
import { fitComposer, leaveForm } from './composer.js';
import { byId } from './dom.js';
import { redraw, removeMessage, showHistory, showMessage, showNothing } from './message-list.js';
import { clearNotices, telling } from './notices.js';
import { currentChannel, currentGuild, currentPerson, loadPlaces, settle } from './places.js';
import { choose, settings } from './settings.js';
import { refreshRelative } from './timestamps.js';

const RELATIVE_TIMES_MS = 15_000;
const BURST_MS = 100;
const RETRY_MS = 1_000;
const LOCALES = [...byId('locale').options].map(({ value }) => value);

let stream = null;
let refresh;
let watched = '';

function follow() {
  const channel = currentChannel();
  const wanted = `${settings.person} ${settings.channel}`;
  if (stream && stream.readyState !== EventSource.CLOSED && watched === wanted) return;
  stream?.close();
  stream = null;
  watched = wanted;
  leaveForm();
  if (!channel) return showNothing(currentGuild() ? 'You can see no channel here.' : 'You are in no server.');
  const opened = api.stream();
  stream = opened;
  const on = (event, listener) => opened.addEventListener(event, ({ data }) => listener(JSON.parse(data)));
  on('history', showHistory);
  on('message', showMessage);
  on('deleted', removeMessage);
  on('places', () => soon());
  opened.onopen = () => tellConnection('');
  opened.onerror = () => {
    tellConnection('Reconnecting…');
    // A permanent error: the channel was deleted, or the simulator restarted.
    if (opened.readyState === EventSource.CLOSED && stream === opened) soon(RETRY_MS);
  };
}

function tellConnection(text) {
  byId('connection').textContent = text;
}

function show() {
  const channel = currentChannel();
  byId('title').textContent = channel ? `#${channel.name}` : '…';
  byId('whoami').textContent = currentPerson() ? `as ${currentPerson().name}` : '';
  document.title = `${channel ? `#${channel.name} · ` : ''}simulated Discord`;
  fitComposer();
  follow();
}

async function refreshPlaces() {
  if (!(await telling(loadPlaces))) return;
  show();
  redraw();
}

/** Debounces bursts of changes. */
function soon(milliseconds = BURST_MS) {
  clearTimeout(refresh);
  refresh = setTimeout(refreshPlaces, milliseconds);
}

async function go(change) {
  choose(change);
  clearNotices();
  if ('person' in change) return refreshPlaces();
  settle();
  return show();
}

function openMenu(open) {
  document.body.classList.toggle('menu-open', open);
  byId('menu').setAttribute('aria-expanded', String(open));
  if (open) byId('person').focus();
}

byId('person').addEventListener('change', ({ target }) => void go({ person: target.value }));
byId('guild').addEventListener('change', ({ target }) => void go({ guild: target.value, channel: null }));
byId('locale').addEventListener('change', ({ target }) => {
  choose({ locale: target.value });
  leaveForm();
  redraw();
});
byId('channels').addEventListener('click', ({ target }) => {
  const channel = target.closest('[data-channel]')?.dataset.channel;
  if (!channel) return;
  openMenu(false);
  void go({ channel });
  byId('text').focus();
});
byId('menu').addEventListener('click', () => openMenu(!document.body.classList.contains('menu-open')));
byId('scroller').addEventListener('click', () => openMenu(false));
byId('places').addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !document.body.classList.contains('menu-open')) return;
  openMenu(false);
  byId('menu').focus();
});
addEventListener('hashchange', () => location.reload());
addEventListener('pagehide', () => stream?.close());
setInterval(refreshRelative, RELATIVE_TIMES_MS);

const preferred = LOCALES.find((locale) => locale.split('-')[0] === navigator.language.split('-')[0]);
choose({ locale: LOCALES.includes(settings.locale) ? settings.locale : (preferred ?? 'en-US') });
byId('locale').value = settings.locale;
await refreshPlaces();
byId('text').focus();
