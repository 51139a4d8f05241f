import { byId, el, fillSelect } from './dom.js';

const PATH = '/oauth2/authorize/invitation';

async function call(body) {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(PATH + location.search, init).catch(() => {
    throw new Error('The simulator cannot be reached.');
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Error(answer.message ?? `The simulator answered ${response.status}.`);
}

async function telling(action) {
  byId('notice').textContent = '';
  byId('add').disabled = true;
  try {
    await action();
  } catch (error) {
    byId('notice').textContent = error.message;
    byId('add').disabled = false;
  }
}

/** Shows the servers to which the chosen person may add the bot. */
function showGuilds({ people, guildId }) {
  const { guilds } = people.find(({ id }) => id === byId('person').value);
  fillSelect(
    byId('guild'),
    guilds.map(({ id, name }) => ({ value: id, label: name })),
    guildId,
  );
  byId('add').disabled = guilds.length === 0;
  byId('notice').textContent = guilds.length === 0 ? 'This person manages no server to add the bot to.' : '';
}

async function show() {
  const invitation = await call();
  const { application, permissions, people, guildId, personId } = invitation;
  byId('application').textContent = application.name;
  byId('permissions').replaceChildren(...permissions.map((name) => el('li', {}, el('code', {}, name))));
  if (people.length === 0) throw new Error('There are no users.');
  const mayInvite = ({ guilds }) => guilds.some(({ id }) => guildId === null || id === guildId);
  const chosen = personId ?? people.find(mayInvite)?.id;
  const entries = people.map(({ id, name, username }) => ({
    value: id,
    label: name === username ? name : `${name} (${username})`,
  }));
  fillSelect(byId('person'), entries, chosen);
  byId('person').addEventListener('change', () => showGuilds(invitation));
  showGuilds(invitation);
}

byId('invitation').addEventListener('submit', (event) => {
  event.preventDefault();
  void telling(async () => {
    const { guild } = await call({ personId: byId('person').value, guildId: byId('guild').value });
    byId('notice').textContent = `The bot is in ${guild.name} now. You can close this page.`;
  });
});
await telling(show);
