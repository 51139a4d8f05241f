import { LIMITS } from '@guild-settings/contract/constants';
import { fieldLabel, lengthOf } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { Select } from '../design/select.tsx';
import { Switch } from '../design/switch.tsx';
import { TextField } from '../design/text-field.tsx';
import { LANGUAGE_NAMES, LANGUAGES } from '../i18n/languages.ts';
import { Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useFieldError, useSetField } from './use-field.ts';

/** The prefix of commands in messages. */
export function PrefixSetting(): ReactNode {
  const { draft, words } = useSettings();
  const { prefix } = draft.settings;
  const set = useSetField();
  const length = words.t('length', { used: lengthOf(prefix), max: LIMITS.prefix });
  return (
    <Setting field="prefix">
      <TextField
        label={fieldLabel('prefix', words)}
        description={`${words.t('help.prefix')} ${length}`}
        error={useFieldError('prefix')}
        value={prefix}
        onChange={(value) => set('prefix', value)}
        spellCheck={false}
      />
    </Setting>
  );
}

/** The language of the bot. One that this page does not know stays until another one is chosen. */
export function LanguageSetting(): ReactNode {
  const { draft, words } = useSettings();
  const { language } = draft.settings;
  const set = useSetField();
  const known = LANGUAGES.map((tag) => ({ value: tag, text: LANGUAGE_NAMES[tag], lang: tag }));
  const isKnown = known.some(({ value }) => value === language);
  return (
    <Setting field="language">
      <Select<string>
        label={fieldLabel('language', words)}
        description={words.t('help.language')}
        error={useFieldError('language')}
        value={language}
        options={isKnown ? known : [...known, { value: language, text: language }]}
        onChange={(value) => {
          const chosen = LANGUAGES.find((tag) => tag === value);
          if (chosen !== undefined) set('language', chosen);
        }}
      />
    </Setting>
  );
}

/** Whether beta features are on. */
export function BetaSetting(): ReactNode {
  const { draft, words } = useSettings();
  const { beta } = draft.settings;
  const set = useSetField();
  return (
    <Setting field="beta">
      <Switch
        label={fieldLabel('beta', words)}
        description={words.t('help.beta')}
        isSelected={beta}
        onChange={(isOn) => set('beta', isOn)}
      />
    </Setting>
  );
}
