import type { Translated } from '../translated.ts';
import type { texts as english } from './en-us.ts';

/** The Spanish texts. */
export const texts: Translated<typeof english> = {
  field: {
    prefix: 'Prefijo',
    announcement_channel: 'Canal de anuncios',
    beta: 'Funciones beta',
    language: 'Idioma',
    enabledFeatures: 'Funciones',
    name: 'Nombre del servidor',
    icon: 'Icono del servidor',
    presence: 'Bot en este servidor',
  },
  object: {
    prefix: 'el prefijo',
    announcement_channel: 'el canal de anuncios',
    beta: 'las funciones beta',
    language: 'el idioma',
    enabledFeatures: 'las funciones',
    name: 'el nombre del servidor',
    icon: 'el icono del servidor',
    presence: 'la presencia del bot',
  },
  value: {
    none: 'ninguno',
    on: 'activado',
    off: 'desactivado',
    present: 'sí',
    left: 'no',
    unknown: 'desconocido',
  },
  changed: '{{field}}: {{from}} → {{to}}',
  more_one: '{{count}} más',
  more_many: '{{count}} más',
  more_other: '{{count}} más',
  person: {
    user: 'El usuario {{id}}',
    erased: 'Un usuario cuyos datos se borraron',
    application: 'La aplicación',
    platform: 'Discord',
  },
  sentence: {
    field: '{{who}} cambió {{field}} de {{from}} a {{to}}',
    fields: '{{who}} cambió {{fields}}',
    undo: '{{who}} deshizo el cambio {{change}}',
    restore: '{{who}} restauró los ajustes del cambio {{change}}',
    restoreDefaults: '{{who}} restauró los ajustes predeterminados',
    import: '{{who}} importó ajustes',
    joined: 'Se añadió el bot a este servidor',
    left: 'Se quitó el bot de este servidor',
    platform: 'Discord comunicó un cambio: {{fields}}',
    nothing: '{{who}} guardó sin diferencias',
  },
  change: {
    prefix: {
      changed: '{{who}} cambió el prefijo de {{from}} a {{to}}',
      none: '{{who}} desactivó los comandos con prefijo (antes: {{from}})',
      set: '{{who}} activó los comandos con prefijo, con el prefijo {{to}}',
    },
    announcement_channel: {
      changed: '{{who}} movió los anuncios de {{from}} a {{to}}',
      set: '{{who}} eligió {{to}} para los anuncios',
      none: '{{who}} desactivó los anuncios (canal anterior: {{from}})',
    },
    beta: {
      on: '{{who}} activó las funciones beta',
      off: '{{who}} desactivó las funciones beta',
    },
    language: {
      changed: '{{who}} cambió el idioma de {{from}} a {{to}}',
    },
    enabledFeatures: {
      added: '{{who}} activó {{added}}',
      removed: '{{who}} desactivó {{removed}}',
      both: '{{who}} activó {{added}} y desactivó {{removed}}',
      order: '{{who}} cambió el orden de las funciones',
    },
    name: {
      changed: 'El servidor {{from}} pasó a llamarse {{to}}',
    },
    icon: {
      changed: 'El servidor tiene un icono nuevo',
      none: 'El servidor ya no tiene icono',
    },
  },
  undoneBy: 'Deshecho en el cambio {{change}}',
  undo: {
    done: 'Se ha deshecho el cambio {{change}}.',
    same: 'Los ajustes ya están como antes del cambio {{change}}. No hay nada que deshacer.',
    meanwhile: 'Los ajustes han cambiado mientras tanto. Aún no se ha hecho nada.',
    later: 'El cambio {{change}} no se puede deshacer, porque cambios posteriores afectan a los mismos ajustes:',
    notUndoable: 'El cambio {{change}} lo hizo Discord. Solo se pueden deshacer los cambios de los ajustes.',
  },
  flaw: {
    tooLong: 'Como máximo {{count}} caracteres',
    leadingSpace: 'Sin espacio al principio',
    unprintable: 'Sin caracteres de control invisibles',
    invisible: 'Sin caracteres invisibles ({{codePoint}})',
    tooMany: 'Como máximo {{count}} valores',
    tooShort: 'Como mínimo {{count}} caracteres',
    tooSmall: 'Como mínimo {{count}}',
    tooLarge: 'Como máximo {{count}}',
    notChoice: 'No es una de las opciones',
    notId: 'No es un identificador de Discord (de 17 a 20 cifras)',
  },
  flawIn: {
    enabledFeatures: { tooMany: 'Como máximo {{count}} funciones a la vez' },
  },
  live: 'En uso en este servidor tras {{ms}} ms.',
};
