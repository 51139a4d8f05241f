import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: 'Sesiones',
  intro: 'Dónde has iniciado sesión. Cierra lo que no reconozcas.',
  current: 'Este navegador',
  unknownDevice: 'Dispositivo desconocido',
  started: 'Sesión iniciada {{time}}',
  used: 'Último uso {{time}}',
  end: 'Cerrar',
  endName: 'Cerrar la sesión: {{device}}',
  ended: 'Se ha cerrado la sesión: {{device}}',
  endAll: 'Cerrar todas las sesiones',
  allHeading: '¿Cerrar todas las sesiones?',
  allText: 'Se cierra la sesión en todas partes, también aquí. Nada de lo guardado se pierde.',
  allUnsaved: 'Los cambios sin guardar se descartan.',
  cancel: 'Cancelar',
  failed: 'No se ha podido cerrar la sesión. Inténtalo de nuevo.',
};
