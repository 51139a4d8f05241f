import type { Translated } from '../translated.ts';
import type { texts as english } from './en-us.ts';

/** The Russian texts. */
export const texts: Translated<typeof english> = {
  field: {
    prefix: 'Префикс',
    announcement_channel: 'Канал объявлений',
    beta: 'Бета-функции',
    language: 'Язык',
    enabledFeatures: 'Функции',
    name: 'Название сервера',
    icon: 'Значок сервера',
    presence: 'Бот на этом сервере',
  },
  object: {
    prefix: 'префикс',
    announcement_channel: 'канал объявлений',
    beta: 'бета-функции',
    language: 'язык',
    enabledFeatures: 'функции',
    name: 'название сервера',
    icon: 'значок сервера',
    presence: 'присутствие бота',
  },
  value: {
    none: 'нет',
    on: 'вкл',
    off: 'выкл',
    present: 'да',
    left: 'нет',
    unknown: 'неизвестно',
  },
  changed: '{{field}}: {{from}} → {{to}}',
  more_one: 'ещё {{count}}',
  more_few: 'ещё {{count}}',
  more_many: 'ещё {{count}}',
  more_other: 'ещё {{count}}',
  person: {
    user: 'Пользователь {{id}}',
    erased: 'Пользователь, чьи данные удалены',
    application: 'Приложение',
    platform: 'Discord',
  },
  sentence: {
    field: '{{who}}: изменено: {{field}}, было {{from}}, стало {{to}}',
    fields: '{{who}}: изменено: {{fields}}',
    undo: '{{who}}: отменено изменение {{change}}',
    restore: '{{who}}: восстановлены настройки изменения {{change}}',
    restoreDefaults: '{{who}}: восстановлены настройки по умолчанию',
    import: '{{who}}: настройки импортированы',
    joined: 'Бот добавлен на этот сервер',
    left: 'Бот удалён с этого сервера',
    platform: 'Discord сообщил об изменении: {{fields}}',
    nothing: '{{who}}: сохранено без изменений',
  },
  change: {
    prefix: {
      changed: '{{who}}: префикс изменён с {{from}} на {{to}}',
      none: '{{who}}: команды с префиксом выключены (прежний префикс: {{from}})',
      set: '{{who}}: команды с префиксом включены, префикс {{to}}',
    },
    announcement_channel: {
      changed: '{{who}}: объявления перенесены из {{from}} в {{to}}',
      set: '{{who}}: для объявлений выбран канал {{to}}',
      none: '{{who}}: объявления выключены (прежний канал: {{from}})',
    },
    beta: {
      on: '{{who}}: бета-функции включены',
      off: '{{who}}: бета-функции выключены',
    },
    language: {
      changed: '{{who}}: язык изменён: было {{from}}, стало {{to}}',
    },
    enabledFeatures: {
      added: '{{who}}: включено: {{added}}',
      removed: '{{who}}: выключено: {{removed}}',
      both: '{{who}}: включено: {{added}}; выключено: {{removed}}',
      order: '{{who}}: изменён порядок функций',
    },
    name: {
      changed: 'Сервер переименован: было {{from}}, стало {{to}}',
    },
    icon: {
      changed: 'У сервера новый значок',
      none: 'У сервера больше нет значка',
    },
  },
  undoneBy: 'Отменено изменением {{change}}',
  undo: {
    done: 'Изменение {{change}} отменено.',
    same: 'Настройки уже такие, какими были до изменения {{change}}. Отменять нечего.',
    meanwhile: 'За это время настройки изменились. Пока ничего не сделано.',
    later: 'Изменение {{change}} отменить нельзя: те же настройки менялись и позже:',
    notUndoable: 'Изменение {{change}} сделал Discord. Отменить можно только изменения настроек.',
  },
  flaw: {
    tooLong: 'Символов не больше {{count}}',
    leadingSpace: 'Без пробела в начале',
    unprintable: 'Без невидимых управляющих символов',
    invisible: 'Без невидимых символов ({{codePoint}})',
    tooMany: 'Значений не больше {{count}}',
    tooShort: 'Символов не меньше {{count}}',
    tooSmall: 'Не меньше {{count}}',
    tooLarge: 'Не больше {{count}}',
    notChoice: 'Такого варианта нет',
    notId: 'Это не идентификатор Discord (от 17 до 20 цифр)',
  },
  flawIn: {
    enabledFeatures: { tooMany: 'Не больше {{count}} функций сразу' },
  },
  live: 'Действует на этом сервере через {{ms}} мс.',
};
