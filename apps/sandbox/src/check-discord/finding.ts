/** A line of the report. */
export interface Finding {
  readonly kind: 'ok' | 'wrong' | 'not checked';
  /** The state, and for what is wrong the way to change it. */
  readonly text: string;
}

export const ok = (text: string): Finding => ({ kind: 'ok', text });
export const wrong = (text: string): Finding => ({ kind: 'wrong', text });
export const notChecked = (text: string): Finding => ({ kind: 'not checked', text });
