import { emptyMap } from './frozen-map.ts';
import {
  array,
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  type Json,
  key,
  map,
  object,
  raw,
  rawArray,
  rawObject,
  required,
  string,
} from './schema.ts';

const trigger = object({ type: string, ...ignoredFields('comment', 'disabled') });

/** Trigger types in order; a trigger that is listed twice is kept twice (reference: scripts#trigger-index). */
const triggers = convert(array(trigger), (list): readonly string[] => {
  const types: string[] = [];
  for (const each of list) if (each.type !== undefined && each.type !== '') types.push(each.type);
  return Object.freeze(types);
});

/** Specification, Script. Conditions and actions are raw JSON, which `engine/script` compiles; `pointer` gives their positions in the document. */
export const script = entry('Script', 'Triggers, a condition and actions.', {
  name: defaulted(string, ''),
  /** Key of a folder in the same collection. */
  parent: key,
  order: defaulted(integer, 0),
  triggers: defaulted(triggers, []),
  /** `undefined` when absent. */
  conditions: raw,
  actions: required(rawArray, []),
  isProtected: defaulted(boolean, false),
  isWorld: defaulted(boolean, false),
  isExpanded: rawObject,
  ...ignoredFields('expanded', 'comment', 'description', 'isWorldScript'),
});
export type Script = Infer<typeof script>;

const scriptFolder = entry('ScriptFolder', 'A folder of scripts in the editor.', {
  folderName: defaulted(string, ''),
  parent: key,
  order: defaulted(integer, 0),
  expanded: boolean,
  ...ignoredFields('isExpanded', 'name', 'triggers', 'conditions', 'actions'),
});
export type ScriptFolder = Infer<typeof scriptFolder>;

function isFolder(given: Json): boolean {
  return typeof given === 'object' && given !== null && 'folderName' in given && !('actions' in given);
}

/** Only entries that are not folders must have actions. */
const published = { anyOf: [script, scriptFolder], if: { required: ['folderName'] }, else: { required: ['actions'] } };

/** Scripts and folders share one collection in documents, but are two maps here. */
const scripts = map(script, { arrays: true, accepts: (given) => !isFolder(given), published });
const folders = map(scriptFolder, { arrays: true, accepts: isFolder, published });

/** The two maps of everything that has scripts. */
export const scriptFields = {
  scripts: defaulted(scripts, emptyMap),
  scriptFolders: defaulted(folders, emptyMap, { from: 'scripts' }),
};
