import { boolean, entry, ignoredFields, map, openEnum, string } from './schema.ts';
import { order, parent } from './shared-fields.ts';

/** An entry of the editor's tree of types (specification, Folders). */
const folder = entry('Folder', 'A folder in the editor, or a type with the folder that contains it.', {
  name: ['The display name in editors.', string],
  type: [
    'What the entry describes: a folder, or a type of units, items or projectiles.',
    openEnum(['folder', 'unit', 'item', 'projectile']),
  ],
  parent,
  closed: ['Used by the editor only.', boolean],
  order,
  ...ignoredFields({
    expanded: 'Whether the editor shows the folder expanded.',
    folderName: 'The name of an editor folder.',
  }),
});
export const folders = map(folder);
