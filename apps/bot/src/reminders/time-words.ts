import type { Language } from '../i18n/translator.ts';

interface TimeWords {
  /** Before a span: "in". */
  readonly beforeSpan: readonly string[];
  /** After a span: "後". */
  readonly afterSpan: readonly string[];
  /** Before a time of day: "at". */
  readonly beforeTime: readonly string[];
  /** After a time of day: "に". */
  readonly afterTime: readonly string[];
  readonly today: readonly string[];
  readonly tomorrow: readonly string[];
  readonly seconds: readonly string[];
  readonly minutes: readonly string[];
  readonly hours: readonly string[];
  readonly days: readonly string[];
  readonly weeks: readonly string[];
  /** Order of a date with slashes that does not start with the year. */
  readonly slashes: 'day-month' | 'month-day';
}

/** Words of all languages. The parser accepts those of English in every language. */
export const TIME_WORDS: Readonly<Record<Language, TimeWords>> = {
  'en-US': {
    beforeSpan: ['in'],
    afterSpan: [],
    beforeTime: ['at', 'on'],
    afterTime: [],
    today: ['today'],
    tomorrow: ['tomorrow'],
    seconds: ['s', 'sec', 'secs', 'second', 'seconds'],
    minutes: ['m', 'min', 'mins', 'minute', 'minutes'],
    hours: ['h', 'hr', 'hrs', 'hour', 'hours'],
    days: ['d', 'day', 'days'],
    weeks: ['w', 'week', 'weeks'],
    slashes: 'month-day',
  },
  ru: {
    beforeSpan: ['через'],
    afterSpan: [],
    beforeTime: ['в', 'во'],
    afterTime: [],
    today: ['сегодня'],
    tomorrow: ['завтра'],
    seconds: ['с', 'сек', 'секунду', 'секунды', 'секунд', 'секунда'],
    minutes: ['м', 'мин', 'минуту', 'минуты', 'минут', 'минута'],
    hours: ['ч', 'час', 'часа', 'часов'],
    days: ['д', 'дн', 'день', 'дня', 'дней', 'сутки', 'суток'],
    weeks: ['н', 'нед', 'неделю', 'недели', 'недель', 'неделя'],
    slashes: 'day-month',
  },
  'es-ES': {
    beforeSpan: ['en', 'dentro de'],
    afterSpan: [],
    beforeTime: ['a las', 'a la', 'el'],
    afterTime: [],
    today: ['hoy'],
    tomorrow: ['mañana'],
    seconds: ['s', 'seg', 'segundo', 'segundos'],
    minutes: ['m', 'min', 'minuto', 'minutos'],
    hours: ['h', 'hora', 'horas'],
    days: ['d', 'día', 'días', 'dia', 'dias'],
    weeks: ['sem', 'semana', 'semanas'],
    slashes: 'day-month',
  },
  hi: {
    beforeSpan: [],
    afterSpan: ['में', 'बाद', 'के बाद'],
    beforeTime: [],
    afterTime: ['को', 'बजे'],
    today: ['आज'],
    tomorrow: ['कल'],
    seconds: ['से', 'सेकंड', 'सेकेंड', 'सेकण्ड'],
    minutes: ['मि', 'मिनट', 'मिनटों'],
    hours: ['घं', 'घंटा', 'घंटे', 'घंटों', 'घण्टा', 'घण्टे'],
    days: ['दिन', 'दिनों'],
    weeks: ['हफ़्ता', 'हफ़्ते', 'हफ्ता', 'हफ्ते', 'सप्ताह'],
    slashes: 'day-month',
  },
  ja: {
    beforeSpan: ['あと'],
    afterSpan: ['後', '後に'],
    beforeTime: [],
    afterTime: ['に'],
    today: ['今日', 'きょう'],
    tomorrow: ['明日', 'あした'],
    seconds: ['秒', '秒間'],
    minutes: ['分', '分間'],
    hours: ['時間'],
    days: ['日', '日間'],
    weeks: ['週', '週間'],
    slashes: 'month-day',
  },
};
