import { parsePointer } from '../../engine/core/index.ts';
import type { Definition, ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/tools.ts';

/**
 * The script that contains the position `pointer`; undefined if there is none. Only scripts whose key occurs in the
 * pointer are parsed.
 */
export function scriptAt(definition: Definition, pointer: string): ScriptNode | undefined {
  const keys = new Set(parsePointer(pointer));
  for (const entry of scriptsOf(definition).entries) {
    if (!keys.has(entry.head.key)) continue;
    const { node } = entry;
    if (pointer === node.pointer || pointer.startsWith(`${node.pointer}/`)) return node;
  }
  return undefined;
}
