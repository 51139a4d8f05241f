import { parseTyped } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import { TextField } from '../design/inputs.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';
import { joinedTexts } from './joined-texts.ts';
import { rangeText } from './range-text.ts';
import { NO_WORDS } from './typed-words.ts';
import { useTyped } from './use-typed.ts';

/** A whole number with its unit and its range. What was typed and is no number stays as it is, with what is wrong with it. */
export function NumberControl({ setting }: ControlProps): ReactNode {
  const { words } = useSettings();
  const { set, value, description, ...texts } = useField(setting);
  const { declared } = setting;
  const meant = (typed: string) => parseTyped(setting, typed, NO_WORDS) ?? typed;
  const { text, type, leave } = useTyped(value, String, meant);
  const isNegative = declared.kind === 'integer' && declared.min < 0;
  return (
    <SettingFrame setting={setting}>
      <TextField
        {...texts}
        description={joinedTexts(description, rangeText(setting, words))}
        value={text}
        onChange={(typed) => {
          type(typed);
          set(meant(typed));
        }}
        onBlur={leave}
        unit={declared.kind === 'integer' ? declared.unit : undefined}
        // The keys of phones for numbers have no minus.
        inputMode={isNegative ? 'text' : 'numeric'}
      />
    </SettingFrame>
  );
}
