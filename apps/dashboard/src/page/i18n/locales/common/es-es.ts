import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

/** The Spanish texts. */
export const texts: Translated<typeof english> = {
  app: {
    name: 'Ajustes de servidores',
    support: 'Ayuda',
    privacy: 'Privacidad',
    skip: 'Ir al contenido',
    menu: 'Tu cuenta',
    preferences: 'Idioma y apariencia',
    language: 'Idioma',
    theme: 'Apariencia',
    themes: { system: 'Como el dispositivo', light: 'Clara', dark: 'Oscura' },
    sessions: 'Tus sesiones',
    logOut: 'Cerrar sesión',
    logOutUnsaved: '¿Cerrar sesión con cambios sin guardar?',
    logOutUnsavedText: 'No están guardados. Al cerrar sesión se descartan.',
    allServers: 'Todos los servidores',
    switchServer: 'Cambiar de servidor',
    loading: 'Cargando…',
    cancel: 'Cancelar',
  },
  nav: {
    unsaved: 'cambios sin guardar',
    label: 'Páginas de este servidor',
    settings: 'Ajustes',
    history: 'Historial',
    access: 'Acceso',
    transfer: 'Exportar e importar',
  },
  login: {
    heading: 'Los ajustes de tus servidores de Discord',
    lead: 'Cambia cómo funciona el bot en tu servidor: ve al momento cuándo está activo y qué cambian tus compañeros, y deshaz lo que quieras.',
    button: 'Continuar con Discord',
    privacy:
      'Discord nos dice quién eres y en qué servidores estás, y nada más. No podemos leer mensajes ni actuar en tu nombre.',
    points: {
      live: 'Activo en milisegundos, y la página lo dice',
      together: 'Los cambios de tu equipo aparecen mientras escribes y nunca pisan los tuyos',
      undo: 'Cada cambio tiene autor, hora y forma de deshacerlo',
    },
    failed: 'No se ha podido entrar con Discord ahora mismo. No se ha perdido nada. Inténtalo de nuevo.',
    denied: 'Has cancelado en Discord, así que no has iniciado sesión.',
    expired: 'Se ha tardado demasiado o se empezó en otra ventana. Empieza de nuevo.',
    limited:
      'Se ha intentado entrar demasiadas veces desde tu red y no se ha admitido este intento. Espera diez minutos e inténtalo de nuevo.',
    deepLink: 'Entra para abrir la página del enlace.',
  },
  session: {
    over: 'Tu sesión ha terminado',
    overText: 'Lo que has cambiado sin guardar sigue en esta pestaña. Entra para continuar.',
    again: 'Entrar de nuevo',
  },
  guilds: {
    heading: 'Tus servidores',
    lead: 'Servidores tuyos, que puedes gestionar o cuyos gestores te han dado acceso.',
    search: 'Buscar servidores',
    found_one: '{{count}} servidor',
    found_many: '{{count}} de servidores',
    found_other: '{{count}} servidores',
    none: 'Ningún servidor se llama «{{query}}».',
    empty: 'No hay servidores que gestionar',
    emptyText:
      'Tienes que ser propietario de un servidor o tener en él el permiso «Gestionar servidor». Pídeselo a un propietario, o que te dé acceso, y vuelve a mirar.',
    refresh: 'Actualizar servidores',
    owner: 'Es tuyo',
    editor: 'Editor',
    viewer: 'Lector',
    now: {
      manager: 'Ahora gestionas este servidor: puedes hacer todo menos borrarlo.',
      editor: 'Ahora eres editor de este servidor: puedes cambiar sus ajustes.',
      viewer: 'Ahora eres lector de este servidor: puedes ver sus ajustes y su historial, pero no cambiarlos.',
    },
    invite: 'Invitar al bot',
    inviteTo: 'Invitar al bot a {{name}} (abre Discord)',
    absent: 'El bot aún no está aquí',
    waiting: 'Esperando al bot… Esta página sigue sola en cuanto entre.',
    arrived: 'El bot ya está en {{name}}.',
    withBot: 'Con el bot',
    withoutBot: 'Sin el bot',
  },
  botAbsent: {
    heading: 'El bot no está en este servidor',
    text: 'Invítalo y sus ajustes se abrirán aquí solos.',
    others: 'Sus gestores pueden invitarlo. Entonces sus ajustes se abrirán aquí solos.',
  },
  failure: {
    retry: 'Reintentar',
    retryIn_one: 'Reintentar en {{count}} segundo',
    retryIn_many: 'Reintentar en {{count}} de segundos',
    retryIn_other: 'Reintentar en {{count}} segundos',
    back: 'A tus servidores',
    offline: {
      heading: 'No hay conexión',
      text: 'Este dispositivo no está conectado. La página sigue sola cuando vuelva la conexión.',
    },
    unavailable: {
      heading: 'El servicio no responde',
      text: 'El servicio o Discord no está disponible ahora mismo. No se ha perdido nada tuyo. Inténtalo en un momento.',
    },
    limited: {
      heading: 'Demasiado a la vez',
      text: 'Demasiadas peticiones en poco tiempo. Pronto volverán a pasar.',
    },
    forbidden: {
      heading: 'No puedes gestionar este servidor',
      text: 'Pueden su propietario, los miembros con «Gestionar servidor» y a quienes ellos dan acceso. Si te acaban de dar el permiso, inténtalo de nuevo.',
    },
    'not-found': { heading: 'Aquí no hay nada', text: 'La dirección no es correcta o lo que había ya no está.' },
    unexpected: { heading: 'Algo ha salido mal', text: 'Es un fallo nuestro. Puede ayudar intentarlo de nuevo.' },
  },
};
