import { type Issue, Issues } from '../../engine/core/issue.ts';
import { parsePointer } from '../../engine/core/pointer.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';

/** Reads bare data in the form in which an author would write it. */
export function read(data: object): { definition: Definition; issues: readonly Issue[] } {
  const issues = new Issues();
  const definition = readDefinition({ data }, issues);
  if (definition === undefined) throw new Error('This is not a definition.');
  return { definition, issues: issues.list };
}

/** `code pointer` of every issue. */
export function complaints(data: object): string[] {
  return read(data).issues.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** The value at a pointer; throws if there is none. */
export function follow(document: unknown, pointer: string): unknown {
  let at = document;
  for (const key of parsePointer(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw new Error(`${pointer} leads nowhere.`);
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
