import { snowflakeKind } from './snowflake-kind.ts';

/** A role of the guild. */
export const ROLE = snowflakeKind('role');
