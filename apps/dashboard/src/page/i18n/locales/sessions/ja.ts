import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: 'セッション',
  intro: 'ログインしている場所です。心当たりのないものは終了してください。',
  current: 'このブラウザー',
  unknownDevice: '不明な端末',
  started: 'ログイン：{{time}}',
  used: '最終使用：{{time}}',
  end: '終了',
  endName: 'セッションを終了：{{device}}',
  ended: 'セッションを終了しました：{{device}}',
  endAll: 'すべてのセッションを終了',
  allHeading: 'すべてのセッションを終了しますか？',
  allText: 'このブラウザーを含め、すべての場所でログアウトします。保存した内容は失われません。',
  allUnsaved: '保存していない変更は破棄されます。',
  cancel: 'キャンセル',
  failed: 'セッションを終了できませんでした。もう一度お試しください。',
};
