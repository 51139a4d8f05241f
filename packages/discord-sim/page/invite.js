import { byId, el, fillPeople, fillSelect } from './dom.js';
import { request } from './request.js';

const PATH = '/oauth2/authorize/invitation';

function call(body) {
  return request(PATH + location.search, body);
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
  fillPeople(byId('person'), people, chosen);
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
