import { type FocusEvent, useState } from 'react';
import { flushSync } from 'react-dom';

type PickerModule = typeof import('./picker.tsx');

export interface LoadedPicker {
  readonly Picker: PickerModule['Picker'] | undefined;
  /** True: the picker replaces a field that has the focus. */
  readonly isFocused: boolean;
  readonly isMissing: boolean;
  /** Loads the picker: the handler of the focus of the field before it. */
  readonly load: (event: FocusEvent) => void;
}

/** Loads the picker, which is a third of the size of this page, when its field gets the focus. */
export function usePicker(): LoadedPicker {
  const [loaded, setLoaded] = useState<Pick<LoadedPicker, 'Picker' | 'isFocused'>>();
  const [isMissing, setMissing] = useState(false);
  const load = ({ currentTarget: field }: FocusEvent) => {
    import('./picker.tsx').then(
      // The focus may have moved on meanwhile. It cannot before the picker is there: rendered later, the picker would take it back.
      ({ Picker }) => flushSync(() => setLoaded({ Picker, isFocused: document.activeElement === field })),
      () => setMissing(true),
    );
  };
  return { Picker: loaded?.Picker, isFocused: loaded?.isFocused ?? false, isMissing, load };
}
