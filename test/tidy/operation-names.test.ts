import { expect, test } from 'vitest';
import { vocabulary } from '../../engine/tools.ts';
import { readSources } from './source.ts';

/**
 * What an operation does is declared on its row (`engine/rules/effects.ts`). Code that knows operations by name instead
 * goes wrong when one is added, so outside the tables each name needs a reason.
 */
const exceptions: Readonly<Record<string, string>> = {
  'src/why/slips.ts': 'a call that tries the owner of an entity instead of the entity',
  'engine/rules/client/ui.ts': 'the name of a kind of output text',
  'engine/rules/control/cast-queue.ts': 'built-in abilities have the names of the actions that they are like',
  'engine/rules/world/server-life.ts': 'the reason for an end that clients are told',
  'engine/script/compiling/compiler.ts':
    'in the reference, these actions leave helper variables behind (control-flow#action-lists)',
  'engine/definition/dialect.ts': 'a difference between the dialects has this name, too',
  'engine/rules/effects.ts': 'an aspect has this name, too',
  'engine/script/params.ts': 'forms of operands: descriptors, and the fast path of the selected unit',
  'src/bots/phrases.ts':
    'plain bots leave one search for a text out: with it, all recorded plays of games that use it would become others',
  'src/run/script-text.ts':
    'the notation of scripts, in which some operations have a form of their own: a form that several share could not be read again',
  'src/check/play.ts': 'an aspect has this name, too',
  'src/check/rules/no-emitted-trigger.ts': 'a trigger has this name, too',
  'src/explore/finding/exploits.ts': 'a trigger has this name, too',
  'src/language/example.ts': 'examples of operands',
  'src/modd-client/commands.ts': 'the protocol of existing clients has these names',
  'src/modd-client/members.ts': 'the protocol of existing clients has these names',
  'engine/sim/editor.ts': 'methods of the editor have these names, and journals record them',
  'src/modd-client/outputs.ts': 'the protocol of existing clients has these names',
  'src/modd-client/stream.ts': 'the protocol of existing clients has these names',
};

const tables = /^engine\/script\/(?:actions|values)\//;
const names = new Set([...vocabulary.actions.keys(), ...vocabulary.values.keys()]);
/** Names that are also common words, or names of members of our own. */
const words = /^[a-z]+\d*$/;

/** The examples of a code are games. */
const examples = /^ {2,4}(?:wrong|right): `[^`]*`/gm;

/** The names of operations that stand as texts in a source, with their lines. */
function namesIn(text: string): string[] {
  const found: string[] = [];
  text
    .replaceAll(examples, (example) => example.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .forEach((line, i) => {
      if (/^\s*(?:\*|\/\/|\/\*)/.test(line)) return;
      for (const [, name] of line.matchAll(/(?<!\w)['"]([A-Za-z]\w*)['"]/g))
        if (names.has(name!) && !words.test(name!)) found.push(`${i + 1}: ${name}`);
      // A regular expression for names.
      if (/\.test\(\w*\.?operation\)|operation\.(?:startsWith|endsWith|includes|match)\(/.test(line))
        found.push(`${i + 1}: a pattern of names`);
    });
  return found;
}

test('operations are known by name in their tables only', () => {
  const sources = readSources(['engine', 'src'], (path) => path.endsWith('.ts') && !tables.test(path));
  const found = [...sources].flatMap(([path, text]) => {
    const all = path in exceptions ? [] : namesIn(text);
    return all.length > 0 ? [[path, ...all].join(' ')] : [];
  });
  expect(found, 'Read the effects or reads of the row instead, or give a reason in `exceptions`.').toEqual([]);
});

test('exceptions are needed', () => {
  const sources = readSources(['engine', 'src'], (path) => path.endsWith('.ts'));
  const needless = Object.keys(exceptions).filter((path) => namesIn(sources.get(path) ?? '').length === 0);
  expect(needless).toEqual([]);
});

test.each([
  [`if (node.operation === 'createUnitAtPosition') return;`, ['1: createUnitAtPosition']],
  [`const writes = /^set/.test(node.operation);`, ['1: a pattern of names']],
  [`const writes = operation.startsWith('set');`, ['1: a pattern of names']],
  [`/** Like \`createUnitAtPosition\`. */`, []],
  [`const kind = 'condition';`, []],
])('%s', (text, expected) => {
  expect(namesIn(text)).toEqual(expected);
});
