import { test } from 'vitest';
import { catalogue } from '../../engine/index.ts';
import { command as serve } from '../../src/cli/serve/command.ts';
import { settingsSchema } from '../../src/cli/settings.ts';
import { publishedSchema } from '../../src/language/schema.ts';
import { scenarioSchema } from '../../src/scenario/reading/schema.ts';
import { expectDerived } from './derived.ts';
import { issuesMarkdown } from './issues-page.ts';
import { opsMarkdown } from './operations-page.ts';
import { optionsMarkdown } from './options-page.ts';

const asJson = (schema: unknown): string => `${JSON.stringify(schema, null, 2)}\n`;

test.each([
  ['docs/ops.md', () => opsMarkdown(catalogue())],
  ['docs/issues.md', issuesMarkdown],
  ['docs/options.md', optionsMarkdown],
  ['schema/game-definition.schema.json', () => asJson(publishedSchema())],
  ['schema/scenario.schema.json', () => asJson(scenarioSchema())],
  ['schema/serve.schema.json', () => asJson(settingsSchema(serve()))],
])('%s is what the tables of the engine say', async (path, make) => expectDerived(path, await make()));
