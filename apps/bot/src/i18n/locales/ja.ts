import type { Locale } from './en-us.ts';

export const ja: Locale = {
  commands: {
    help: {
      name: 'ヘルプ',
      description: 'コマンドの一覧や、個々のコマンドの説明を表示します',
      options: { command: { name: 'コマンド', description: '説明を見たいコマンド' } },
    },
    ping: { name: 'ピング', description: 'ボットの応答速度を測ります' },
    about: { name: '情報', description: 'このボットの情報と、設定がどれだけ新しいかを表示します' },
    settings: {
      name: '設定',
      description: 'このサーバーの設定を表示・変更します',
      subcommands: {
        show: { name: '表示', description: '設定を表示します' },
        set: {
          name: '変更',
          description: '設定を変更します',
          options: {
            setting: { name: '項目', description: '変更する項目' },
            value: { name: '値', description: '新しい値（「なし」で未設定）。省略するとフォームが開きます' },
          },
        },
        add: {
          name: '追加',
          description: '一覧に値を追加します',
          options: {
            setting: { name: '項目', description: '追加する一覧の項目' },
            item: { name: '追加値', description: '追加する値' },
          },
        },
        remove: {
          name: '削除',
          description: '一覧から値を削除します',
          options: {
            setting: { name: '項目', description: '削除する一覧の項目' },
            item: { name: '削除値', description: '削除する値' },
          },
        },
        enable: {
          name: '有効化',
          description: '機能をオンにします',
          options: { feature: { name: '機能', description: 'オンにする機能' } },
        },
        disable: {
          name: '無効化',
          description: '機能をオフにします',
          options: { feature: { name: '機能', description: 'オフにする機能' } },
        },
        reset: {
          name: 'リセット',
          description: '設定を初期値に戻します',
          options: { setting: { name: '項目', description: '初期値に戻す項目（すべても可）' } },
        },
        history: {
          name: '履歴',
          description: '誰がいつどの設定を変更したかを表示します',
          options: { setting: { name: '項目', description: 'この項目の変更だけを表示します' } },
        },
        undo: {
          name: '元に戻す',
          description: '確認のうえ、設定の変更を元に戻します',
          options: { change: { name: '番号', description: '履歴に表示される番号。省略すると最新の変更になります' } },
        },
        access: { name: 'アクセス', description: 'ほかに設定にアクセスできる人を表示します' },
      },
    },
    announce: {
      name: 'お知らせ',
      description: 'お知らせチャンネルに投稿します',
      options: { text: { name: '内容', description: 'お知らせの内容' } },
    },
    remind: {
      name: 'リマインダー',
      description: '指定した日時にリマインドします',
      subcommands: {
        add: {
          name: '追加',
          description: 'このチャンネルで一度だけリマインドします',
          options: {
            when: { name: '日時', description: '10分後、18:00、明日9:00、2026-12-24 18:00 など' },
            text: { name: '内容', description: 'リマインドする内容' },
            timezone: { name: 'タイムゾーン', description: 'タイムゾーン（例：Asia/Tokyo）。省略するとUTCになります' },
          },
        },
        every: {
          name: '繰り返し',
          description: 'このチャンネルで繰り返しリマインドします（ベータ）',
          options: {
            interval: { name: '間隔', description: '2時間、1日などの間隔、または毎日の時刻（09:00など）' },
            text: { name: '内容', description: 'リマインドする内容' },
            timezone: { name: 'タイムゾーン', description: 'タイムゾーン（例：Asia/Tokyo）。省略するとUTCになります' },
          },
        },
        list: { name: '一覧', description: 'このサーバーで登録したリマインダーを表示します' },
        cancel: {
          name: 'キャンセル',
          description: '登録したリマインダーをキャンセルします',
          options: { number: { name: '番号', description: '一覧に表示される番号' } },
        },
      },
    },
  },
  words: {
    prefix: 'プレフィックス',
    announcement_channel: 'チャンネル',
    beta: 'ベータ',
    language: '言語',
    enabledFeatures: '機能',
    all: 'すべて',
  },
  help: {
    title: '**コマンド**（プレフィックス：{{prefix}}、{{mention}} はいつでも使えます）',
    titleWithoutPrefix: '**コマンド**（スラッシュコマンドとして、または {{mention}} に続けて入力）',
    titleSlashOnly: '**コマンド**（スラッシュコマンドのみ）',
    beta: 'ベータ',
    usage: '使い方：{{usage}}',
    unknown: '{{name}} というコマンドはありません。コマンドの一覧は {{help}} で確認できます。',
  },
  mentioned: {
    withPrefix: 'ここでのプレフィックスは {{prefix}} です。コマンドの一覧は {{help}} で確認できます。',
    withoutPrefix: 'ここではプレフィックスコマンドがオフになっています。コマンドの一覧は {{help}} で確認できます。',
  },
  ping: { pong: 'ポン！ {{duration}}' },
  about: {
    bot: 'guild-settings ボット {{version}}',
    shard: 'シャード ID：{{shard}}（全 {{shards}} シャード）',
    servers_other: '{{count}} サーバーで稼働中',
    live: '設定は最新です（リビジョン {{revision}}）。',
    stale: '設定サービスに接続できません。現在の設定は {{since}} 時点のものです。',
    arrival: '変更はここでは {{ms}} ミリ秒後に反映されます。',
    syncing: '設定を取得しています。完了するまでは初期値で動作します。',
    slashOnly: '使えるのはスラッシュコマンドだけです。このボットはメッセージを読み取りません。',
  },
  settings: {
    title: '**このサーバーの設定**',
    unchanged: '**{{setting}}** はすでに {{value}} になっています。変更はありません。',
    noFeature: '{{name}} という機能はありません。',
    noSuch: '{{name}} という設定はありません。一覧は {{command}} で確認できます。',
    noValue: '新しい値がありません：{{usage}}。スラッシュコマンドの {{command}} なら入力フォームが開きます。',
    tooLongForForm:
      '{{setting}} の値が多すぎてフォームに収まりません。{{add}} と {{remove}} で 1 つずつ変更してください。',
    onPage: '設定ページ：{{url}}',
    reserved: '**{{setting}}** はアプリケーションが設定します。ここでは変更できません。',
    notList: '**{{setting}}** は一覧ではありません。{{command}} で変更してください。',
    notInList: '{{item}} は **{{setting}}** にありません：{{value}}',
    now: '{{value}}（現在）',
    byDefault: '{{value}}（初期値）',
    pages: { previous: '前へ', next: '次へ', more: '続きはスラッシュコマンドで：{{command}}' },
    form: { title: '設定の変更', lines: '1 行に 1 つ、{{max}} 個まで' },
    notLive: '保存しました。ボットの一部のプロセスにはまだ反映されていません。',
    prefixOff: 'プレフィックスコマンドをオフにしました。スラッシュコマンドと {{mention}} は、これまでどおり使えます。',
    prefixSlash:
      '{{prefix}} で始まるメッセージを入力すると Discord のコマンドメニューが開くため、コマンドがボットに届かないことがあります。スラッシュコマンドと {{mention}} は使えます。',
    expected: {
      language: '言語は次の中から選んでください：{{choices}}',
      enabledFeatures:
        '{{length}} 文字以内の名前を {{max}} 個まで、カンマで区切って入力してください。何も指定しない場合は {{none}} と入力してください。',
      switch: '{{on}} か {{off}} を入力してください。',
      channel: 'このサーバーのチャンネル（例：{{channel}}）か、{{none}} を入力してください。',
      role: 'このサーバーのロールか、{{none}} を入力してください。',
      choice: '次の中から選んでください：{{choices}}',
      integer: '{{min}} から {{max}} までの整数を入力してください。',
      duration: '{{min}} から {{max}} までの長さを入力してください（例：{{example}}）。',
      list: '複数の値は読点やカンマで区切って{{max}}個まで、または {{none}} を入力してください。',
    },
    hint: {
      prefix: '{{none}} と入力すると、プレフィックスコマンドがオフになります。',
    },
  },
  history: {
    title: '**このサーバーの設定の変更履歴**',
    none: '設定の変更の記録はありません。',
    newest: '最新',
    older: '以前の変更',
  },
  undo: {
    question: '**この変更を元に戻しますか？** {{change}}',
    bySlash: '元に戻すには、スラッシュコマンドを使ってください：{{command}}',
    until: 'ボタンは {{until}} まで使えます。',
    confirm: '元に戻す',
    cancel: 'キャンセル',
    cancelled: '何も元に戻しませんでした。',
    laterFirst: 'さらに前に戻すには、先に後の変更を元に戻してください：{{command}}',
    unknown: 'このサーバーの変更 #{{id}} は記録にありません。変更の一覧は {{command}} で確認できます。',
    unreachable:
      '設定サービスに接続できません。何も元に戻しておらず、後で自動的に元に戻されることもありません。しばらくしてからもう一度お試しください。',
  },
  access: {
    title: '**ほかにこのサーバーの設定にアクセスできる人**',
    nobody: 'サーバーを管理するメンバー以外はアクセスできません。',
    onPage: 'この一覧は設定ページで変更します。',
  },
  buttons: {
    notYours: 'このボタンは他の人のものです。ご自分で {{command}} を使ってください。',
    expired: 'このボタンの有効期限が切れました。もう一度 {{command}} を使ってください。',
  },
  channel: {
    deleted: '{{settings}} のチャンネルが削除されました。別のチャンネルを選んでください：{{command}}',
    lost: '{{settings}} のチャンネル {{channel}} に書き込めなくなりました。チャンネルを見る権限とメッセージを送信する権限をボットに付与するか、別のチャンネルを選んでください：{{command}}',
    notYours: '{{channel}} にメッセージを送信する権限がありません。',
    unwritable:
      '{{channel}} に書き込めません。ボットがチャンネルを見てメッセージを送信できる、テキストチャンネル、アナウンスチャンネル、スレッド、またはフォーラムの投稿を指定してください。',
  },
  announce: {
    canPublish: '公開すると、このチャンネルをフォローしているサーバーにも届きます。',
    publish: '公開',
    published: '{{channel}} に投稿し、公開しました。',
    notPublished: '{{channel}} に投稿しましたが、公開できませんでした。チャンネルで公開してください。',
    noText: '本文を入力してください：{{usage}}。スラッシュコマンドの {{command}} なら入力フォームが開きます。',
    form: '新しいお知らせ',
    posted: '{{channel}} に投稿しました。',
    unset: 'お知らせチャンネルが設定されていません。{{command}} で設定してください。',
    unknown:
      'お知らせチャンネル {{channel}} はこのサーバーのチャンネルではありません。{{command}} で別のチャンネルを設定してください。',
  },
  remind: {
    added: '#{{id}}：{{relative}}（{{moment}}）にリマインドします。',
    addedEvery: '#{{id}}：繰り返しリマインドします。初回は {{relative}}（{{moment}}）です。',
    unreadable: '日時 {{input}} を読み取れませんでした。入力例：{{examples}}',
    past: '{{moment}} はすでに過ぎています。',
    tooFar_other: '{{count}} 年より先の日時は指定できません。',
    badZone: 'タイムゾーン {{zone}} が見つかりません。入力例：{{examples}}',
    badInterval: '間隔 {{input}} を読み取れませんでした。入力例：{{examples}}（最短の間隔：{{minimum}}）',
    tooMany_other:
      'このサーバーで登録したリマインダーが {{count}} 件あり、これ以上は追加できません。先に1件キャンセルしてください：{{command}}',
    title_other: '**このサーバーで登録したリマインダー：{{count}} 件**',
    none: 'このサーバーで登録したリマインダーはありません。',
    repeats: '繰り返し',
    channelGone: '送信できませんでした：チャンネルがなくなっています',
    forbidden: '送信できませんでした：チャンネルに書き込む権限がありません',
    cancelled: 'リマインダー #{{id}} をキャンセルしました。',
    unknown: 'このサーバーで登録したリマインダーに #{{id}} はありません。一覧は {{command}} で確認できます。',
    due: '⏰ {{user}} さん、リマインダーです（#{{id}}）：',
    late: '（予定は {{moment}} でしたが、そのときボットがオフラインでした。）',
  },
  guard: {
    manager: 'この操作ができるのは「サーバー管理」の権限を持つメンバーだけです。',
    beta: '{{command}} はベータ機能で、ここではオフになっています。「サーバー管理」の権限を持つメンバーがオンにできます：{{enable}}',
    feature:
      'ここでは「{{feature}}」の機能がオフになっています。「サーバー管理」の権限を持つメンバーがオンにできます：{{enable}}',
  },
  errors: {
    didYouMean: 'もしかして {{suggestion}} ですか？',
    missing: '{{option}} を入力してください。使い方：{{usage}}',
    tooLong_other: '{{option}} は {{count}} 文字以内で入力してください。',
    notNumber: '{{option}} は整数で入力してください。',
    tooMany: '{{extra}} が余分です。ひとまとまりの文は引用符で囲んでください。使い方：{{usage}}',
    unknownSubcommand: '{{command}} の後に、次のいずれかを入力してください：{{subcommands}}',
    unreachable: '設定サービスに接続できません。変更は行われていません。しばらくしてからもう一度お試しください。',
    unconfirmed:
      '設定サービスから応答がなく、変更が反映されたかどうか分かりません。{{command}} で現在の設定を確認してください。',
    refused: '設定サービスが変更を受け付けませんでした：{{reason}}',
    tooOften: '{{command}} の使用回数が多すぎます。{{relative}}にもう一度お試しください。',
    unexpected: 'ボット側で問題が発生しました。{{reference}} として記録されています。',
  },
};
