import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

/** Texts of erasing a guild in Russian. */
export const texts: Translated<typeof english> = {
  title: 'Удаление',
  heading: 'Удалить настройки этого сервера',
  text: 'Это нельзя отменить. Никто, даже мы, не сможет вернуть данные.',
  erased: 'Что удаляется',
  erasedSettings: 'Все настройки: сразу действуют настройки по умолчанию.',
  erasedHistory: 'Вся история: изменения, авторы и причины. Отменить или вернуть больше ничего нельзя.',
  remains: 'Что остаётся',
  remainsBot: 'Бот остаётся на сервере с настройками по умолчанию.',
  remainsExports: 'Экспортированные файлы — ваши и остаются на месте.',
  remainsReminders: 'Напоминания пользователей бота остаются.',
  exportFirst: 'Сначала экспортировать настройки',
  ownerOnly: 'Удалить настройки может только владелец сервера.',
  confirmLabel: 'Для подтверждения введите название сервера или его ID {{id}}: {{name}}',
  confirmIdLabel: 'Для подтверждения введите ID сервера: {{id}}',
  confirmMismatch: 'Это не название и не ID сервера.',
  erase: 'Удалить всё',
  busy: 'Удаляем…',
  failed: 'Сервис этого не подтвердил. Загрузите страницу заново, чтобы увидеть, удалены ли данные.',
  doneHeading: 'Всё удалено',
  doneText: '{{name}}: настройки по умолчанию, истории больше нет.',
  doneLink: 'К настройкам',
};
