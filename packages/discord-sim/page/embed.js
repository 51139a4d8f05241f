import { el } from './dom.js';
import { richText } from './rich-text.js';
import { timestamp as timeBox } from './timestamps.js';

export function embedBox({ title, url, description, author, fields = [], footer, timestamp, color }) {
  const box = el(
    'div',
    { class: 'embed' },
    author?.name ? el('div', { class: 'embed-author' }, author.name) : null,
    title ? el('div', { class: 'embed-title' }, ...titleNodes(title, url)) : null,
    description ? el('div', { class: 'rich' }, ...richText(description)) : null,
    fields.length > 0 ? el('dl', {}, ...fields.map(fieldBox)) : null,
    footerBox(footer, timestamp),
  );
  // A style attribute would be against the page's policy; setting the property is not.
  if (Number.isInteger(color)) box.style.borderInlineStartColor = `#${color.toString(16).padStart(6, '0')}`;
  return box;
}

function titleNodes(title, url) {
  const isLink = typeof url === 'string' && /^https?:\/\//.test(url);
  return isLink ? [el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, title)] : richText(title);
}

function fieldBox({ name, value, inline }) {
  const kind = inline ? 'inline' : 'wide';
  return el('div', { class: kind }, el('dt', {}, ...richText(name)), el('dd', { class: 'rich' }, ...richText(value)));
}

function footerBox(footer, timestamp) {
  const parts = [footer?.text, timestamp && timeBox(Date.parse(timestamp) / 1000, 's')].filter(Boolean);
  return parts.length > 0 ? el('div', { class: 'embed-footer' }, ...parts) : null;
}
