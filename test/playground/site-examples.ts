import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Example } from '../../src/playground/link.ts';

/** The examples of the documentation as its site links them to the playground. */

interface SiteExample extends Example {
  readonly block: string;
}

interface Tools {
  examplesOf(path: string, markdown: string): readonly SiteExample[];
  fragmentOf(example: Example): string;
  configured(block: string): string | undefined;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
const tools = (await import(`${root}tools/site/examples.mjs`)) as Tools;
const documents = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
export const all = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...documents.map((name) => `docs/${name}`)].map(
  (path) => {
    const markdown = readFileSync(root + path, 'utf8');
    return { path, markdown, examples: tools.examplesOf(path, markdown) };
  },
);
export const pages = all.filter(({ examples }) => examples.length > 0);
export const { fragmentOf, configured } = tools;
