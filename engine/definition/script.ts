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
  map,
  object,
  raw,
  rawArray,
  rawObject,
  required,
  string,
} from './schema.ts';
import { name, parent } from './shared-fields.ts';

const trigger = object({
  type: ['The name of the trigger.', string],
  ...ignoredFields({ comment: 'A remark for readers.', disabled: 'Whether the entry is ignored.' }),
});

/** Trigger types in order; a trigger that is listed twice is kept twice (reference: scripts#trigger-index). */
const triggers = convert(array(trigger), (list): readonly string[] => {
  const types: string[] = [];
  for (const each of list) if (each.type !== undefined && each.type !== '') types.push(each.type);
  return Object.freeze(types);
});

/**
 * A script (specification, Script). Conditions and actions are raw JSON, which `engine/script` compiles; `pointer`
 * gives their positions in the document.
 */
const script = entry('Script', 'Triggers, a condition and actions.', {
  name,
  /** Key of a folder in the same collection. */
  parent,
  order: ["The position in the editor's list.", defaulted(integer, 0)],
  triggers: ['The triggers that run the script.', defaulted(triggers, [])],
  /** Undefined if the script has no conditions. */
  conditions: ['The script runs only if the condition holds.', raw],
  actions: ['The actions of the script, in order.', required(rawArray, [])],
  isProtected: ['Used by the editor only.', defaulted(boolean, false)],
  isWorld: ['Whether the script belongs to a world of several maps.', defaulted(boolean, false)],
  isExpanded: ['Whether the editor shows the script expanded.', rawObject],
  ...ignoredFields({
    expanded: 'Whether the editor shows the entry expanded.',
    comment: 'A remark for readers.',
    description: 'A description for readers.',
    isWorldScript: 'Whether the script belongs to a world of several maps.',
  }),
});
export type Script = Infer<typeof script>;

const scriptFolder = entry('ScriptFolder', 'A folder of scripts in the editor.', {
  folderName: ['The name of an editor folder.', defaulted(string, '')],
  parent,
  order: ["The position in the editor's list.", defaulted(integer, 0)],
  expanded: ['Whether the editor shows the entry expanded.', boolean],
  ...ignoredFields({
    isExpanded: 'Whether the editor shows the entry expanded.',
    name: 'The display name in editors.',
    triggers: 'The triggers that run the script.',
    conditions: 'The script runs only if the condition holds.',
    actions: 'The actions of the script, in order.',
  }),
});
export type ScriptFolder = Infer<typeof scriptFolder>;

function isFolder(given: Json) {
  return typeof given === 'object' && given !== null && 'folderName' in given && !('actions' in given);
}

/** Entries that are not folders must have actions. */
const published = { anyOf: [script, scriptFolder], if: { required: ['folderName'] }, else: { required: ['actions'] } };

/** Scripts and folders share one collection in documents, but are two maps here. */
const scripts = map(script, { arrays: true, accepts: (given) => !isFolder(given), published });
const folders = map(scriptFolder, { arrays: true, accepts: isFolder, published });

/** The two fields of every type that has scripts, and of the game. */
export const scriptFields = {
  scripts: ['Scripts and script folders, by id.', defaulted(scripts, emptyMap)],
  scriptFolders: ['Script folders, by id.', defaulted(folders, emptyMap, { from: 'scripts' })],
} as const;
