import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: 'Сеансы',
  intro: 'Где выполнен вход. Завершите то, что вам незнакомо.',
  current: 'Этот браузер',
  unknownDevice: 'Неизвестное устройство',
  started: 'Вход: {{time}}',
  used: 'Последнее использование: {{time}}',
  end: 'Завершить',
  endName: 'Завершить сеанс: {{device}}',
  ended: 'Сеанс завершён: {{device}}',
  endAll: 'Завершить все сеансы',
  allHeading: 'Завершить все сеансы?',
  allText: 'Вы выйдете везде, в том числе здесь. Ничего из сохранённого не пропадёт.',
  allUnsaved: 'Несохранённые изменения будут отброшены.',
  cancel: 'Не завершать',
  failed: 'Сеанс завершить не удалось. Попробуйте ещё раз.',
};
