import { LANGUAGES, type Language } from '@guild-settings/contract/constants';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeIn } from './times.ts';

test.each([
  ['09:30', '09:30'],
  ['9:30', '09:30'],
  ['21:30:00', '21:30'],
  ['9:30 pm', '21:30'],
  ['9:30 P.M.', '21:30'],
  ['9pm', '21:00'],
  ['12am', '00:00'],
  ['12 noon', '12:00'],
  ['midnight', '00:00'],
  ['9 at night', '21:00'],
  ['3 in the afternoon', '15:00'],
  ['at 6pm', '18:00'],
  ['9 o’clock', '09:00'],
  ['at noon', '12:00'],
  ['21h30', '21:30'],
  ['21h', '21:00'],
  ['２１：３０', '21:30'],
  ['٢١:٣٠', '21:30'],
  ['9', undefined],
  ['9:5', undefined],
  ['24:00', undefined],
  ['18:60', undefined],
  ['21:30:15', undefined],
  ['0pm', undefined],
  ['13:00pm', undefined],
  ['930', undefined],
  ['9 month', undefined],
  ['noon at night', undefined],
  ['', undefined],
])('in every language, %j is %j', (typed, time) => {
  expect(LANGUAGES.map((language) => timeIn(typed, language))).toStrictEqual(LANGUAGES.map(() => time));
});

test.each<[Language, string, string | undefined]>([
  ['en-US', '9.30', undefined],
  ['ru', '9.30', '09:30'],
  ['ru', '9 вечера', '21:00'],
  ['ru', '3 ночи', '03:00'],
  ['ru', '21 ч 30 мин', '21:30'],
  ['ru', 'в 9 часов утра', '09:00'],
  ['ru', '12 полд.', '12:00'],
  ['ru', 'в полночь', '00:00'],
  // The hours before noon count as day, and 12 is noon or midnight.
  ['ru', '11 часов дня', '11:00'],
  ['ru', '12 дня', '12:00'],
  ['ru', '1 час дня', '13:00'],
  ['ru', '12 вечера', undefined],
  ['ru', '12 утра', undefined],
  ['ru', 'дня', undefined],
  ['es-ES', '9.30', '09:30'],
  ['es-ES', '12:30 a. m.', '00:30'],
  ['es-ES', 'a las 9:30 de la noche', '21:30'],
  ['es-ES', '21:30 h', '21:30'],
  ['es-ES', '12 de la mañana', undefined],
  ['es-ES', '1 del mediodía', '13:00'],
  ['ja', '9.30', undefined],
  ['ja', '21時30分', '21:30'],
  ['ja', '午後9時', '21:00'],
  ['ja', '午後９時半', '21:30'],
  ['ja', '午後0時', '12:00'],
  ['ja', '午前9:30', '09:30'],
  ['ja', '正午', '12:00'],
  ['ja', '昼11時', '11:00'],
  ['ja', '昼の1時', '13:00'],
  ['hi', 'रात 9 बजे', '21:00'],
  ['hi', 'रात 2 बजे', '02:00'],
  ['hi', 'सुबह 9 बजकर 30 मिनट', '09:30'],
  ['hi', 'दोपहर 12:30', '12:30'],
  ['hi', 'दोपहर 11:30', '11:30'],
  ['hi', '९:३० pm', '21:30'],
])('in %s, %j is %j', (language, typed, time) => expect(timeIn(typed, language)).toBe(time));

test.each(LANGUAGES)('in %s, every form that Intl has for a time is read', (language) => {
  const property = fc.property(fc.integer({ min: 0, max: 1_439 }), (minutes) => {
    const at = minutes * 60_000;
    const forms: Intl.DateTimeFormatOptions[] = [
      { timeStyle: 'short' },
      { timeStyle: 'medium' },
      { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' },
      { hour: 'numeric', minute: '2-digit', hour12: true },
    ];
    const texts = forms.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }).format(at));
    const time = new Date(at).toISOString().slice(11, 16);
    expect([texts, texts.map((text) => timeIn(text, language))]).toStrictEqual([texts, texts.map(() => time)]);
  });
  fc.assert(property, { numRuns: 300 });
});
