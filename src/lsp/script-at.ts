import { parsePointer } from '../../engine/core/pointer.ts';
import type { Definition, ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/internal.ts';

/** The script that a place is in, or is. Parses only scripts with a key that is on the way to the place. */
export function scriptAt(definition: Definition, pointer: string): ScriptNode | undefined {
  const keys = new Set(parsePointer(pointer));
  for (const entry of scriptsOf(definition).entries) {
    if (!keys.has(entry.head.key)) continue;
    const { node } = entry;
    if (pointer === node.pointer || pointer.startsWith(`${node.pointer}/`)) return node;
  }
  return undefined;
}
