import { fill } from '@guild-settings/i18n';
import { Fragment, type ReactNode } from 'react';

interface FilledProps {
  /** A text with its placeholders: `t(key, { skipInterpolation: true })`. */
  readonly text: string;
  /** The elements in the places of the placeholders. */
  readonly slots: Readonly<Record<string, ReactNode>>;
  /** True: what stands around the elements is for screen readers alone. */
  readonly isSpoken?: boolean;
}

/** A text with elements in it. The language decides where they stand, and what is between them. */
export function Filled({ text, slots, isSpoken = false }: FilledProps): ReactNode {
  const pieces = fill<ReactNode>(
    text,
    (name) => [slots[name]],
    (piece) => (isSpoken ? <span className="visually-hidden">{piece}</span> : piece),
  );
  return pieces.map((piece, position) => <Fragment key={position}>{piece}</Fragment>);
}

/** The value of an option that leaves the placeholders in a text, for {@link Filled}. */
export const UNFILLED = { skipInterpolation: true } as const;
