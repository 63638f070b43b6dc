import { publishedSchema } from '../../language/index.ts';
import { scenarioSchema } from '../../scenario/index.ts';
import type { Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import type { SchemaOptions } from './command.ts';

export async function schema(options: SchemaOptions, terminal: Terminal) {
  const { pretty = false } = options;
  const found = await schemaFor(options);
  terminal.stdout.write(`${JSON.stringify(found, null, pretty ? 2 : 0)}\n`);
  return exitCodes.ok;
}

async function schemaFor({ scenario, serve }: SchemaOptions) {
  if (scenario) return scenarioSchema();
  if (!serve) return publishedSchema();
  const { settingsSchema } = await import('../settings.ts');
  const { command } = await import('../serve/command.ts');
  return settingsSchema(command());
}
