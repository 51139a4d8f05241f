import { choices } from './api.js';
import { el } from './dom.js';
import { telling } from './notices.js';

/** A text field for an option whose bot suggests values for the typed text. Other text is sent unchanged. */
export function suggestedField({ command, name, given }, attributes) {
  const list = el('datalist', { id: `${attributes.id}-choices` });
  const control = el('input', { type: 'text', lang: '', autocomplete: 'off', list: list.id, ...attributes });
  let offered = [];
  const suggest = async () => {
    const typed = control.value;
    const answer = await telling(() => choices(command, { ...given(), [name]: typed }, name));
    // Another answer is already on its way.
    if (control.value !== typed || !answer) return;
    offered = answer.choices;
    list.replaceChildren(...offered.map((choice) => el('option', { value: choice.name })));
  };
  control.addEventListener('focus', suggest);
  control.addEventListener('input', suggest);
  const value = () => {
    if (control.value === '') return undefined;
    return offered.find((choice) => choice.name === control.value)?.value ?? control.value;
  };
  return { control, list, value };
}
