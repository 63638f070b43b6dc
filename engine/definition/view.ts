import { boolean, entry, type Infer, ignoredFields, integer, type Json, key, map, string } from './schema.ts';

/** Specification, View templates: HTML that clients show. The collection also contains folders of views. */
const view = entry('View', 'A view template, or a folder of them.', {
  name: string,
  htmlData: string,
  cssData: string,
  parent: key,
  order: integer,
  type: string,
  preventDelete: boolean,
  folderName: string,
  expanded: boolean,
  hasPreview: boolean,
  ...ignoredFields('jsData'),
});
export type View = Infer<typeof view>;
export const views = map(view);

/** Recognises a collection of views by its templates, because the specification does not say under which key it is. */
export function looksLikeViews(given: Json): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const entries: Json[] = Object.values(given);
  return (
    entries.some((each) => hasOwn(each, 'htmlData')) &&
    entries.every((each) => hasOwn(each, 'htmlData') || hasOwn(each, 'folderName'))
  );
}

function hasOwn(given: Json, name: string): boolean {
  return typeof given === 'object' && given !== null && Object.hasOwn(given, name);
}
