import { type Definition, type Program, vocabulary } from '../../engine/index.ts';
import { type Counts, countsOf, tally } from '../text/counts.ts';

/** What the scripts of a game use, by what this engine makes of it. Numbers of nodes. */
export interface OperationCounts {
  readonly actions: Counts;
  readonly functions: Counts;
  /** Published as output events, by family: somebody else has to perform them. */
  readonly outputs: Counts;
  /** Without meaning where there is no client and no editor. */
  readonly inert: Counts;
  /** Not in the vocabulary, or not performed yet. */
  readonly unknown: Counts;
}

export function operationsOf(definition: Definition, program: Program): OperationCounts {
  const actions: string[] = [];
  const functions: string[] = [];
  for (const script of allScripts(definition)) {
    visitNodes([script.actions, script.conditions], (node) => {
      const { type, function: called } = node;
      if (typeof called === 'string' && vocabulary.values.has(called)) functions.push(called);
      else if (typeof type === 'string' && vocabulary.actions.has(type)) actions.push(type);
    });
  }
  const outputs: string[] = [];
  const inert: string[] = [];
  const sort = (name: string, row: { readonly status: string; readonly family: string } | undefined): void => {
    if (row?.status === 'output') outputs.push(row.family);
    else if (row?.status === 'inert') inert.push(name);
  };
  for (const type of actions) sort(type, vocabulary.actions.get(type));
  for (const type of functions) sort(type, vocabulary.values.get(type));
  return {
    actions: tally(actions),
    functions: tally(functions),
    outputs: tally(outputs),
    inert: tally(inert),
    unknown: countsOf(program.unknown),
  };
}

function* allScripts(definition: Definition) {
  yield* definition.scripts.values();
  for (const types of [definition.unitTypes, definition.itemTypes, definition.projectileTypes]) {
    for (const { scripts } of types.values()) yield* scripts.values();
  }
}

/** Every object in JSON. Without recursion, because scripts may nest as deep as documents may. */
function visitNodes(json: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) visit(value as Record<string, unknown>);
    for (const member of Object.values(value)) waiting.push(member);
  }
}
