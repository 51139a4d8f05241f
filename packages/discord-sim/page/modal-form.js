import { byId, el } from './dom.js';
import { settings } from './settings.js';

const dialog = byId('modal');

/** Shows a modal of a bot; `send` receives the values by custom id, and resolves with true if they were accepted. */
export function openModal({ title, fields }, send) {
  const shown = fields.map(fieldOf);
  const form = el(
    'form',
    { method: 'dialog' },
    el('h2', { id: 'modal-title', lang: '' }, title),
    ...shown.map(({ box }) => box),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'secondary', click: () => dialog.close() }, 'Cancel'),
      el('button', { type: 'submit', class: 'primary' }, 'Submit'),
    ),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await send(Object.fromEntries(shown.map(({ customId, value }) => [customId, value()])))) dialog.close();
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}

function fieldOf(field, index) {
  const id = `modal-${index}`;
  const { control, value } = field.text === null ? menu(field, id) : textField(field, id);
  control.setAttribute('aria-describedby', `${id}-about`);
  const need = field.required ? el('span', { class: 'required' }, ' (required)') : null;
  const box = el(
    'div',
    { class: 'field' },
    el('label', { for: id, lang: '' }, field.label, need),
    control,
    el('small', { id: `${id}-about`, lang: '' }, field.description),
  );
  return { box, customId: field.customId, value };
}

function textField({ text, placeholder, required, min, max }, id) {
  const tag = text.lines === 'many' ? 'textarea' : 'input';
  const control = el(tag, { id, placeholder, required, minlength: min, maxlength: max, rows: '6', lang: '' });
  control.value = text.value;
  return { control, value: () => control.value };
}

function menu({ options, required, max }, id) {
  const items = options.map(({ label, value, chosen }) => el('option', { value, selected: chosen }, label));
  const nothing = max === 1 ? [el('option', { value: '' }, required ? 'Choose…' : 'None')] : [];
  const control = el('select', { id, required, multiple: max > 1, lang: settings.locale }, ...nothing, ...items);
  return {
    control,
    value: () => [...control.selectedOptions].map(({ value }) => value).filter((value) => value !== ''),
  };
}
