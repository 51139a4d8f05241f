/** Returns milliseconds since the Unix epoch. Tests pass their own. */
export type Clock = () => number;
