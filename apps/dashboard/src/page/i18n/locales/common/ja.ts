import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  app: {
    name: 'サーバー設定',
    support: 'ヘルプ',
    privacy: 'プライバシー',
    skip: '本文へ移動',
    menu: 'アカウント',
    preferences: '言語と外観',
    language: '言語',
    theme: '外観',
    themes: { system: '端末に合わせる', light: 'ライト', dark: 'ダーク' },
    sessions: 'ログイン中の端末',
    logOut: 'ログアウト',
    logOutUnsaved: '保存せずにログアウトしますか？',
    logOutUnsavedText: 'まだ保存されていません。ログアウトすると破棄されます。',
    allServers: 'すべてのサーバー',
    switchServer: 'サーバーを切り替える',
    loading: '読み込み中…',
    cancel: 'キャンセル',
  },
  nav: {
    unsaved: '未保存の変更あり',
    label: 'このサーバーのページ',
    settings: '設定',
    history: '履歴',
    access: 'アクセス',
    transfer: 'エクスポートとインポート',
  },
  login: {
    heading: 'Discordサーバーの設定',
    lead: 'サーバーでのボットの動作を変更できます。反映された時刻や仲間の変更がすぐに分かり、どの変更も元に戻せます。',
    button: 'Discordで続ける',
    privacy:
      'Discordから受け取るのは、あなたが誰かと、参加しているサーバーだけです。メッセージを読んだり、あなたに代わって操作したりすることはできません。',
    points: {
      live: '数ミリ秒で反映され、そのことがページに表示されます',
      together: 'チームの変更は入力中にも表示され、あなたの入力を上書きしません',
      undo: 'どの変更にも、名前と時刻と取り消しがあります',
    },
    failed: 'Discordでログインできませんでした。失われたものはありません。もう一度お試しください。',
    denied: 'Discordでキャンセルしたため、ログインしていません。',
    expired: 'ログインに時間がかかりすぎたか、別のウィンドウで始められました。最初からやり直してください。',
    limited:
      'お使いのネットワークからのログインが多すぎるため、受け付けられませんでした。10分ほど待ってから、もう一度お試しください。',
    deepLink: 'リンク先のページを開くには、ログインしてください。',
  },
  session: {
    over: 'ログインの有効期限が切れました',
    overText: '保存していない変更は、このタブに残っています。続けるにはログインしてください。',
    again: 'もう一度ログイン',
  },
  guilds: {
    heading: 'あなたのサーバー',
    lead: '所有しているサーバー、管理できるサーバー、アクセスを許可されたサーバーです。',
    search: 'サーバーを検索',
    found_other: '{{count}}件のサーバー',
    none: '「{{query}}」という名前のサーバーはありません。',
    empty: '管理できるサーバーがありません',
    emptyText:
      'サーバーの所有者であるか、「サーバー管理」の権限が必要です。所有者に権限かアクセスの許可を頼んでから、もう一度確認してください。',
    refresh: 'サーバーを更新',
    owner: '所有者です',
    editor: '編集者',
    viewer: '閲覧者',
    now: {
      manager: 'このサーバーの管理者になりました。消去以外のすべてができます。',
      editor: 'このサーバーの編集者になりました。設定を変更できます。',
      viewer: 'このサーバーの閲覧者になりました。設定と履歴を見ることはできますが、変更はできません。',
    },
    invite: 'ボットを招待',
    inviteTo: 'ボットを{{name}}に招待する（Discordを開きます）',
    absent: 'ボットはまだいません',
    waiting: 'ボットを待っています… 参加すると、このページは自動で進みます。',
    arrived: 'ボットが{{name}}に参加しました。',
    withBot: 'ボットがいるサーバー',
    withoutBot: 'ボットがいないサーバー',
  },
  botAbsent: {
    heading: 'このサーバーにボットはいません',
    text: '招待すると、設定がここに自動で開きます。',
    others: '招待できるのはサーバーの管理者です。招待されると、設定がここに自動で開きます。',
  },
  failure: {
    retry: 'もう一度試す',
    retryIn_other: '{{count}}秒後に再試行',
    back: 'サーバー一覧へ',
    offline: {
      heading: 'オフラインです',
      text: 'この端末はネットワークに接続されていません。接続が戻ると、自動で続きます。',
    },
    unavailable: {
      heading: 'サービスが応答しません',
      text: 'サービスまたはDiscordに今つながりません。あなたのデータは失われていません。しばらくしてからお試しください。',
    },
    limited: {
      heading: '操作が多すぎます',
      text: '短い時間に多くのリクエストがありました。まもなく再び受け付けます。',
    },
    forbidden: {
      heading: 'このサーバーは管理できません',
      text: '管理できるのは、所有者、「サーバー管理」の権限を持つメンバー、アクセスを許可された人です。権限をもらったばかりなら、もう一度お試しください。',
    },
    'not-found': { heading: '何もありません', text: 'アドレスが正しくないか、ここにあったものはもうありません。' },
    unexpected: { heading: '問題が起きました', text: 'こちらの不具合です。もう一度試すと直ることがあります。' },
  },
};
