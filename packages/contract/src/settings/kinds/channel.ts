import { snowflakeKind } from './snowflake-kind.ts';

/** A channel of the guild. */
export const CHANNEL = snowflakeKind('channel');
