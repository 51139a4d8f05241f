import { buttonRows } from './button-rows.js';
import { el } from './dom.js';
import { embedBox } from './embed.js';
import { plainText, richText } from './rich-text.js';
import { writtenAt } from './timestamps.js';

export function messageItem(message) {
  const { author, embeds, ephemeral } = message;
  return el(
    'li',
    { class: ephemeral ? 'message ephemeral' : 'message', 'data-id': message.id },
    origin(message),
    avatar(author),
    el(
      'div',
      { class: 'body' },
      head(message),
      text(message),
      ...embeds.map(embedBox),
      ...buttonRows(message),
      ...foot(message),
    ),
  );
}

function origin({ use, replyTo }) {
  if (use?.command) {
    return el('p', { class: 'origin' }, el('bdi', { lang: '' }, use.name), ' used ', el('code', {}, `/${use.command}`));
  }
  if (!replyTo) return null;
  if (replyTo.content === null) return el('p', { class: 'origin' }, 'replies to a message that is gone');
  const name = el('bdi', { lang: '' }, replyTo.name);
  return el(
    'p',
    { class: 'origin' },
    'replies to ',
    name,
    ': ',
    el('q', { lang: '' }, plainText(replyTo.content) || '…'),
  );
}

function avatar({ id, name }) {
  const [initial = '?'] = name;
  const circle = el('span', { class: 'avatar', 'aria-hidden': 'true' }, initial.toUpperCase());
  circle.style.setProperty('--hue', String(Number(BigInt(id) % 360n)));
  return circle;
}

function head({ author, createdAt }) {
  return el(
    'p',
    { class: 'head' },
    el('bdi', { class: 'author', lang: '' }, author.name),
    author.bot ? el('span', { class: 'badge' }, 'APP') : null,
    el('span', { class: 'when' }, writtenAt(createdAt)),
  );
}

function text({ loading, author, content, editedAt }) {
  if (loading) return el('p', { class: 'thinking' }, `${author.name} is thinking`);
  if (content === '') return null;
  const edited = editedAt === null ? null : el('span', { class: 'edited' }, ' (edited)');
  return el('div', { class: 'rich', lang: '' }, ...richText(content), edited);
}

function foot({ ephemeral, content, editedAt }) {
  return [
    content === '' && editedAt !== null ? el('p', { class: 'edited' }, '(edited)') : null,
    ephemeral ? el('p', { class: 'only-you' }, 'Only you can see this') : null,
  ];
}
