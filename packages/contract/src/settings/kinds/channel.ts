import { snowflakeKind } from './snowflake-kind.ts';

export const CHANNEL = snowflakeKind('channel');
