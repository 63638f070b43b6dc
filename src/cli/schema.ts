import type { Command } from 'commander';
import type { Terminal } from '../text/terminal.ts';
import { exitCodes } from './failure.ts';

export interface SchemaOptions {
  readonly pretty?: boolean;
  /** Print the schema of scenario files instead. */
  readonly scenario?: boolean;
  /** Print the schema of the configuration of `serve` instead. */
  readonly serve?: boolean;
}

export async function schema(options: SchemaOptions, program: Command, terminal: Terminal): Promise<number> {
  const { pretty = false } = options;
  const found = await schemaFor(options, program);
  terminal.stdout.write(`${JSON.stringify(found, null, pretty ? 2 : 0)}\n`);
  return exitCodes.ok;
}

async function schemaFor({ scenario, serve }: SchemaOptions, program: Command): Promise<object> {
  if (scenario) return (await import('../scenario/schema.ts')).scenarioSchema();
  if (!serve) return (await import('../language/schema.ts')).publishedSchema();
  const { settingsSchema } = await import('./settings.ts');
  return settingsSchema(program.commands.find((command) => command.name() === 'serve')!);
}
