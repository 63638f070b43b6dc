import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { definitionHash, loadDefinition, Simulation } from '../../engine/index.ts';
import { valueGameData } from '../script/values/value-game.ts';
import { attribute, document, joinAs, script, unitType } from '../support/play.ts';
import { sampleDocument, samplesFolder } from '../support/samples.ts';

type Json = Record<string, unknown>;

const shared = attribute(7, { max: 9 });
/** A definition with examples of everything that can be written in two ways. */
function data(): Json {
  return {
    ...valueGameData,
    unitTypes: { ...valueGameData.unitTypes, guard: unitType({ attributes: { health: shared, armour: shared } }) },
    variables: {
      ...valueGameData.variables,
      tree: { dataType: 'object', default: { type: 'oak', age: 3, rings: [1, { width: 2 }] } },
      absent: { dataType: 'object', default: undefined },
    },
    scripts: {
      join: joinAs('guard'),
      lights: script(
        'secondTick',
        [
          { type: 'setVariable', variableName: 'tree', value: { x: 1, y: { z: 2 } } },
          { type: 'setVariable', variableName: 'tree', value: { type: 'elm', age: 4 } },
          {
            type: 'comment',
            comment: 'A remark that is longer than sixty-four letters, so that it is hashed by itself.',
          },
        ],
        { conditions: [{ operandType: 'number', operator: '>' }, 3, 2] },
      ),
    },
  };
}

function hashOf(given: unknown): string {
  const { game } = loadDefinition(given);
  if (game === undefined) throw new Error('The definition of this test does not load.');
  return definitionHash(game.definition);
}

function copyOf(given: unknown): Json {
  return JSON.parse(JSON.stringify(given));
}

function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** The same object with its members in reverse order. */
function turned(object: unknown): Json {
  return Object.fromEntries(Object.entries(object as Json).reverse());
}

/** The document with the value at a path replaced by the result of `change`. */
function changed(path: readonly (string | number)[], change: (value: unknown) => unknown): Json {
  const whole = copyOf(document(data()));
  let owner = whole['data'] as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) owner = owner[key] as typeof owner;
  const last = path.at(-1)!;
  expect(owner, String(last)).toHaveProperty([last]);
  owner[last] = change(owner[last]);
  return whole;
}

describe('a definition is the same', () => {
  const original = hashOf(document(data()));

  const rows: [string, () => unknown][] = [
    ['read from its text', () => copyOf(document(data()))],
    ['in an envelope', () => ({ gameJson: { status: 'success', data: document(data())['data'] } })],
    ['bare', () => document(data())['data']],
    ['when the document is frozen', () => frozen(copyOf(document(data())))],
    ['when a type has its members in another order', () => changed(['unitTypes', 'guard'], turned)],
    ['when an attribute has', () => changed(['unitTypes', 'guard', 'attributes', 'health'], turned)],
    ['when an action has', () => changed(['scripts', 'lights', 'actions', 0], turned)],
    ['when a function has', () => changed(['scripts', 'join', 'actions', 0], (action) => turned(action))],
    ['when a script has', () => changed(['scripts', 'lights'], turned)],
  ];
  test.each(rows)('%s', (_name, given) => {
    expect(hashOf(given())).toBe(original);
  });

  const samples = readdirSync(samplesFolder).filter((file) => file.endsWith('.json'));
  test.each(samples)('before and after it was compiled and played: %s', (file) => {
    const { game } = loadDefinition(sampleDocument(file));
    const again = loadDefinition(sampleDocument(file)).game!;
    for (const dialect of ['standard', 'moddio'] as const) {
      const sim = new Simulation(again, { dialect });
      sim.join({});
      sim.run({ seconds: 5 });
    }
    expect(definitionHash(again.definition)).toBe(definitionHash(game!.definition));
  });
});

describe('a definition is another', () => {
  const original = hashOf(document(data()));

  const rows: [string, () => unknown][] = [
    ['with another number', () => changed(['unitTypes', 'guard', 'attributes', 'health', 'value'], () => 8)],
    ['with another word', () => changed(['unitTypes', 'guard', 'name'], () => 'guardian')],
    ['with another long text', () => changed(['scripts', 'lights', 'actions', 2, 'comment'], (text) => `${text}!`)],
    ['with variables in another order', () => changed(['variables'], turned)],
    [
      'with a value whose members scripts walk in another order',
      () => changed(['variables', 'tree', 'default'], turned),
    ],
    ['with such a value in a script', () => changed(['scripts', 'lights', 'actions', 0, 'value'], turned)],
    ['also one that says a type', () => changed(['scripts', 'lights', 'actions', 1, 'value'], turned)],
    ['with one more action', () => changed(['scripts', 'lights', 'actions'], (list) => [...(list as unknown[]), null])],
    ['with a condition that is no list', () => changed(['scripts', 'lights', 'conditions'], () => ({ 0: 1 }))],
    ['with one tile more', () => changed(['map', 'layers', 0, 'data', 5], () => 1)],
  ];
  test.each(rows)('%s', (_name, given) => {
    expect(hashOf(given())).not.toBe(original);
  });
});

test('deeply nested scripts and cyclic objects can be hashed', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const ring: Json = { type: 'comment' };
  ring['self'] = ring;
  const hashes = [deep, [ring], [{ ...ring, self: undefined }]].map((actions) =>
    hashOf(document({ scripts: { odd: script([], [], { actions }) } })),
  );
  expect(new Set(hashes).size).toBe(3);
});
