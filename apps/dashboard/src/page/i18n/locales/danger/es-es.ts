import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: 'Borrar',
  heading: 'Borrar los ajustes de este servidor',
  text: 'No se puede deshacer: tampoco nosotros podemos recuperar los datos.',
  erased: 'Qué se borra',
  erasedSettings: 'Todos los ajustes: se aplican de inmediato los predeterminados.',
  erasedHistory: 'Todo el historial: cambios, autores y motivos. Ya no se podrá deshacer ni restaurar nada.',
  erasedAccess: 'La lista de acceso: solo los gestores pueden abrir los ajustes.',
  remains: 'Qué permanece',
  remainsBot: 'El bot sigue en el servidor, con los ajustes predeterminados.',
  remainsExports: 'Los archivos exportados son tuyos y siguen donde están.',
  remainsReminders: 'Los recordatorios de los usuarios del bot permanecen.',
  exportFirst: 'Exportar antes los ajustes',
  ownerOnly: 'Solo el propietario de este servidor puede borrar sus ajustes y su historial.',
  confirmLabel: 'Escribe el nombre del servidor, o su ID {{id}}, para confirmar: {{name}}',
  confirmIdLabel: 'Escribe el ID del servidor para confirmar: {{id}}',
  confirmMismatch: 'Eso no es ni el nombre del servidor ni su ID.',
  erase: 'Borrar todo',
  busy: 'Borrando…',
  failed: 'El servicio no lo ha confirmado. Vuelve a cargar la página para ver si se borró.',
  doneHeading: 'Todo está borrado',
  doneText: '{{name}} tiene ahora los ajustes predeterminados y ningún historial.',
  doneLink: 'Ir a los ajustes',
};
