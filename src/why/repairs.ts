import { isRecord, parsePointer } from '../../engine/core/index.ts';
import type { Definition, Issue } from '../../engine/index.ts';
import { valueAt } from '../model/index.ts';

/** A change of a definition that may make a play go as expected. */
export interface Repair {
  /** What may be wrong. */
  readonly text: string;
  /** What the change is, such as `With 5 instead`. */
  readonly otherwise: string;
  /** Whether the change counts only if it fulfils the expectation, because it could come nearer by chance. */
  readonly isExact?: boolean;
  /** For one of many possible changes of scripts and amounts: the lower, the likelier. */
  readonly cost?: number;
  /** The changed action, as faults name it. A change with which the action fails proves nothing. */
  readonly at?: string;
  /** The path from the definition to the changed value. */
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

/** What the issues of a game suggest for values. */
export function suggestionsAmong(issues: readonly Issue[], definition: Definition): readonly Repair[] {
  return issues.flatMap(({ code, message, pointer, suggestion }) => {
    const at = parsePointer(pointer.slice(definition.pointer.length));
    const found = valueAt(definition, at);
    const name = isRecord(found) ? ['type', 'function', 'operandType'].filter((key) => key in found).slice(0, 1) : [];
    const keys = [...at, ...name];
    const value = typeof valueAt(definition, keys) === 'number' ? Number(suggestion) : suggestion;
    if (suggestion === undefined || !/string|number/.test(typeof valueAt(definition, keys))) return [];
    const text = `reenact check reports at ${pointer}: ${message} (${code})`;
    return { text, otherwise: `With "${suggestion}" instead`, keys, value };
  });
}
