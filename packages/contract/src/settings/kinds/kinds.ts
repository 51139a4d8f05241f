import type { KindName } from '../setting-declaration.ts';
import type { Kind, Options } from './kind.ts';
import { SCALARS } from './scalars.ts';
import { TABLE } from './table.ts';

export const KINDS: { readonly [Name in KindName]: Kind<Options<Name>> } = { ...SCALARS, table: TABLE };
