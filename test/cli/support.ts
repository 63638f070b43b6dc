import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { document, joinAs, script, unitType } from '../support/play.ts';

const folder = mkdtempSync(join(tmpdir(), 'reenact-cli-'));

/** Writes a temporary file. */
export function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  /** Interrupts as soon as a listener is added. */
  readonly interrupt?: boolean;
}

/** Runs a command line in this process. */
export async function reenact(
  args: readonly string[],
  { stdin, env = {}, interrupt }: Surroundings = {},
): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  const terminal: Terminal = {
    stdin: (async function* () {
      if (stdin !== undefined) yield new TextEncoder().encode(stdin);
    })(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env,
    onInterrupt(listener) {
      if (interrupt) listener();
      return () => {};
    },
  };
  const code = await main(args, terminal);
  return { code, stdout, stderr };
}

/** An action. */
export function add(variableName: string, amount: number): object {
  const value = {
    function: 'calculate',
    items: [{ operator: '+' }, { function: 'getVariable', variableName }, amount],
  };
  return { type: 'setVariable', variableName, value };
}

/** A game that counts seconds, ends each round after three, and gives each player a unit. 20 ticks per second. */
export function countingGame(more: Record<string, unknown> = {}): Record<string, unknown> {
  const after3 = [{ operandType: 'number', operator: '>=' }, { function: 'getVariable', variableName: 'seconds' }, 3];
  return document({
    title: 'Counting',
    variables: {
      seconds: { dataType: 'number', default: 0 },
      state: { dataType: 'string', default: 'playing' },
      'last word': { dataType: 'string' },
    },
    unitTypes: { walker: unitType({ name: 'Walker' }) },
    scripts: {
      join: { ...joinAs('walker'), name: 'player joins' },
      second: {
        ...script('secondTick', [
          add('seconds', 1),
          {
            type: 'condition',
            conditions: after3,
            then: [{ type: 'setVariable', variableName: 'state', value: 'gameover' }],
            else: [],
          },
        ]),
        name: 'every second',
      },
    },
    ...more,
  });
}
