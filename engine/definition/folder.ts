import { boolean, entry, ignoredFields, integer, key, map, openEnum, string } from './schema.ts';

/** Specification, Folders: the editor's tree of types. */
const folder = entry('Folder', 'A folder of the editor, or the place of a type in one.', {
  name: string,
  type: openEnum(['folder', 'unit', 'item', 'projectile']),
  parent: key,
  closed: boolean,
  order: integer,
  ...ignoredFields('expanded', 'folderName'),
});
export const folders = map(folder);
