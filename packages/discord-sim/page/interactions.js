import { interaction } from './api.js';
import { openModal } from './modal-form.js';
import { notice, telling } from './notices.js';

/** Opens the modal with which a bot responds, and notifies the user when no bot has responded. */
export function awaitAnswer(used) {
  const { answer, submit } = interaction(used);
  void telling(async () => {
    const { answered, modal } = await answer();
    if (!answered) notice('The application did not respond.');
    if (modal === null) return;
    openModal(modal, async (values) => {
      const sent = await telling(() => submit(values));
      if (sent) awaitAnswer(sent);
      return Boolean(sent);
    });
  });
}
