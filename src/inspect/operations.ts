import { type Definition, everyNode } from '../../engine/index.ts';
import { type OpRow, type Program, scriptsOf, statusOf, vocabularyOf } from '../../engine/tools.ts';
import { type Counts, countsOf, tally } from '../statistics/index.ts';

/** The operations that the scripts of a game use, by support in this engine, counted by occurrence. */
export interface OperationCounts {
  readonly actions: Counts;
  readonly functions: Counts;
  /** Published as output events, by family: the host has to perform them. */
  readonly outputs: Counts;
  /** Without effect if there is no client and no editor. */
  readonly inert: Counts;
  /** Unknown or not implemented yet. */
  readonly unknown: Counts;
}

export function operationsOf(definition: Definition, program: Program): OperationCounts {
  const actions: string[] = [];
  const functions: string[] = [];
  for (const script of scriptsOf(definition).scripts) {
    for (const node of everyNode(script)) {
      if (node.kind === 'action' && node.rule !== undefined) actions.push(node.operation);
      else if (node.kind === 'call' && node.rule !== undefined) functions.push(node.operation);
    }
  }
  const outputs: string[] = [];
  const inert: string[] = [];
  const sort = (name: string, row: OpRow | undefined): void => {
    if (row === undefined) return;
    const status = statusOf(row);
    if (status === 'output') outputs.push(row.family);
    else if (status === 'inert') inert.push(name);
  };
  const vocabulary = vocabularyOf(definition);
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
