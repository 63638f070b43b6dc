import { isObject, isRecord } from '../core/plain-object.ts';
import { boolean, entry, type Infer, ignoredFields, type Json, map, string } from './schema.ts';
import { order, parent } from './shared-fields.ts';

/**
 * A view template (specification, View templates): HTML that clients show. The collection also contains folders of
 * views.
 */
const view = entry('View', 'A view template, or a folder of templates.', {
  name: ['The display name in game clients and editors.', string],
  htmlData: ['The HTML of the page around the game.', string],
  cssData: ['The CSS of the page around the game.', string],
  parent,
  order,
  type: ['The kind of the entry.', string],
  preventDelete: ['Used by the editor only.', boolean],
  folderName: ['The name of an editor folder.', string],
  expanded: ['Whether the editor shows the entry expanded.', boolean],
  hasPreview: ['Used by the editor only.', boolean],
  ...ignoredFields({ jsData: 'The JavaScript of the page around the game.' }),
});
export type View = Infer<typeof view>;
export const views = map(view);

/**
 * Recognises a collection of views by its templates, because the specification does not say under which key the
 * collection is stored.
 */
export function looksLikeViews(given: Json): boolean {
  if (!isRecord(given)) return false;
  const entries: Json[] = Object.values(given);
  return (
    entries.some((each) => hasOwn(each, 'htmlData')) &&
    entries.every((each) => hasOwn(each, 'htmlData') || hasOwn(each, 'folderName'))
  );
}

function hasOwn(given: Json, name: string): boolean {
  return isObject(given) && Object.hasOwn(given, name);
}
