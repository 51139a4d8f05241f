import { byId, el } from './dom.js';
import { suggestedField } from './option-choices.js';
import { currentGuild } from './places.js';
import { settings } from './settings.js';

const form = byId('command');

/** Shows fields for a command's options; `send` receives the values, `cancel` is called when nothing is sent. */
export function openForm(command, { send, cancel }) {
  const given = () =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value()]).filter(([, value]) => value !== undefined));
  const fields = command.options.map((option, index) => field({ command: command.command, given }, option, index));
  form.replaceChildren(
    el(
      'p',
      { class: 'command-head', lang: settings.locale },
      el('strong', {}, `/${command.name}`),
      ' ',
      command.description,
    ),
    el('div', { class: 'fields' }, ...fields.map(({ box }) => box)),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'secondary', click: cancel }, 'Cancel'),
      el('button', { type: 'submit', class: 'primary' }, 'Send'),
    ),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    send(given());
  };
  form.onkeydown = (event) => {
    if (event.key === 'Escape') cancel();
  };
  form.hidden = false;
  (form.querySelector('input:not([disabled]), select') ?? form.querySelector('[type=submit]')).focus();
}

export function closeForm() {
  form.hidden = true;
  form.replaceChildren();
}

function field(form, option, index) {
  const id = `option-${index}`;
  const { control, list, value } = controlFor(form, option, id);
  control.setAttribute('aria-describedby', `${id}-about`);
  const need = option.required ? el('span', { class: 'required' }, ' (required)') : null;
  const box = el(
    'div',
    { class: option.kind === 'boolean' ? 'field check' : 'field' },
    el('label', { for: id, lang: settings.locale }, option.label, need),
    control,
    list,
    el('small', { id: `${id}-about` }, el('span', { lang: settings.locale }, option.description), hintFor(option)),
  );
  return { box, name: option.name, value };
}

function hintFor({ kind, required }) {
  return kind === 'boolean' && !required ? ' (a dash: not given)' : '';
}

function controlFor({ command, given }, option, id) {
  const { kind, choices, required, min, max, completes, name } = option;
  if (choices.length > 0) return selectOf(id, required, choices);
  const { members = [], channels = [] } = currentGuild() ?? {};
  switch (kind) {
    case 'boolean':
      return checkboxOf(id, required);
    case 'user':
      return selectOf(
        id,
        required,
        members.map(({ id: value, name }) => ({ value, label: `@${name}` })),
      );
    case 'channel':
      return selectOf(
        id,
        required,
        channels.map(({ id: value, name }) => ({ value, label: `#${name}` })),
      );
    case 'integer':
    case 'number': {
      const control = el('input', { id, type: 'number', min, max, required, step: kind === 'integer' ? '1' : 'any' });
      return { control, value: () => (control.value === '' ? undefined : control.valueAsNumber) };
    }
    case 'text': {
      const bounds = { minlength: min, maxlength: max };
      if (completes) return suggestedField({ command, name, given }, { id, required, ...bounds });
      const control = el('input', { id, type: 'text', required, lang: '', autocomplete: 'off', ...bounds });
      return { control, value: () => (control.value === '' ? undefined : control.value) };
    }
    default: {
      const control = el('input', { id, type: 'text', disabled: true, value: 'The simulator has no such option.' });
      return { control, value: () => undefined };
    }
  }
}

function selectOf(id, required, entries) {
  const empty = el('option', { value: '' }, required ? 'Choose…' : 'Not given');
  const options = entries.map(({ label }, index) => el('option', { value: String(index) }, label));
  const control = el('select', { id, required, lang: settings.locale }, empty, ...options);
  return { control, value: () => (control.value === '' ? undefined : entries[Number(control.value)].value) };
}

/** An unchanged checkbox has no value, unless one is required. */
function checkboxOf(id, required) {
  const control = el('input', { id, type: 'checkbox' });
  control.indeterminate = !required;
  return { control, value: () => (control.indeterminate ? undefined : control.checked) };
}
