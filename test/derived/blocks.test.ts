import { readdirSync } from 'node:fs';
import type { Option } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { capacityText, lineFor, measuredRedisOf, redisPlayers, redisText } from '../../bench/capacity.ts';
import { readHistory } from '../../bench/history.ts';
import { loadDefinition, outputKinds } from '../../engine/index.ts';
import { Fit } from '../../src/cli/add/fit.ts';
import { fitted, fittedScenarios, needsOf, readRecipe, recipeNames } from '../../src/cli/add/recipe.ts';
import { command as serve } from '../../src/cli/serve/command.ts';
import { operatorCodes } from '../../src/cluster/operator/codes.ts';
import { mergeJson } from '../../src/load/merge-json.ts';
import type { Fields } from '../../src/net/protocol/encoding/fields.ts';
import { words } from '../../src/net/protocol/encoding/value.ts';
import { codeMeanings } from '../../src/net/protocol/messages/codes.ts';
import { indexOfEventKind, isClientEvent } from '../../src/net/protocol/messages/event-kinds.ts';
import { clientInputs } from '../../src/net/protocol/messages/inputs.ts';
import { clientMessages, serverMessages } from '../../src/net/protocol/messages/messages.ts';
import { slowReasons } from '../../src/net/protocol/messages/slow-reasons.ts';
import { defaultTraffic } from '../../src/server/base/options.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { type Route, routes } from '../../src/server/web/api.ts';
import { threats } from '../server/threats.ts';
import { sentenceOf, srcLayers } from '../tidy/imports.ts';
import { readTypeScript } from '../tidy/source.ts';
import { machineBills, objectBills, roomHour, type Table, thousandPlayers } from './costs.ts';
import { expectDerived, root, textOf } from './derived.ts';

type Row = readonly (string | number)[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}

const tableOf = ({ head, rows }: Table): string => table(head, rows);

/** A table for each group of the options of `serve`, as `--help` has them. */
function serveOptions(): string {
  const isNegated = (option: Option): boolean => option.negate;
  const rowOf = (option: Option): Row => {
    const [, meaning, named] = /^(.*?)(?: \(default: (.*)\))?$/.exec(option.description)!;
    const choices = option.argChoices?.filter((choice) => !meaning!.includes(choice)) ?? [];
    const set = isNegated(option) || option.defaultValue === undefined ? (named ?? '') : `\`${option.defaultValue}\``;
    const listed = choices.length === 0 ? '' : ` (${option.argChoices!.map((choice) => `\`${choice}\``).join(', ')})`;
    return [`\`${option.flags}\``, set, `${meaning}${listed}`];
  };
  const { options } = serve();
  const headings = [...new Set(options.map(({ helpGroupHeading }) => helpGroupHeading))];
  const tables = headings.map((heading) => {
    const rows = options.filter(({ helpGroupHeading }) => helpGroupHeading === heading).map(rowOf);
    return `${heading === undefined ? '' : `### ${heading.slice(0, -1)}\n\n`}${table(['option', 'default', 'meaning'], rows)}`;
  });
  return tables.join('\n');
}

/** Rows of the pages of docs/semantics about what `moddio` does not reproduce, because it would be unsafe. */
function exceptions(): string {
  const pages = readdirSync(`${root}docs/semantics`).sort();
  const rows = pages.flatMap((page) => {
    const lines = textOf(`docs/semantics/${page}`).split('\n');
    const [, title] = /^# (.*)/.exec(lines[0]!)!;
    return lines
      .filter((line) => line.includes(' | Unsafe'))
      .map((line): Row => {
        const cells = line.slice(2, -2).split(' | ');
        const [rule, why] = [
          cells[0]!,
          cells
            .at(-2)!
            .replace(/^Unsafe:? ?/, '')
            .replaceAll('](../reference/', '](reference/'),
        ];
        return [`[${title}](semantics/${page})`, rule, cells.at(-3)!, why[0]!.toUpperCase() + why.slice(1)];
      });
  });
  return table(['page', 'rule', '`moddio` instead', 'why'], rows);
}

function limits(): string {
  const { messages, bytes, large, addressMessages, addressBytes, connects, strikesMax } = defaultTraffic;
  const shown = (size: number): Row[number] => (size % 1024 === 0 ? `${size / 1024} KiB` : size);
  const rows = Object.entries({
    'messages per connection': messages,
    'bytes per connection': bytes,
    'large messages per connection': large,
    'messages per IP address': addressMessages,
    'bytes per IP address': addressBytes,
    'new connections per IP address': connects,
    'refused messages, before the connection ends': { size: strikesMax, perSecond: 1 },
  });
  return table(
    ['limit', 'at once', 'per second'],
    rows.map(([what, { size, perSecond }]) => [what, shown(size), shown(perSecond)]),
  );
}

async function metrics(): Promise<string> {
  const { text } = await new Metrics({
    rooms: () => [],
    connections: () => 0,
    isStoreFailing: () => false,
  }).text();
  const rows = Array.from(text.matchAll(/^# HELP (reenact_\w+) (.+)\n# TYPE \w+ (\w+)$/gm), ([, name, help, type]) => [
    `\`${name}\``,
    type!,
    help!,
  ]);
  return table(['metric', 'type', 'meaning'], rows);
}

function routeTable(): string {
  const rows = Object.values(routes).map(({ method, path, does, scopes }: Route) => [
    `\`${method} ${path}\``,
    (scopes ?? []).join(', '),
    does,
  ]);
  return table(['route', 'scopes', 'what it does'], rows);
}

/** Numbered from `start`, as in the first byte of a message. */
function messages(declared: Readonly<Record<string, Fields>>, what: string, start: number): string {
  const rows = Object.entries(declared).map(([kind, fields], index) => [
    start + index,
    kind,
    Object.entries(fields)
      .map(([name, { form }]) => form.replaceAll('%', name))
      .join('; '),
  ]);
  return table([...(start === 0 ? ['n', what] : ['first byte', what]), 'fields'], rows);
}

/** Results of benchmarks: those that were saved last. */
const newest = (name: string) => readHistory(`${root}bench/results`, name).entries.at(-1)!;
const capacity = (game: string, rate: number): string => capacityText(lineFor(newest('server-load'), game, rate)!);

const codeRows = (codes: Readonly<Record<string, string>>): Row[] =>
  Object.entries(codes).map(([code, meaning]) => [`\`${code}\``, meaning]);
const numbered = (names: readonly string[]): string => names.map((name, index) => `${index} \`${name}\``).join(', ');

function threatTable(): string {
  const cited = (file: string) => `\`test/${file.endsWith('.ts') ? file : `${file}.test.ts`}\``;
  const rows = Object.entries(threats).map(([threat, [answer, ...tests]]) => [
    threat,
    answer,
    tests.map(cited).join(', '),
  ]);
  return table(['threat', 'answer', 'tests'], rows);
}

/** The rooms of `src/`, each with the first comment of its door. */
function rooms(): string {
  const sources = readTypeScript('src');
  return table(
    ['room', 'what it is for'],
    srcLayers.map((room) => [`\`${room}\``, sentenceOf(room, sources)!]),
  );
}

/** What each recipe adds to the blank game, why so, and its scenarios. */
function recipes(): string {
  const { game } = loadDefinition(JSON.parse(textOf('templates/blank/game.json')));
  const { data: blank } = JSON.parse(textOf('templates/blank/game.json'));
  const all = { isThing: () => true, isKnown: () => false };
  return recipeNames()
    .map((name) => {
      const { title, does, why } = JSON.parse(textOf(`templates/recipes/${name}.json`));
      const recipe = readRecipe(name);
      const fit = new Fit(game!, blank, undefined, needsOf(recipe));
      const { text } = mergeJson('{\n  "data": {}\n}', '/data', fitted(recipe.data, {}, fit), all);
      const scenarios = fittedScenarios(recipe, {}, fit);
      return `## ${title}\n\n\`reenact add ${name}\`: ${does}\n\n<!-- game -->\n\`\`\`json\n${text}\n\`\`\`\n\n${why}\n\n<!-- scenario -->\n\`\`\`yaml\n${scenarios}\`\`\`\n`;
    })
    .join('\n');
}

const blocks: Readonly<Record<string, () => string | Promise<string>>> = {
  'options of serve': serveOptions,
  recipes,
  'reasons of slow rooms': () => table(['reason', 'meaning'], codeRows(slowReasons)),
  'codes of the log': () => table(['code', 'meaning'], codeRows(operatorCodes)),
  limits,
  'exceptions of moddio': exceptions,
  'routes of serve': routeTable,
  metrics,
  'codes for clients': () =>
    table(
      ['index', 'code', 'meaning'],
      codeRows(codeMeanings).map((row, index) => [index, ...row]),
    ),
  inputs: () => messages(clientInputs, 'input', 0),
  'messages of clients': () => messages(clientMessages, 'message', 1),
  'messages of servers': () => messages(serverMessages, 'message', 1),
  words: () => `${numbered(words)}\n`,
  rooms,
  threats: threatTable,
  'kinds of events': () => {
    const kinds = outputKinds.filter(isClientEvent);
    return `${numbered(kinds.toSorted((a, b) => indexOfEventKind(a) - indexOfEventKind(b)))}\n`;
  },
  'capacity of infection at 20 Hz': () => capacity('infection', 20),
  'capacity of outbreak at 60 Hz': () => capacity('outbreak', 60),
  'cost of a room as a Durable Object': () => tableOf(roomHour()),
  'cost of Durable Objects': () => tableOf(objectBills()),
  'cost of a thousand players': () => tableOf(thousandPlayers(newest('colyseus'))),
  'cost beside Colyseus': () => tableOf(machineBills(newest('colyseus'))),
  'capacity of Redis': () => redisText(measuredRedisOf(newest('shared-journal')), redisPlayers),
};

/**
 * `<!-- generated: NAME -->` to `<!-- end -->`. `bench …` is written by a benchmark, `output of …` by
 * `executed.test.ts`.
 */
const block = /(<!-- generated: (.+?) -->\n)([\s\S]*?)(?=<!-- end -->)/g;
const pages = ['README.md', 'ARCHITECTURE.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
);

describe('generated blocks show what the declarations say', () => {
  const found = pages.flatMap((path) =>
    Array.from(textOf(path).matchAll(block), ([, , name]) => ({ path, name: name! })),
  );

  test('each block is in one page', () => {
    const names = found.map(({ name }) => name).filter((name) => !/^(?:bench|output of) /.test(name));
    expect(names.toSorted()).toEqual(Object.keys(blocks).toSorted());
  });

  test.each([...new Set(found.map(({ path }) => path))])('%s', async (path) => {
    const texts = new Map<string, string>();
    for (const [name, make] of Object.entries(blocks)) texts.set(name, `\n${await make()}\n`);
    expectDerived(
      path,
      textOf(path).replace(block, (_, head: string, name: string, shown: string) => head + (texts.get(name) ?? shown)),
    );
  });
});
