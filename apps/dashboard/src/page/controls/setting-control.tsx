import { type Setting, textIn } from '@guild-settings/contract/settings';
import { type ComponentType, lazy, memo, type ReactNode, useId } from 'react';
import { classNames } from '../design/button.tsx';
import field from '../design/field.module.css';
import {
  describedBy,
  FieldDescription,
  FieldError,
  type FieldTexts,
  Select,
  type SelectOption,
} from '../design/field.tsx';
import { Switch } from '../design/inputs.tsx';
import { LabelNote } from '../design/label-note.tsx';
import { isFeatures } from '../draft/fields.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../i18n/languages.ts';
import { FeaturesSetting } from '../settings/features-setting.tsx';
import { SettingFrame, SettingValue } from '../settings/setting.tsx';
import { FieldContext, useField, useSettingField, useSettings } from '../settings/settings-context.ts';
import { ColorControl, ColorsControl } from './color-control.tsx';
import styles from './controls.module.css';
import { ListControl } from './list-control.tsx';
import { PickControl, PickManyControl } from './pick-controls.tsx';
import { type ControlProps, DurationControl, NumberControl, TextControl } from './text-controls.tsx';
import { TimeControl, TimesControl } from './time-control.tsx';

type Controls = { readonly [Control in Setting['kind']['control']]: ComponentType<ControlProps> };

const ONE: Controls = {
  text: TextControl,
  number: NumberControl,
  duration: DurationControl,
  choice: ChoiceControl,
  channel: PickControl,
  role: PickControl,
  switch: SwitchControl,
  user: PickControl,
  emoji: PickControl,
  color: ColorControl,
  time: TimeControl,
  timeZone: PickControl,
  table: Rows,
};

/** The controls of lists. A switch has none. */
const MANY: Controls = {
  ...ONE,
  text: ListControl,
  number: ListControl,
  duration: ListControl,
  choice: ChoicesControl,
  channel: PickManyControl,
  role: PickManyControl,
  user: PickManyControl,
  emoji: PickManyControl,
  color: ColorsControl,
  time: TimesControl,
};

export const SettingControl = memo(function SettingControl({ setting }: ControlProps): ReactNode {
  if (isFeatures(setting)) return <FeaturesSetting />;
  if (setting.declared.setBy === 'application') return <Locked setting={setting} />;
  return <FramedControl setting={setting} />;
});

function FramedControl({ setting }: ControlProps): ReactNode {
  return (
    <SettingFrame setting={setting}>
      <FieldContext value={useSettingField(setting)}>
        <FieldControl setting={setting} />
      </FieldContext>
    </SettingFrame>
  );
}

/** The control for the kind of a setting, or of a column of a table. */
function FieldControl({ setting }: ControlProps): ReactNode {
  const Control = (setting.many === undefined ? ONE : MANY)[setting.kind.control];
  return <Control setting={setting} />;
}

const TableControl = lazy(() =>
  import('./table-control.tsx').then(
    (module) => ({ default: module.TableControl }),
    // The rows are still shown.
    () => ({ default: Locked }),
  ),
);

function Rows({ setting }: ControlProps): ReactNode {
  return <TableControl setting={setting} Cell={FieldControl} />;
}

function Locked({ setting }: ControlProps): ReactNode {
  return <SettingValue setting={setting} lock={useSettings().words.t('locked')} />;
}

const SHOWN = 4;

/** A choice among values. A removed value stays until another one is chosen. */
function ChoiceControl({ setting }: ControlProps): ReactNode {
  const { language } = useSettings().words;
  const { set, value, texts, isCell } = useField();
  const chosen = String(value);
  const options = optionsOf(setting, [chosen], language);
  const isDeclared = (choice: string) =>
    setting.declared.kind === 'choice' && Object.hasOwn(setting.declared.choices, choice);
  const choose = (choice: string) => (isDeclared(choice) || choice === chosen) && set(choice);
  return options.length > SHOWN || isCell ? (
    <Select<string> {...texts} value={chosen} options={options} onChange={choose} />
  ) : (
    <ChoiceGroup {...texts} type="radio" values={[chosen]} options={options} onChange={choose} />
  );
}

/** Returns the choices of a setting, followed by values that are no longer choices. */
function optionsOf(
  { declared, place }: Setting,
  values: readonly string[],
  language: string,
): readonly SelectOption<string>[] {
  const choices = declared.kind === 'choice' ? declared.choices : {};
  const known = Object.entries(choices).map(([choice, label]) => optionOf(choice, textIn(label, language), place));
  const removed = values.filter((value) => !Object.hasOwn(choices, value));
  return [...known, ...removed.map((value) => ({ value, text: value }))];
}

function optionOf(value: string, label: string | undefined, place: Setting['place']): SelectOption<string> {
  const lang = place === 'record' ? LANGUAGES.find((tag) => tag === value) : undefined;
  if (label !== undefined || lang === undefined) return { value, text: label ?? value };
  return { value, text: LANGUAGE_NAMES[lang], lang };
}

function ChoicesControl({ setting }: ControlProps): ReactNode {
  const { language } = useSettings().words;
  const { set, value, texts } = useField();
  const chosen = value as readonly string[];
  const toggle = (choice: string) =>
    set(chosen.includes(choice) ? chosen.filter((one) => one !== choice) : [...chosen, choice]);
  return (
    <ChoiceGroup
      {...texts}
      type="checkbox"
      values={chosen}
      options={optionsOf(setting, chosen, language)}
      onChange={toggle}
    />
  );
}

interface ChoiceGroupProps extends FieldTexts {
  readonly type: 'radio' | 'checkbox';
  readonly values: readonly string[];
  readonly options: readonly SelectOption<string>[];
  readonly onChange: (value: string) => void;
}

/** A few values that are all shown, of which one or several can be chosen. */
function ChoiceGroup({ label, description, error, type, values, options, onChange }: ChoiceGroupProps): ReactNode {
  const id = useId();
  const { 'aria-describedby': describedById } = describedBy(id, { description, error });
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      aria-describedby={describedById}
      className={classNames(field.field, styles.group)}
    >
      <div className={field.label} dir="auto">
        <span id={`${id}-label`}>{label}</span>
        <LabelNote />
      </div>
      <div className={field.control}>
        {options.map(({ value, text, lang }) => (
          <label key={value} className={styles.choice} lang={lang}>
            <input
              type={type}
              name={id}
              className={styles.mark}
              checked={values.includes(value)}
              aria-invalid={error === undefined ? undefined : true}
              onChange={() => onChange(value)}
            />
            <bdi>{text}</bdi>
          </label>
        ))}
        <FieldError id={id} error={error} />
      </div>
      <FieldDescription id={id} description={description} />
    </fieldset>
  );
}

function SwitchControl(): ReactNode {
  const { set, value, texts } = useField();
  return <Switch {...texts} isSelected={value === true} onChange={set} />;
}
