import { everyNode, type LoadedGame } from '../../engine/index.ts';
import { scriptsOf, variablesWrittenBy } from '../../engine/internal.ts';
import type { Counts } from '../scenario/counts.ts';

interface Writer {
  readonly name: string;
  readonly ran: boolean;
}

const shownMax = 3;

/** Which scripts can change each global variable, and whether they ran. */
export class VariableWriters {
  private readonly writers = new Map<string, Writer[]>();

  constructor({ definition }: LoadedGame, counts: Counts) {
    for (const { actions, name, place } of scriptsOf(definition).scripts) {
      const ran = (counts.scripts[place] ?? 0) > 0;
      const written = new Set<string>();
      for (const node of everyNode(actions)) {
        if (node.kind !== 'action') continue;
        for (const variable of variablesWrittenBy(node)) if (variable !== undefined) written.add(variable);
      }
      for (const variable of written)
        this.writers.set(variable, [...(this.writers.get(variable) ?? []), { name, ran }]);
    }
  }

  /** To be put after what is said about a variable: `; set by "sells fish" (never ran)`. */
  textOf(variable: string): string {
    const writers = this.writers.get(variable) ?? [];
    if (writers.length === 0) return '; no script sets it';
    const shown = writers.slice(0, shownMax).map(({ name, ran }) => `"${name}"${ran ? '' : ' (never ran)'}`);
    const more = writers.length > shownMax ? ` and ${writers.length - shownMax} more` : '';
    return `; set by ${shown.join(', ')}${more}`;
  }
}
