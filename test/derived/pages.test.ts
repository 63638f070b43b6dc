import type { Command } from 'commander';
import { test } from 'vitest';
import { catalogue } from '../../engine/index.ts';
import { issuesMarkdown } from '../../src/cli/issues/markdown.ts';
import { opsMarkdown } from '../../src/cli/ops-doc.ts';
import { createProgram } from '../../src/cli/program.ts';
import { settingsSchema } from '../../src/cli/settings.ts';
import { publishedSchema } from '../../src/language/schema.ts';
import { scenarioSchema } from '../../src/scenario/schema.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { expectDerived } from './derived.ts';

const asJson = (schema: unknown): string => `${JSON.stringify(schema, null, 2)}\n`;

function commandNamed(name: string): Command {
  // Nothing is printed.
  return createProgram({} as Terminal, { code: 0 }).commands.find((command) => command.name() === name)!;
}

test.each([
  ['docs/ops.md', () => opsMarkdown(catalogue())],
  ['docs/issues.md', issuesMarkdown],
  ['schema/game-definition.schema.json', () => asJson(publishedSchema())],
  ['schema/scenario.schema.json', () => asJson(scenarioSchema())],
  ['schema/serve.schema.json', () => asJson(settingsSchema(commandNamed('serve')))],
])('%s is what the tables of the engine say', (path, make) => expectDerived(path, make()));
