import type { Terminal } from '../text/terminal.ts';
import { exitCodes } from './failure.ts';

export interface SchemaOptions {
  readonly pretty?: boolean;
  /** Print the schema of scenario files instead. */
  readonly scenario?: boolean;
}

export async function schema({ pretty = false, scenario = false }: SchemaOptions, terminal: Terminal): Promise<number> {
  const found = scenario
    ? (await import('../scenario/schema.ts')).scenarioSchema()
    : (await import('../language/schema.ts')).publishedSchema();
  terminal.stdout.write(`${JSON.stringify(found, null, pretty ? 2 : 0)}\n`);
  return exitCodes.ok;
}
