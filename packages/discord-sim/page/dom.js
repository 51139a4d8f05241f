/**
 * Creates an element. Attributes that are functions listen to the event of their name; children that are strings become
 * text. Nothing here, or anywhere on the page, reads text as HTML.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Redraws the content of an element and keeps the focus position. */
export function keepingFocus(inside, redraw) {
  const place = focusable(inside).indexOf(document.activeElement);
  const after = redraw() ?? inside;
  if (place !== -1) focusable(after)[place]?.focus();
}

function focusable(inside) {
  return [...inside.querySelectorAll('a, button, summary, pre')];
}

export function fillPeople(select, people, chosen) {
  const entries = people.map(({ id, name, username }) => {
    return { value: id, label: name === username ? name : `${name} (${username})` };
  });
  fillSelect(select, entries, chosen);
}

/** Fills a select with values and labels, and chooses `chosen` or else the first. */
export function fillSelect(select, entries, chosen) {
  const options = entries.map(({ value, label }) => el('option', { value, lang: '' }, label));
  select.replaceChildren(...options);
  if (entries.some(({ value }) => value === chosen)) select.value = chosen;
  select.disabled = entries.length === 0;
}
