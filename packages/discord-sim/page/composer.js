import * as api from './api.js';
import { closeForm, openForm } from './command-form.js';
import { hide, listKey, pickingCommands, suggest } from './command-list.js';
import { byId } from './dom.js';
import { awaitAnswer } from './interactions.js';
import { clearNotices, telling } from './notices.js';
import { currentChannel, withMentions } from './places.js';

const [write, text] = ['write', 'text'].map(byId);

/** Adapts the composer to the user's permissions in the channel, and keeps its text. */
export function fitComposer() {
  const channel = currentChannel();
  text.disabled = channel === undefined;
  if (channel === undefined) text.placeholder = 'There is no channel to write in';
  else text.placeholder = channel.writable ? `Message #${channel.name}, or /` : 'You may not write here; / may work';
}

export function leaveForm() {
  closeForm();
  write.hidden = false;
}

text.addEventListener('input', () => {
  grow();
  void suggest();
});
text.addEventListener('blur', hide);
text.addEventListener('keydown', (event) => {
  if (listKey(event)) return event.preventDefault();
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return undefined;
  event.preventDefault();
  return write.requestSubmit();
});
write.addEventListener('submit', (event) => {
  event.preventDefault();
  if (text.value.trim() === '' || text.disabled) return;
  void telling(async () => {
    const typed = text.value;
    clearNotices();
    hide();
    await api.say(withMentions(typed));
    if (text.value === typed) empty();
  });
});

pickingCommands((command) => {
  empty();
  write.hidden = true;
  openForm(command, { send: (values) => void use(command, values), cancel: backToText });
});

async function use({ command }, values) {
  clearNotices();
  const sent = await telling(() => api.slash(command, values));
  if (!sent) return;
  awaitAnswer(sent);
  backToText();
}

function backToText() {
  leaveForm();
  text.focus();
}

function empty() {
  text.value = '';
  grow();
}

function grow() {
  text.style.height = 'auto';
  text.style.height = `${text.scrollHeight}px`;
}
