import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

/** Texts of the access list in Spanish. */
export const texts: Translated<typeof english> = {
  intro:
    'Deja que otros vean los ajustes de este servidor, o los cambien, sin «Gestionar servidor». Solo los gestores pueden cambiar esta lista.',
  heading: 'Quién tiene acceso',
  nobody: 'Nadie más. Solo los gestores pueden abrir estos ajustes.',
  who: 'Quién',
  level: 'Nivel',
  levelOf: 'Nivel de {{who}}',
  remove: 'Quitar',
  removeName: 'Quitar a {{who}}',
  role: 'Rol {{id}}',
  deletedRole: 'Rol eliminado ({{id}})',
  addLabel: 'Añadir un rol o una persona',
  addHelp: 'Quien se añade empieza como lector. El nivel se elige en la lista.',
  search: 'Buscar roles y miembros',
  show: 'Mostrar roles y miembros',
  list: 'Roles y personas',
  roles: 'Roles del servidor',
  people: 'Personas',
  managed: 'De un bot o una integración',
  typeName: 'Escribe el principio de un nombre para encontrar personas.',
  noMatch: 'Ningún rol ni miembro se llama así.',
  byId: 'Ahora no se pueden listar los roles y los miembros. Haz clic derecho en el rol o la persona en Discord y copia su ID.',
  kind: 'Rol o persona',
  kinds: {
    role: 'Rol',
    user: 'Persona',
  },
  id: 'ID',
  add: 'Añadir',
  everyone: 'Todos los miembros tienen este rol. Elige otro.',
  listed: 'Este ID ya está en la lista.',
  added: '{{who}} se ha añadido como lector. Guarda para aplicarlo.',
  removed: '{{who}} ya no está en la lista. Guarda para aplicarlo.',
  full: 'La lista está llena: tiene como máximo {{max}} entradas.',
  unsaved: 'Sin guardar todavía.',
  saved: 'Guardado. Se aplica desde ahora.',
  overtaken:
    'Otro gestor ha cambiado la lista mientras tanto. Se muestra con tus cambios, que aún no están guardados. Revísala y guarda.',
  rolesUnknown:
    'El servicio no puede saber quién tiene un rol, así que solo se puede dar acceso a personas. No se ha guardado nada.',
  refused: 'El servicio ha rechazado la lista: {{detail}}',
  leaveText: 'Tus cambios de la lista no están guardados. Si sales, se pierden.',
  levels: {
    heading: 'Qué puede hacer cada nivel',
    may: 'Puede',
    viewer: 'Lector',
    viewerMay: 'Ver los ajustes, el historial y esta lista, y exportar los ajustes.',
    editor: 'Editor',
    editorMay: 'Además, cambiar ajustes, deshacer y restaurar cambios, e importar ajustes.',
    manager: 'Gestor',
    managerMay:
      'Además, cambiar esta lista y exportar el historial. Los gestores tienen «Gestionar servidor» en Discord.',
    owner: 'Propietario',
    ownerMay: 'Además, borrar los ajustes y el historial.',
  },
};
