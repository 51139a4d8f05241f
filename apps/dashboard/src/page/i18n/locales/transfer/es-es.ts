import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  export: {
    heading: 'Exportar',
    text: 'Los ajustes en un archivo JSON: para guardarlos o para importarlos en otro servidor.',
    history: 'Con el historial',
    historyHelp: 'Los cambios más recientes, hasta 512 KiB, con los identificadores de sus autores. No se importan.',
    download: 'Descargar',
    busy: 'Preparando el archivo…',
    done: 'El archivo está en tus descargas: {{file}}',
  },
  import: {
    heading: 'Importar',
    text: 'Aplica los ajustes de un archivo exportado, en un solo cambio. Verás la diferencia antes de que cambie nada.',
    choose: 'Elegir un archivo…',
    drop: 'o suéltalo aquí',
    limits: 'Un archivo JSON de {{size}} como máximo.',
    reading: 'Leyendo {{file}}…',
    preview: 'Lo que cambiaría con {{file}}',
    source: 'Exportado de {{name}} ({{id}}), {{time}}',
    sourceId: 'Ajustes del servidor {{id}}',
    nothing: 'Este servidor ya tiene estos ajustes. No hay nada que importar.',
    meanwhile: 'Los ajustes han cambiado mientras tanto. Aún no se ha importado nada. Ahora cambiaría esto:',
    skipped: 'No se importa:',
    confirm: 'Importar',
    again: 'Elegir otro archivo',
    done: 'Se han importado los ajustes.',
    show: 'Mostrar el cambio',
    failed: 'El servicio no ha confirmado la importación. El historial muestra si se hizo.',
  },
  skipped: {
    'other-guild': 'El canal pertenece al servidor exportado. Elige uno de este servidor en los ajustes.',
    'unknown-field': 'Esta versión del servicio no lo conoce.',
    access: 'Quién tiene acceso no se importa. Lo decide quien gestiona este servidor.',
    history: 'Los cambios no se importan, porque no se puede probar quién los hizo.',
  },
  wrong: {
    heading: '{{file}} no se puede importar',
    nothing: 'No se ha cambiado nada.',
    'too-large': 'El archivo tiene {{size}}. Una exportación tiene {{max}} como máximo.',
    empty: 'El archivo está vacío.',
    'not-text': 'El archivo no es texto en UTF-8. Elige el archivo JSON de una exportación.',
    'not-json': 'El archivo no es JSON: {{detail}}',
    'not-an-export':
      'El archivo es JSON, pero no una exportación: le falta «{{field}}». Elige un archivo exportado aquí.',
    'other-version': 'El archivo tiene la versión {{version}} del formato. Este servicio admite la versión 1.',
    unreadable: 'No se ha podido leer el archivo. Puede que se haya movido o borrado.',
    'too-long': 'Estos valores son más largos que en cualquier exportación:',
    issues: 'El servicio no admite estos valores:',
    refused: 'El servicio ha rechazado el archivo: {{detail}}',
  },
};
