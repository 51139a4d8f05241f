import { answeredLater } from './api.js';
import { notice, telling } from './notices.js';

/** A bot has three seconds to respond; some more for differing clocks. */
const PATIENCE_MS = 3_500;

/** Notifies the user when no bot has responded. */
export function awaitAnswer(interaction) {
  const answered = answeredLater(PATIENCE_MS);
  void telling(async () => {
    if (!(await answered(interaction))) notice('The application did not respond.');
  });
}
