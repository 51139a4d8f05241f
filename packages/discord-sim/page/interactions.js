import { answeredLater } from './api.js';
import { notice, telling } from './notices.js';

/** A bot has three seconds to answer, and then the clocks of two processes may differ. */
const PATIENCE_MS = 3_500;

/** Tells the person when no bot has answered what they used. */
export function awaitAnswer(interaction) {
  const answered = answeredLater(PATIENCE_MS);
  void telling(async () => {
    if (!(await answered(interaction))) notice('The application did not respond.');
  });
}
