import { definitionSchema } from '../../engine/index.ts';
import { exitCodes } from './failure.ts';
import type { Terminal } from './terminal.ts';

export interface SchemaOptions {
  readonly pretty?: boolean;
}

export function schema({ pretty = false }: SchemaOptions, terminal: Terminal): number {
  terminal.stdout.write(`${JSON.stringify(definitionSchema(), null, pretty ? 2 : 0)}\n`);
  return exitCodes.ok;
}
