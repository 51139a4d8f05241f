import { byId, el, fillPeople } from './dom.js';
import { request } from './request.js';

const PATH = '/oauth2/authorize';

const MEANINGS = new Map([
  ['identify', 'read your username and avatar'],
  ['email', 'read your email address'],
  ['guilds', 'list your servers'],
  ['guilds.join', 'join servers for you'],
  ['guilds.members.read', 'read your nickname and roles in servers'],
  ['applications.commands.permissions.update', 'change who may use its commands in your servers'],
  ['connections', 'read your connected accounts'],
]);

function call(path, body) {
  return request(PATH + path + location.search, body);
}

function enable(isEnabled) {
  for (const id of ['person', 'deny', 'grant']) byId(id).disabled = !isEnabled;
}

async function telling(action) {
  byId('notice').textContent = '';
  enable(false);
  try {
    await action();
  } catch (error) {
    byId('notice').textContent = error.message;
    enable(true);
  }
}

function decide(authorize) {
  return telling(async () => {
    const { location: next } = await call('', { personId: byId('person').value, authorize });
    location.assign(next);
  });
}

async function show() {
  const { application, scopes, redirectUri, people, personId } = await call('/request');
  byId('application').textContent = application.name;
  byId('redirect').textContent = redirectUri;
  const items = scopes.map((scope) => el('li', {}, MEANINGS.get(scope) ?? 'use the scope', ' ', el('code', {}, scope)));
  byId('scopes').replaceChildren(...items);
  fillPeople(byId('person'), people, personId);
  if (people.length === 0) throw new Error('There are no users.');
  enable(true);
}

byId('consent').addEventListener('submit', (event) => {
  event.preventDefault();
  void decide(true);
});
byId('deny').addEventListener('click', () => void decide(false));
addEventListener('pageshow', ({ persisted }) => persisted && enable(true));
await telling(show);
