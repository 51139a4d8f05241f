/** Milliseconds since the Unix epoch. Tests pass their own to hold time still or to make it jump. */
export type Clock = () => number;
