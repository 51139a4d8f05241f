import type { ServedSettings } from '../served-settings.ts';
import type { Declaration } from './declaration.ts';
import { DeclaredSettings, SPECIFIED_SETTINGS } from './declared-settings.ts';

/** Returns the settings of a deployment as the service has sent them, with their texts. */
export function servedDeclaration({ tag, ...declaration }: ServedSettings): DeclaredSettings {
  // A value that a later version has is a default like any other.
  return tag === null ? SPECIFIED_SETTINGS : new DeclaredSettings(declaration as Declaration, tag);
}
