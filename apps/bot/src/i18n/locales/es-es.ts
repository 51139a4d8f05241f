import type { Locale } from './en-us.ts';

export const esES: Locale = {
  commands: {
    help: {
      name: 'ayuda',
      description: 'Muestra los comandos o te explica uno',
      options: { command: { name: 'comando', description: 'Sobre qué comando quieres saber más' } },
    },
    ping: { name: 'ping', description: 'Mide lo que tarda el bot en responder' },
    about: { name: 'info', description: 'Muestra qué bot es este y si sus ajustes están al día' },
    settings: {
      name: 'ajustes',
      description: 'Muestra y cambia los ajustes de este servidor',
      subcommands: {
        show: { name: 'ver', description: 'Muestra los ajustes' },
        set: {
          name: 'cambiar',
          description: 'Cambia un ajuste',
          options: {
            setting: { name: 'ajuste', description: 'Qué ajuste' },
            value: { name: 'valor', description: 'Su nuevo valor o «ninguno»; sin él se abre un formulario' },
          },
        },
        add: {
          name: 'añadir',
          description: 'Añade un valor a una lista',
          options: {
            setting: { name: 'ajuste', description: 'Qué lista' },
            item: { name: 'elemento', description: 'Qué añadir' },
          },
        },
        remove: {
          name: 'quitar',
          description: 'Quita un valor de una lista',
          options: {
            setting: { name: 'ajuste', description: 'Qué lista' },
            item: { name: 'elemento', description: 'Qué quitar' },
          },
        },
        enable: {
          name: 'activar',
          description: 'Activa una función',
          options: { feature: { name: 'función', description: 'Qué función' } },
        },
        disable: {
          name: 'desactivar',
          description: 'Desactiva una función',
          options: { feature: { name: 'función', description: 'Qué función' } },
        },
        reset: {
          name: 'restablecer',
          description: 'Devuelve un ajuste a su valor predeterminado',
          options: { setting: { name: 'ajuste', description: 'Qué ajuste, o «todo» para todos a la vez' } },
        },
        history: {
          name: 'historial',
          description: 'Muestra quién cambió los ajustes y cuándo',
          options: { setting: { name: 'ajuste', description: 'Solo los cambios de este ajuste' } },
        },
        undo: {
          name: 'deshacer',
          description: 'Deshace un cambio de los ajustes, previa confirmación',
          options: {
            change: { name: 'cambio', description: 'Su número en el historial; si no lo indicas, el último cambio' },
          },
        },
        access: { name: 'acceso', description: 'Muestra quién más tiene acceso a los ajustes' },
      },
    },
    announce: {
      name: 'anunciar',
      description: 'Publica en el canal de anuncios',
      options: { text: { name: 'texto', description: 'Qué quieres anunciar' } },
    },
    remind: {
      name: 'recordatorio',
      description: 'Te recuerda lo que le pidas',
      subcommands: {
        add: {
          name: 'añadir',
          description: 'Te recuerda algo una vez, en este canal',
          options: {
            when: { name: 'cuándo', description: 'en 10 minutos, a las 18:00, mañana 9:00 o 2026-12-24 18:00' },
            text: { name: 'texto', description: 'Qué quieres que te recuerde' },
            timezone: {
              name: 'zona',
              description: 'Tu zona horaria, como Europe/Madrid; si no la indicas, UTC',
            },
          },
        },
        every: {
          name: 'repetir',
          description: 'Te recuerda algo cada cierto tiempo, en este canal (beta)',
          options: {
            interval: { name: 'intervalo', description: 'Cada cuánto: 2h, 1d o todos los días a una hora, como 09:00' },
            text: { name: 'texto', description: 'Qué quieres que te recuerde' },
            timezone: {
              name: 'zona',
              description: 'Tu zona horaria, como Europe/Madrid; si no la indicas, UTC',
            },
          },
        },
        list: { name: 'lista', description: 'Muestra tus recordatorios en este servidor' },
        cancel: {
          name: 'cancelar',
          description: 'Cancela uno de tus recordatorios',
          options: { number: { name: 'número', description: 'Su número en la lista' } },
        },
      },
    },
  },
  words: {
    prefix: 'prefijo',
    announcement_channel: 'canal',
    beta: 'beta',
    language: 'idioma',
    enabledFeatures: 'funciones',
    all: 'todo',
  },
  help: {
    title: '**Comandos** (prefijo: {{prefix}}; {{mention}} funciona siempre)',
    titleWithoutPrefix: '**Comandos** (con la barra o después de {{mention}})',
    titleSlashOnly: '**Comandos** (solo con la barra)',
    beta: 'beta',
    usage: 'Uso: {{usage}}',
    unknown: 'El comando {{name}} no existe. Usa {{help}} para verlos todos.',
  },
  mentioned: {
    withPrefix: 'Aquí mi prefijo es {{prefix}}. Usa {{help}} para ver mis comandos.',
    withoutPrefix: 'Aquí los comandos con prefijo están desactivados. Usa {{help}} para ver mis comandos.',
  },
  ping: { pong: '¡Pong! {{duration}}' },
  about: {
    bot: 'Bot guild-settings {{version}}',
    shard: 'ID del shard: {{shard}}; shards en total: {{shards}}',
    servers_one: 'En {{count}} servidor',
    servers_many: 'En {{count}} de servidores',
    servers_other: 'En {{count}} servidores',
    live: 'Los ajustes están al día (revisión {{revision}}).',
    stale: 'No puedo conectar con el servicio de ajustes. Última actualización de los ajustes: {{since}}.',
    arrival: 'Los cambios están activos aquí tras {{ms}} ms.',
    syncing: 'Los ajustes se están cargando; mientras tanto, se aplican los predeterminados.',
    slashOnly: 'Solo funcionan los comandos de barra: este bot no lee los mensajes.',
  },
  settings: {
    title: '**Ajustes de este servidor**',
    unchanged: '**{{setting}}** ya tiene el valor {{value}}. No se ha cambiado nada.',
    noFeature: 'No hay ninguna función {{name}}.',
    noSuch: 'No hay ningún ajuste {{name}}. {{command}} los muestra todos.',
    noValue: 'Falta el nuevo valor: {{usage}}. Como comando de barra, {{command}} abre un formulario.',
    tooLongForForm:
      '{{setting}} tiene más valores de los que caben en un formulario. Cámbialos de uno en uno con {{add}} y {{remove}}.',
    onPage: 'Página de ajustes: {{url}}',
    reserved: '**{{setting}}** lo fija la aplicación. Nadie puede cambiarlo aquí.',
    notList: '**{{setting}}** no es una lista. Cámbialo con {{command}}.',
    notInList: '{{item}} no está en **{{setting}}**: {{value}}.',
    now: '{{value}} (ahora)',
    byDefault: '{{value}} (predeterminado)',
    pages: { previous: 'Atrás', next: 'Siguiente', more: 'Hay más con el comando de barra: {{command}}' },
    form: { title: 'Cambiar un ajuste', lines: 'Un valor por línea, como máximo {{max}}' },
    notLive: 'Guardado. Aún no está activo en todos los procesos del bot.',
    prefixOff: 'Los comandos con prefijo quedan desactivados. Los comandos de barra y {{mention}} siguen funcionando.',
    prefixSlash:
      'Si un mensaje empieza por {{prefix}}, Discord abre su propio menú de comandos, y puede que los tuyos no me lleguen. Los comandos de barra y {{mention}} funcionan.',
    expected: {
      language: 'El idioma tiene que ser uno de estos: {{choices}}.',
      enabledFeatures:
        'Escribe como máximo {{max}} nombres de hasta {{length}} caracteres cada uno, separados por comas, o {{none}}.',
      switch: 'Tiene que ser {{on}} o {{off}}.',
      channel: 'Tiene que ser un canal de este servidor, como {{channel}}, o {{none}}.',
      role: 'Tiene que ser un rol de este servidor, o {{none}}.',
      choice: 'Tiene que ser una de estas opciones: {{choices}}.',
      integer: 'Tiene que ser un número entero de {{min}} a {{max}}.',
      duration: 'Tiene que ser una duración de {{min}} a {{max}}, como {{example}}.',
      list: 'Separa varios valores con comas: como máximo {{max}}, o {{none}}.',
    },
    hint: {
      prefix: '{{none}} desactiva los comandos con prefijo.',
    },
  },
  history: {
    title: '**Cambios de los ajustes de este servidor**',
    none: 'No hay cambios de los ajustes registrados.',
    newest: 'Más recientes',
    older: 'Más antiguos',
  },
  undo: {
    question: '**¿Deshacer este cambio?** {{change}}',
    bySlash: 'Para deshacerlo, usa el comando de barra: {{command}}',
    until: 'Los botones funcionan hasta las {{until}}.',
    confirm: 'Deshacer',
    cancel: 'Cancelar',
    cancelled: 'No se ha deshecho nada.',
    laterFirst: 'Para volver más atrás, deshaz primero el cambio posterior: {{command}}',
    unknown: 'No hay ningún cambio #{{id}} de este servidor en el registro. Usa {{command}} para ver los cambios.',
    unreachable:
      'No puedo conectar con el servicio de ajustes. No se ha deshecho nada ni se deshará más tarde por sí solo; inténtalo de nuevo más tarde.',
  },
  access: {
    title: '**Quién más tiene acceso a los ajustes de este servidor**',
    nobody: 'Nadie más que quienes gestionan el servidor.',
    onPage: 'La lista se cambia en la página de ajustes.',
  },
  buttons: {
    notYours: 'Estos botones son de otra persona. Usa {{command}} por tu cuenta.',
    expired: 'Estos botones han caducado. Usa {{command}} otra vez.',
  },
  channel: {
    deleted: 'Se ha eliminado el canal de {{settings}}. Elige otro: {{command}}',
    lost: 'Ya no puedo escribir en {{channel}}, el canal de {{settings}}. Dame permiso para ver el canal y enviar mensajes, o elige otro: {{command}}',
    notYours: 'No tienes permiso para escribir en {{channel}}.',
    unwritable:
      'No puedo escribir en {{channel}}. Tiene que ser un canal de texto, un canal de anuncios, un hilo o una publicación de foro donde pueda ver el canal y enviar mensajes.',
  },
  announce: {
    canPublish: 'Llegará a los servidores que siguen este canal cuando lo difundas.',
    publish: 'Difundir',
    published: 'Publicado en {{channel}} y difundido.',
    notPublished: 'Está en {{channel}}, pero Discord no me ha dejado difundirlo. Difúndelo allí.',
    noText: 'Añade un texto: {{usage}}. El comando de barra {{command}} abre un formulario.',
    form: 'Nuevo anuncio',
    posted: 'Publicado en {{channel}}.',
    unset: 'No hay ningún canal de anuncios. Elige uno con {{command}}.',
    unknown: 'El canal de anuncios {{channel}} no es un canal de este servidor. Elige otro con {{command}}.',
  },
  remind: {
    added: '#{{id}}: te lo recordaré {{relative}} ({{moment}}).',
    addedEvery: '#{{id}}: te lo recordaré cada cierto tiempo; la primera vez, {{relative}} ({{moment}}).',
    unreadable: 'No entiendo cuándo es {{input}}. Prueba con {{examples}}.',
    past: 'Ese momento ya ha pasado: {{moment}}.',
    tooFar_one: 'Para eso falta más de {{count}} año.',
    tooFar_many: 'Para eso faltan más de {{count}} de años.',
    tooFar_other: 'Para eso faltan más de {{count}} años.',
    badZone: 'No conozco la zona horaria {{zone}}. Prueba con {{examples}}.',
    badInterval: 'No entiendo cada cuánto es {{input}}. Prueba con {{examples}}; el intervalo mínimo es {{minimum}}.',
    tooMany_one:
      'Tienes {{count}} recordatorio en este servidor y no puedes tener más. Cancélalo primero: {{command}}.',
    tooMany_many:
      'Tienes {{count}} de recordatorios en este servidor y no puedes tener más. Cancela uno primero: {{command}}.',
    tooMany_other:
      'Tienes {{count}} recordatorios en este servidor y no puedes tener más. Cancela uno primero: {{command}}.',
    title_one: '**Tienes {{count}} recordatorio en este servidor**',
    title_many: '**Tienes {{count}} de recordatorios en este servidor**',
    title_other: '**Tienes {{count}} recordatorios en este servidor**',
    none: 'No tienes recordatorios en este servidor.',
    repeats: 'se repite',
    channelGone: 'no se ha podido enviar: el canal ya no existe',
    forbidden: 'no se ha podido enviar: no tengo permiso para escribir ahí',
    cancelled: 'Recordatorio #{{id}} cancelado.',
    unknown: 'No tienes ningún recordatorio #{{id}} en este servidor. Usa {{command}} para ver los que tienes.',
    due: '⏰ {{user}}, me pediste que te recordara esto (#{{id}}):',
    late: '(Era para el {{moment}}, pero en ese momento yo no estaba).',
  },
  guard: {
    manager: 'Solo pueden hacerlo los miembros con el permiso «Gestionar servidor».',
    beta: '{{command}} es una función beta, aquí desactivada. Quien gestione el servidor puede activarla: {{enable}}',
    feature: 'Aquí la función «{{feature}}» está desactivada. Quien gestione el servidor puede activarla: {{enable}}',
  },
  errors: {
    didYouMean: '¿Querías decir {{suggestion}}?',
    missing: 'Falta {{option}}. Uso: {{usage}}',
    tooLong_one: 'Escribe como máximo {{count}} carácter en {{option}}.',
    tooLong_many: 'Escribe como máximo {{count}} de caracteres en {{option}}.',
    tooLong_other: 'Escribe como máximo {{count}} caracteres en {{option}}.',
    notNumber: 'Escribe un número entero en {{option}}.',
    tooMany: 'Sobra {{extra}}. Pon entre comillas lo que vaya junto. Uso: {{usage}}',
    unknownSubcommand: 'Después de {{command}} va una de estas palabras: {{subcommands}}.',
    unreachable: 'No puedo conectar con el servicio de ajustes. No se ha cambiado nada; inténtalo de nuevo más tarde.',
    unconfirmed:
      'El servicio de ajustes no ha respondido: puede que el cambio se haya hecho y puede que no. Usa {{command}} para comprobarlo.',
    refused: 'El servicio de ajustes ha rechazado el cambio: {{reason}}',
    tooOften: '{{command}} se ha usado demasiadas veces seguidas. Podrás volver a usarlo {{relative}}.',
    unexpected: 'Algo ha fallado por mi parte. Ha quedado registrado como {{reference}}.',
  },
};
