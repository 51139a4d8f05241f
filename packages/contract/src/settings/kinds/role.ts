import { snowflakeKind } from './snowflake-kind.ts';

export const ROLE = snowflakeKind('role');
