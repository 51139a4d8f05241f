import type { Locale } from '../locale.ts';

/** The Russian texts. */
export const ru: Locale = {
  commands: {
    help: {
      name: 'помощь',
      description: 'Показать список команд или объяснить одну из них',
      options: { command: { name: 'команда', description: 'Какую команду объяснить' } },
    },
    ping: { name: 'пинг', description: 'Узнать, как быстро отвечает бот' },
    about: { name: 'инфо', description: 'Узнать, что это за бот и насколько свежи его настройки' },
    settings: {
      name: 'настройки',
      description: 'Посмотреть и изменить настройки этого сервера',
      subcommands: {
        show: { name: 'показать', description: 'Показать настройки' },
        set: {
          name: 'изменить',
          description: 'Изменить настройку',
          options: {
            setting: { name: 'настройка', description: 'Какую настройку изменить' },
            value: { name: 'значение', description: 'Новое значение; «нет», чтобы убрать' },
          },
        },
        reset: {
          name: 'сбросить',
          description: 'Вернуть настройке значение по умолчанию',
          options: { setting: { name: 'настройка', description: 'Какую настройку сбросить; «все» — сразу все' } },
        },
      },
    },
    announce: {
      name: 'объявить',
      description: 'Написать в канал для объявлений',
      options: { text: { name: 'текст', description: 'Что объявить' } },
    },
    remind: {
      name: 'напоминание',
      description: 'Напоминания о делах',
      subcommands: {
        add: {
          name: 'добавить',
          description: 'Напомнить один раз, в этом канале',
          options: {
            when: { name: 'когда', description: 'через 10 минут, в 18:00, завтра 9:00 или 2026-12-24 18:00' },
            text: { name: 'текст', description: 'О чём напомнить' },
            timezone: {
              name: 'пояс',
              description: 'Часовой пояс, например Europe/Moscow; если не указать — UTC',
            },
          },
        },
        every: {
          name: 'повторять',
          description: 'Напоминать регулярно, в этом канале (бета)',
          options: {
            interval: {
              name: 'интервал',
              description: 'Как часто: 2ч, 1д или каждый день в заданное время, например 09:00',
            },
            text: { name: 'текст', description: 'О чём напоминать' },
            timezone: {
              name: 'пояс',
              description: 'Часовой пояс, например Europe/Moscow; если не указать — UTC',
            },
          },
        },
        list: { name: 'список', description: 'Показать свои напоминания на этом сервере' },
        cancel: {
          name: 'отменить',
          description: 'Отменить своё напоминание',
          options: { number: { name: 'номер', description: 'Его номер в списке' } },
        },
      },
    },
  },
  words: {
    prefix: 'префикс',
    announcement_channel: 'канал',
    beta: 'бета',
    language: 'язык',
    enabledFeatures: 'функции',
    all: 'все',
    on: 'вкл',
    off: 'выкл',
    none: 'нет',
  },
  help: {
    title: '**Команды** (префикс: {{prefix}}; {{mention}} работает всегда)',
    titleWithoutPrefix: '**Команды** (через слеш или после {{mention}})',
    beta: 'бета',
    usage: 'Использование: {{usage}}',
    unknown: 'Команды {{name}} нет. Список всех команд — {{help}}.',
  },
  mentioned: {
    withPrefix: 'Мой префикс здесь — {{prefix}}. Список команд — {{help}}.',
    withoutPrefix: 'Команды с префиксом здесь отключены. Список команд — {{help}}.',
  },
  ping: { pong: 'Понг! {{duration}}' },
  about: {
    bot: 'Бот guild-settings {{version}}, шард {{shard}} из {{count}}',
    servers_one: 'На {{count}} сервере',
    servers_few: 'На {{count}} серверах',
    servers_many: 'На {{count}} серверах',
    servers_other: 'На {{count}} сервера',
    live: 'Настройки актуальны (ревизия {{revision}}).',
    stale: 'Сервис настроек недоступен. Последнее обновление настроек: {{since}}.',
    syncing: 'Настройки загружаются. Пока их нет, действуют значения по умолчанию.',
  },
  settings: {
    title: '**Настройки этого сервера**',
    changed: '**{{setting}}**: {{before}} → {{after}}',
    unchanged: '**{{setting}}**: {{value}} — так уже настроено. Ничего не изменилось.',
    prefixOff: 'Команды с префиксом теперь отключены. Слеш-команды и {{mention}} работают как прежде.',
    more_one: 'и ещё {{count}}',
    more_few: 'и ещё {{count}}',
    more_many: 'и ещё {{count}}',
    more_other: 'и ещё {{count}}',
    badPrefix:
      'Префикс — не больше {{max}} символов, в одну строку и без пробела в начале. {{none}} отключает команды с префиксом.',
    badLanguage: 'Доступные языки: {{languages}}.',
    badSwitch: 'Нужно {{on}} или {{off}}.',
    badChannel: 'Нужен канал этого сервера, например {{channel}}, или {{none}}.',
    badFeatures:
      'Нужны названия через запятую: не больше {{max}}, каждое не длиннее {{length}} символов. Или {{none}}, чтобы убрать все.',
  },
  channel: {
    notYours: 'В {{channel}} писать не разрешено.',
    unwritable:
      'Не могу писать в {{channel}}. Нужен текстовый канал, канал объявлений или ветка, где мне разрешено просматривать канал и отправлять сообщения.',
  },
  announce: {
    posted: 'Опубликовано в {{channel}}.',
    unset: 'Канал для объявлений не задан. Задать его можно командой {{command}}.',
    unknown: 'На этом сервере нет канала для объявлений {{channel}}. Задать другой можно командой {{command}}.',
  },
  remind: {
    added: '#{{id}}: напомню {{relative}} ({{moment}}).',
    addedEvery: '#{{id}}: буду напоминать регулярно, первый раз — {{relative}} ({{moment}}).',
    unreadable: 'Не могу понять время {{input}}. Вот примеры: {{examples}}.',
    past: 'Это время уже прошло: {{moment}}.',
    tooFar_one: 'Слишком далеко: это больше чем через {{count}} год.',
    tooFar_few: 'Слишком далеко: это больше чем через {{count}} года.',
    tooFar_many: 'Слишком далеко: это больше чем через {{count}} лет.',
    tooFar_other: 'Слишком далеко: это больше чем через {{count}} года.',
    badZone: 'Не знаю часового пояса {{zone}}. Вот примеры: {{examples}}.',
    badInterval: 'Не могу понять, как часто: {{input}}. Вот примеры: {{examples}}. Наименьший промежуток: {{minimum}}.',
    tooMany_one:
      'На этом сервере уже {{count}} напоминание, больше нельзя. Сначала нужно что-то отменить: {{command}}.',
    tooMany_few:
      'На этом сервере уже {{count}} напоминания, больше нельзя. Сначала нужно что-то отменить: {{command}}.',
    tooMany_many:
      'На этом сервере уже {{count}} напоминаний, больше нельзя. Сначала нужно что-то отменить: {{command}}.',
    tooMany_other:
      'На этом сервере уже {{count}} напоминания, больше нельзя. Сначала нужно что-то отменить: {{command}}.',
    title_one: '**{{count}} напоминание на этом сервере**',
    title_few: '**{{count}} напоминания на этом сервере**',
    title_many: '**{{count}} напоминаний на этом сервере**',
    title_other: '**{{count}} напоминания на этом сервере**',
    none: 'Своих напоминаний на этом сервере пока нет.',
    repeats: 'повторяется',
    channelGone: 'не доставлено: канала больше нет',
    forbidden: 'не доставлено: мне нельзя там писать',
    cancelled: 'Напоминание #{{id}} отменено.',
    unknown: 'Напоминание #{{id}} не найдено. Список своих напоминаний на этом сервере — {{command}}.',
    due: '⏰ {{user}}, вот обещанное напоминание (#{{id}}):',
    late: '(Срок был {{moment}}, но меня тогда не было в сети.)',
  },
  guard: {
    manager: 'Это доступно только участникам с правом «Управлять сервером».',
    beta: '{{command}} — бета-функция, здесь она отключена. Включить её могут те, кто управляет сервером: {{enable}}',
    feature: 'Напоминания здесь отключены. Включить их могут те, кто управляет сервером: {{enable}}',
  },
  errors: {
    missing: 'Не хватает параметра {{option}}. Использование: {{usage}}',
    tooLong_one: '{{option}}: не больше {{count}} символа.',
    tooLong_few: '{{option}}: не больше {{count}} символов.',
    tooLong_many: '{{option}}: не больше {{count}} символов.',
    tooLong_other: '{{option}}: не больше {{count}} символа.',
    notNumber: '{{option}}: нужно целое число.',
    notChoice: '{{option}}: возможные варианты — {{choices}}.',
    tooMany: '{{extra}} — лишнее. Текст из нескольких слов нужно взять в кавычки. Использование: {{usage}}',
    unknownSubcommand: 'После {{command}} нужно одно из этих слов: {{subcommands}}.',
    unreachable: 'Сервис настроек недоступен. Ничего не изменилось; стоит попробовать ещё раз позже.',
    unconfirmed:
      'Сервис настроек не ответил: изменение могло сохраниться, а могло и нет. Проверить можно командой {{command}}.',
    refused: 'Сервис настроек отклонил изменение: {{reason}}',
    tooOften: 'Команда {{command}} используется слишком часто. Снова она будет доступна {{relative}}.',
    unexpected: 'У меня что-то пошло не так. Запись об ошибке в журнале: {{reference}}.',
  },
};
