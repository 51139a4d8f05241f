import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  export: {
    heading: 'エクスポート',
    text: '設定を JSON ファイルにします。保管や、別のサーバーへのインポートに使えます。',
    history: '履歴を含める',
    historyHelp: '最新の変更（最大 512 KiB）と変更者の ID です。履歴はインポートされません。',
    download: 'ダウンロード',
    busy: 'ファイルを準備しています…',
    done: 'ダウンロードしました：{{file}}',
  },
  import: {
    heading: 'インポート',
    text: 'エクスポートしたファイルの設定を 1 つの変更として適用します。変更の前に差分を確認できます。',
    choose: 'ファイルを選択…',
    drop: 'またはここにドロップ',
    limits: '{{size}} 以下の JSON ファイル',
    reading: '{{file}} を読み込んでいます…',
    preview: '{{file}} による変更',
    source: '{{name}}（{{id}}）から {{time}} にエクスポート',
    sourceId: 'サーバー {{id}} の設定',
    nothing: 'このサーバーの設定はすでに同じです。インポートするものはありません。',
    meanwhile: 'その間に設定が変更されました。まだ何もインポートしていません。現在は次のように変わります：',
    skipped: 'インポートされない項目：',
    confirm: 'インポート',
    again: '別のファイルを選択',
    done: '設定をインポートしました。',
    show: '変更を表示',
    failed: 'サービスからインポートの確認が得られませんでした。実行されたかどうかは履歴で確認できます。',
  },
  skipped: {
    'other-guild': 'チャンネルはエクスポート元のサーバーのものです。設定でこのサーバーのチャンネルを選んでください。',
    'other-guild-role': 'ロールはエクスポート元のサーバーのものです。設定でこのサーバーのロールを選んでください。',
    'unknown-field': 'このバージョンのサービスが知らない項目です。',
    access: 'アクセス権は取り込まれません。このサーバーの管理者が決めます。',
    history: '変更者を証明できないため、変更はインポートされません。',
    reserved: 'ボットのチームが設定します。ここでは変更できません。',
  },
  wrong: {
    heading: '{{file}} はインポートできません',
    nothing: '何も変更されていません。',
    'too-large': 'ファイルは {{size}} です。エクスポートは {{max}} 以下です。',
    empty: 'ファイルが空です。',
    'not-text': 'UTF-8 のテキストではありません。エクスポートした JSON ファイルを選んでください。',
    'not-json': 'JSON ではありません：{{detail}}',
    'not-an-export':
      'JSON ですが、エクスポートではありません：「{{field}}」がありません。ここでエクスポートしたファイルを選んでください。',
    'other-version':
      'ファイルのエクスポート形式はバージョン {{version}} です。このサービスが対応するのはバージョン 1 です。',
    unreadable: 'ファイルを読み取れませんでした。移動または削除された可能性があります。',
    'too-long': '次の値は、エクスポートにあり得る長さを超えています：',
    issues: 'サービスが受け付けない値：',
    refused: 'サービスがファイルを受け付けませんでした：{{detail}}',
  },
};
