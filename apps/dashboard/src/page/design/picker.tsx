import { type Key, type ReactNode, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { ComboBox, type ComboBoxProps } from './combo-box.tsx';
import { Option, OptionGroup } from './list-box.tsx';

export interface PickerOption {
  readonly id: string;
  readonly text: string;
  readonly note?: string | undefined;
  readonly start?: ReactNode;
}

export interface PickerGroup {
  readonly id: string;
  readonly heading?: string | undefined;
  readonly options: readonly PickerOption[];
}

interface PickerProps
  extends Pick<
    ComboBoxProps<object>,
    'label' | 'description' | 'error' | 'placeholder' | 'openLabel' | 'listLabel' | 'empty' | 'autoFocus'
  > {
  readonly language: string;
  /** Values before the others, which no search finds: none, and one that is not in the list. */
  readonly special?: readonly PickerOption[];
  readonly groups: readonly PickerGroup[];
  /** Returns what is offered for a text that was typed, in place of what a search finds. */
  readonly typed?: (text: string) => PickerOption | undefined;
  /** The value that is picked; null: each one that is picked is added somewhere else, and the field is empty again. */
  readonly value: string | null;
  readonly onPick: (id: string) => void;
  /** Called with what is typed. Without `typed`, the groups are what a search has found; else they are searched here. */
  readonly onType?: (typed: string) => void;
}

/** Makes an id that is never empty: an option needs one. */
const KEY = 'id:';

/** A field for one of many values, which is found by typing. It is loaded when a field gets the focus: it is a third of the size of a page. */
export function Picker(props: PickerProps): ReactNode {
  const { language, special = [], groups, typed: optionOf, value, onPick, onType, ...field } = props;
  const all = [...special, ...groups.flatMap(({ options }) => options)];
  const [typed, setTyped] = useState('');
  const isAdding = value === null;
  const [added, setAdded] = useState<string | null>(null);
  // Picked for a moment alone: the list closes because of it, and is ready for the next one.
  useEffect(() => setAdded(null), [added]);
  const found = optionOf?.(typed);
  const text = all.find(({ id }) => id === value)?.text;
  const isSearching = typed.trim() !== '' && typed !== text;
  const isFound = isSearching && found !== undefined;
  const isSearched = isFound || (onType !== undefined && optionOf === undefined);
  const type = (text: string) => {
    setTyped(text);
    onType?.(text);
  };
  const pick = (key: Key | null) => {
    if (key === null) return;
    const id = String(key).slice(KEY.length);
    if (isAdding) {
      type('');
      setAdded(id);
    }
    onPick(id);
  };
  const picked = isAdding ? added : value;
  return (
    <I18nProvider locale={language}>
      <ComboBox
        {...field}
        allowsEmptyCollection
        menuTrigger="focus"
        {...(isAdding && { inputValue: typed })}
        onInputChange={type}
        {...(isSearched && { defaultFilter: () => true })}
        value={picked === null ? null : `${KEY}${picked}`}
        onChange={pick}
      >
        {!isSearching && special.map((option) => <PickerItem key={option.id} {...option} />)}
        {isFound ? <PickerItem {...found} /> : groups.map((group) => <PickerItems key={group.id} {...group} />)}
      </ComboBox>
    </I18nProvider>
  );
}

function PickerItems({ heading, options }: PickerGroup): ReactNode {
  const items = options.map((option) => <PickerItem key={option.id} {...option} />);
  return heading === undefined ? items : <OptionGroup heading={heading}>{items}</OptionGroup>;
}

function PickerItem({ id, ...option }: PickerOption): ReactNode {
  return <Option id={`${KEY}${id}`} {...option} />;
}
