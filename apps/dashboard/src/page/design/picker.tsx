import { type Key, type ReactNode, useContext, useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox, type ComboBoxProps, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import field from './field.module.css';
import { type FieldTexts, isShown, Start } from './field.tsx';
import { Icon } from './icons.tsx';
import { LabelNote } from './label-note.tsx';
import styles from './picker.module.css';

export interface PickerOption {
  readonly id: string;
  readonly text: string;
  /** A second line, announced as the description. */
  readonly note?: string | undefined;
  readonly start?: ReactNode;
}

export interface PickerGroup {
  readonly id: string;
  readonly heading?: string | undefined;
  readonly options: readonly PickerOption[];
}

interface PickerProps extends Pick<ComboBoxProps<object>, 'autoFocus'>, Omit<FieldTexts, 'isLabelHidden'> {
  readonly placeholder: string;
  /** The name of the button that opens the list. React Aria only has it in some of the page's languages. */
  readonly openLabel: string;
  readonly listLabel: string;
  /** A picture of the value, in front of it. */
  readonly start?: ReactNode;
  /** Shown if no option matches the typed text. */
  readonly empty: string;
  readonly language: string;
  /** Values before the others, which a search does not find: none, and a value that is not in the list. */
  readonly special?: readonly PickerOption[];
  readonly groups: readonly PickerGroup[];
  /** Returns the option for a typed text, instead of search results. */
  readonly typed?: (text: string) => PickerOption | undefined;
  /** The picked value; null: each picked value is added elsewhere, and the field is cleared. */
  readonly value: string | null;
  readonly onPick: (id: string) => void;
  /** Called with the typed text. Without `typed`, the groups are search results; otherwise they are searched here. */
  readonly onType?: (typed: string) => void;
}

/** Makes a key that is never empty, as options require. */
const KEY = 'id:';

/**
 * A field for one of many values, which is found by typing. Uses React Aria, a third of the size of a page: the module
 * is loaded when a field gets the focus.
 */
export function Picker(props: PickerProps): ReactNode {
  const { language, special = [], groups, typed: optionOf, value, onPick, onType, autoFocus, start, ...texts } = props;
  const { label, description, error, placeholder, openLabel, listLabel, empty } = texts;
  const all = [...special, ...groups.flatMap(({ options }) => options)];
  const [typed, setTyped] = useState('');
  const isAdding = value === null;
  const [added, setAdded] = useState<string | null>(null);
  // Only picked for a moment, so that the list closes and is ready for the next value.
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
    if (key === null) {
      // Escape or losing the focus discards the typed text; the list would open again for it.
      if (isAdding) type('');
      return;
    }
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
        {...(autoFocus !== undefined && { autoFocus })}
        allowsEmptyCollection
        menuTrigger="focus"
        {...(isAdding && { inputValue: typed })}
        onInputChange={type}
        {...(isSearched && { defaultFilter: () => true })}
        value={picked === null ? null : `${KEY}${picked}`}
        onChange={pick}
        isInvalid={error !== undefined}
        className={field.field ?? ''}
      >
        <div className={field.label} dir="auto">
          <Label>{label}</Label>
          <LabelNote />
        </div>
        <div className={field.control}>
          <div className={field.group}>
            <Start>{isSearching ? undefined : start}</Start>
            <SearchInput placeholder={placeholder} />
            <Button aria-label={openLabel} className={field.open ?? ''}>
              <Icon name="chevron" />
            </Button>
          </div>
          {error !== undefined && (
            <FieldError className={field.error ?? ''}>
              <Icon name="warning" />
              <span>{error}</span>
            </FieldError>
          )}
        </div>
        {isShown(description) && (
          <Text slot="description" className={field.description} dir="auto">
            {description}
          </Text>
        )}
        <Popover className={styles.popover ?? ''}>
          <ListBox
            aria-label={listLabel}
            className={styles.list ?? ''}
            renderEmptyState={() => <p className={styles.empty}>{empty}</p>}
          >
            {!isSearching && special.map((option) => <Option key={option.id} {...option} />)}
            {isFound ? <Option {...found} /> : groups.map((group) => <Options key={group.id} {...group} />)}
          </ListBox>
        </Popover>
      </ComboBox>
    </I18nProvider>
  );
}

/** The input of the search. The first result is active, so that Enter selects it. */
function SearchInput({ placeholder }: { readonly placeholder: string }): ReactNode {
  const state = useContext(ComboBoxStateContext);
  // After each change, because the list resets its active value with each key.
  useEffect(() => {
    if (state === null || !state.isOpen) return undefined;
    const { collection, inputValue, selectedItem, selectionManager } = state;
    const isSearching = inputValue.trim() !== '' && inputValue !== selectedItem?.textValue;
    const { focusedKey } = selectionManager;
    // The active value may have left the list, like an added one.
    if (!isSearching || (focusedKey !== null && collection.getItem(focusedKey) !== null)) return undefined;
    let key = collection.getFirstKey();
    while (key !== null && collection.getItem(key)?.type !== 'item') key = collection.getKeyAfter(key);
    // After the effects of the list, which resets the active value when it opens.
    let isCurrent = true;
    queueMicrotask(() => isCurrent && selectionManager.setFocusedKey(key));
    return () => {
      isCurrent = false;
    };
  });
  return (
    <Input
      className={field.input ?? ''}
      dir="auto"
      placeholder={placeholder}
      // Opens the list again after a value was picked while the focus is still here.
      onClick={() => state?.open(null, 'manual')}
    />
  );
}

function Options({ heading, options }: PickerGroup): ReactNode {
  const items = options.map((option) => <Option key={option.id} {...option} />);
  if (heading === undefined) return items;
  return (
    <ListBoxSection>
      <Header className={styles.header}>{heading}</Header>
      {items}
    </ListBoxSection>
  );
}

function Option({ id, text, note, start }: PickerOption): ReactNode {
  return (
    <ListBoxItem id={`${KEY}${id}`} textValue={text} className={styles.item ?? ''}>
      {({ isSelected }) => (
        <>
          {start}
          <span className={styles.text}>
            <Text slot="label" dir="auto">
              {text}
            </Text>
            {note !== undefined && (
              <Text slot="description" className={styles.note}>
                {note}
              </Text>
            )}
          </span>
          {isSelected && <Icon name="check" />}
        </>
      )}
    </ListBoxItem>
  );
}
