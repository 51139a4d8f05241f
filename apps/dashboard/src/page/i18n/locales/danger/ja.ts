import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: '消去',
  heading: 'このサーバーの設定を消去',
  text: '消去すると元に戻せません。運営者にも復元できません。',
  erased: '消去されるもの',
  erasedSettings: 'すべての設定：すぐに初期設定になります。',
  erasedHistory: 'すべての履歴：変更、変更者、理由。元に戻すことも復元することもできなくなります。',
  erasedAccess: 'アクセス権リスト：設定を開けるのは管理者だけになります。',
  remains: '残るもの',
  remainsBot: 'ボットは初期設定でサーバーに残ります。',
  remainsExports: 'エクスポートしたファイルはそのまま残ります。',
  remainsReminders: 'ボットの利用者のリマインダーは残ります。',
  exportFirst: '先に設定をエクスポート',
  ownerOnly: '設定と履歴を消去できるのは、サーバーの所有者だけです。',
  confirmLabel: '確認のため、サーバー名または ID（{{id}}）を入力してください：{{name}}',
  confirmIdLabel: '確認のため、サーバーの ID を入力してください：{{id}}',
  confirmMismatch: 'サーバー名とも ID とも一致しません。',
  erase: 'すべて消去',
  busy: '消去しています…',
  failed: 'サービスから確認が得られませんでした。消去されたかどうかは、ページを再読み込みして確認してください。',
  doneHeading: 'すべて消去しました',
  doneText: '{{name}} は初期設定になり、履歴はありません。',
  doneLink: '設定へ',
};
