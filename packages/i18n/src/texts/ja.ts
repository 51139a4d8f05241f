import type { Translated } from '../translated.ts';
import type { texts as english } from './en-us.ts';

/** The Japanese texts. */
export const texts: Translated<typeof english> = {
  field: {
    prefix: 'プレフィックス',
    announcement_channel: 'お知らせチャンネル',
    beta: 'ベータ機能',
    language: '言語',
    enabledFeatures: '機能',
    name: 'サーバー名',
    icon: 'サーバーアイコン',
    presence: 'このサーバーのボット',
    access: 'アクセス権リスト',
  },
  object: {
    prefix: 'プレフィックス',
    announcement_channel: 'お知らせチャンネル',
    beta: 'ベータ機能',
    language: '言語',
    enabledFeatures: '機能',
    name: 'サーバー名',
    icon: 'サーバーアイコン',
    presence: 'ボットの参加状況',
    access: 'アクセス権リスト',
  },
  value: {
    none: 'なし',
    on: 'オン',
    off: 'オフ',
    present: 'はい',
    left: 'いいえ',
    unknown: '不明',
    editor: '編集者',
    viewer: '閲覧者',
  },
  changed: '{{field}}：{{from}} → {{to}}',
  more_other: 'ほか {{count}} 件',
  person: {
    user: 'ユーザー {{id}}',
    erased: 'データが消去されたユーザー',
    application: 'ボット',
    platform: 'Discord',
  },
  sentence: {
    field: '{{who}} が {{field}} を {{from}} から {{to}} に変更しました',
    fields: '{{who}} が{{fields}}を変更しました',
    undo: '{{who}} が変更 {{change}} を元に戻しました',
    restore: '{{who}} が変更 {{change}} の時点の設定に復元しました',
    restoreDefaults: '{{who}} が初期設定に復元しました',
    import: '{{who}} が設定をインポートしました',
    joined: 'ボットがこのサーバーに追加されました',
    left: 'ボットがこのサーバーから削除されました',
    platform: 'Discord から変更の通知がありました：{{fields}}',
    nothing: '{{who}} が変更なしで保存しました',
  },
  change: {
    prefix: {
      changed: '{{who}} がプレフィックスを {{from}} から {{to}} に変更しました',
      none: '{{who}} がプレフィックスコマンドをオフにしました（変更前：{{from}}）',
      set: '{{who}} がプレフィックスコマンドをオンにしました（プレフィックス：{{to}}）',
    },
    announcement_channel: {
      changed: '{{who}} がお知らせチャンネルを {{from}} から {{to}} に変更しました',
      set: '{{who}} がお知らせチャンネルを {{to}} に設定しました',
      none: '{{who}} がお知らせをオフにしました（変更前：{{from}}）',
    },
    beta: {
      on: '{{who}} がベータ機能をオンにしました',
      off: '{{who}} がベータ機能をオフにしました',
    },
    language: {
      changed: '{{who}} が言語を {{from}} から {{to}} に変更しました',
    },
    enabledFeatures: {
      added: '{{who}} が {{added}} を有効にしました',
      removed: '{{who}} が {{removed}} を無効にしました',
      both: '{{who}} が {{added}} を有効にし、{{removed}} を無効にしました',
      order: '{{who}} が機能の順序を変更しました',
    },
    name: {
      changed: 'サーバー名が {{from}} から {{to}} に変わりました',
    },
    icon: {
      changed: 'サーバーのアイコンが変わりました',
      none: 'サーバーのアイコンがなくなりました',
    },
  },
  undoneBy: '変更 {{change}} で元に戻し済み',
  undo: {
    done: '変更 {{change}} を元に戻しました。',
    same: '設定はすでに変更 {{change}} の前と同じです。元に戻すものはありません。',
    meanwhile: 'その間に設定が変更されました。まだ何も行っていません。',
    later: 'その後の変更で同じ設定が変わっているため、変更 {{change}} は元に戻せません：',
    notUndoable: '変更 {{change}} は Discord によるものです。元に戻せるのは設定の変更だけです。',
  },
  flaw: {
    tooLong_other: '{{count}}文字以内にしてください',
    leadingSpace: '先頭に空白は使えません',
    unprintable: '見えない制御文字は使えません',
    invisible: '見えない文字（{{codePoint}}）は使えません',
    tooMany_other: '値は{{count}}個までです',
    tooShort_other: '{{count}}文字以上にしてください',
    tooSmall: '{{count}}以上にしてください',
    tooLarge: '{{count}}以下にしてください',
    notChoice: '選択肢にない値です',
    notId: 'Discord の ID（17～20桁の数字）ではありません',
  },
  flawIn: {
    enabledFeatures: { tooMany: '同時に使える機能は{{count}}個までです' },
  },
  live: '{{ms}}ミリ秒でこのサーバーに反映されました。',
};
