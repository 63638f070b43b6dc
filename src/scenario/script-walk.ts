import type { Definition } from '../../engine/index.ts';
import { isRecord } from './is-record.ts';

export interface ScriptSource {
  /** `scripts/reset`, `unitTypes/human/scripts/turn`. */
  readonly place: string;
  readonly name: string;
  /** RFC 6901 pointer in the document. */
  readonly pointer: string;
  readonly triggers: readonly string[];
  readonly conditions: unknown;
  readonly actions: unknown;
}

/** Every script of a definition: the game's, then those of its types, as they are compiled. */
export function* scriptsOf(definition: Definition): Generator<ScriptSource> {
  const { scripts, unitTypes, itemTypes, projectileTypes } = definition;
  const groups: [string, typeof scripts][] = [['scripts', scripts]];
  for (const [section, types] of Object.entries({ unitTypes, itemTypes, projectileTypes })) {
    for (const [key, type] of types) groups.push([`${section}/${key}/scripts`, type.scripts]);
  }
  for (const [prefix, group] of groups) {
    for (const { key, name, pointer, triggers, conditions, actions } of group.values()) {
      yield { place: `${prefix}/${key}`, name: name === '' ? key : name, pointer, triggers, conditions, actions };
    }
  }
}

type ActionNode = Readonly<Record<string, unknown>> & { readonly type: string };

/** The actions of a list that are compiled, with their positions: comments, disabled ones and those for clients are not (reference: conditions#action-flags). */
export function liveActions(list: unknown): { readonly index: number; readonly node: ActionNode }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((node: unknown, index) => {
    if (!isRecord(node) || typeof node['type'] !== 'string') return [];
    const isOff = node['disabled'] === true || node['disabled'] === 1 || node['runMode'] === 1;
    return isOff || node['type'] === '' || node['type'] === 'comment' ? [] : [{ index, node: node as ActionNode }];
  });
}

export const blockKeys = ['then', 'else', 'actions'] as const;
