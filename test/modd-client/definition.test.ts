import { describe, expect, test } from 'vitest';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { document, itemType, script, unitType } from '../support/play.ts';

type Json = { [name: string]: unknown };

/** The data object that clients load. */
function shown(data: Json): { [section: string]: { [key: string]: { [member: string]: unknown } } } & Json {
  const served = ServedDefinition.of(JSON.stringify(document(data)), 'game');
  if (served === undefined) throw new Error('It is no definition.');
  const { status, data: made } = JSON.parse(served.forModdio('moddio').json) as { status: string; data: Json };
  expect(status).toBe('success');
  return made as ReturnType<typeof shown>;
}

const body = { type: 'dynamic', width: 40, height: 40, fixtures: [{ shape: { type: 'rectangle' } }] };

describe('types', () => {
  test('a single body of the older form becomes the body of every state', () => {
    const { bodies: _, ...older } = unitType() as Json;
    const states = { default: { body: 'default' }, dead: { body: 'lying' }, gone: { body: 'none' } };
    const { unitTypes } = shown({ unitTypes: { walker: { ...older, body, states } } });
    expect(Object.keys(unitTypes!['walker']!['bodies'] as object)).toEqual(['default', 'lying']);
    expect(unitTypes!['walker']!['states']).toMatchObject({ gone: { body: 'none' }, dead: { body: 'lying' } });
  });

  test('a state whose body does not exist has none', () => {
    const { unitTypes } = shown({
      unitTypes: { walker: { ...unitType(), bodies: { default: body }, states: { default: { body: 'other' } } } },
    });
    expect(unitTypes!['walker']!['states']).toMatchObject({ default: { body: 'none' } });
  });

  test('what a client needs for drawing is there, and numbers of attributes are numbers', () => {
    const { cellSheet: _, animations: _animations, states: _states, ...bare } = unitType() as Json;
    const attributes = { health: { name: 'Health', value: '5', min: '0', max: '10' } };
    const { unitTypes } = shown({ unitTypes: { walker: { ...bare, attributes } } });
    expect(unitTypes!['walker']).toMatchObject({
      cellSheet: { url: '', rowCount: 1, columnCount: 1 },
      animations: { default: {} },
      states: { default: { body: 'default' } },
      attributes: { health: { value: 5, min: 0, max: 10 } },
    });
  });
});

test('an effect refers to no script that clients lack, because they would fail', () => {
  const own = script([], [{ type: 'setVariable', variableName: 'a', value: 1, runMode: 1 }]);
  const effect = (runScript: string) => ({ runScript, animation: 'a', projectileType: '', sound: {} });
  const { unitTypes } = shown({
    unitTypes: {
      walker: {
        ...unitType(),
        scripts: { own, theirs: script([], [{ type: 'sendChatMessage', message: 'a' }]) },
        effects: { create: effect('theirs'), attacked: effect('own') },
      },
    },
  });
  expect(unitTypes!['walker']!['effects']).toEqual({
    create: { animation: 'a', projectileType: '', sound: {} },
    attacked: effect('own'),
  });
});

test("clients receive the life span of an effect's projectiles, which they create and remove by themselves", () => {
  const { projectileTypes } = shown({ projectileTypes: { blood: { name: 'blood', lifeSpan: 900, bodies: {} } } });
  expect(projectileTypes!['blood']).toMatchObject({ name: 'blood', lifeSpan: 900 });
});

test('items have the values from which clients start: texts, quantity and rate of fire', () => {
  const { itemTypes } = shown({ itemTypes: { apple: { ...itemType(), quantity: '5', fireRate: '200' } } });
  expect(itemTypes!['apple']).toMatchObject({ description: '', quantity: 5, fireRate: 200 });
});

describe('scripts', () => {
  const say = (runs: Json) => ({ type: 'sendChatMessage', message: 'a', ...runs });
  const count = (runs: Json) => ({ type: 'setVariable', variableName: 'score', value: 1, ...runs });

  test.each<[string, Json, number]>([
    ['of the server alone', count({}), 0],
    ['marked as the server’s', count({ runMode: 0, runOnClient: true }), 0],
    ['of clients alone', count({ runMode: 1 }), 1],
    ['by the older mark, whose effect is each side’s own', count({ runOnClient: true }), 1],
    ['by the older mark, which the server does and tells of', say({ runOnClient: true }), 0],
    ['that clients alone say', say({ runMode: 1 }), 1],
    ['that is disabled', count({ runMode: 1, disabled: true }), 0],
  ])('an action %s', (_, action, left) => {
    const { scripts } = shown({ scripts: { a: script('gameStart', [action]) } });
    expect(Object.keys(scripts!)).toHaveLength(left);
  });

  test('of a branch, clients receive only the actions that they run', () => {
    const branch = {
      type: 'condition',
      runMode: 1,
      conditions: [true],
      then: [count({}), count({ runMode: 1 })],
      else: [],
    };
    const { scripts } = shown({ scripts: { a: script('gameStart', [branch]) } });
    expect((scripts!['a']!['actions'] as Json[])[0]!['then']).toHaveLength(1);
  });

  test('clients receive regions and the variables that their scripts use, and no others', () => {
    const { variables } = shown({
      variables: {
        home: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
        score: { dataType: 'number', default: 0 },
        other: { dataType: 'number', default: 0 },
      },
      scripts: { a: script('gameStart', [count({ runMode: 1 })]) },
    });
    expect(Object.keys(variables!).sort()).toEqual(['home', 'score']);
  });
});

test('what is not for clients is left out, and HTML is sanitized', () => {
  const made = shown({
    defaultData: { frameRate: 20, clientPhysicsEngine: 'PLANCK', banIps: ['1.2.3.4'], apiKey: 'x' },
    dialogues: { d: { name: 'd', message: 'hello <img src=x onerror=y>', options: {} } },
    ui: { view: { name: 'view', htmlData: '<b onclick="x()">a</b><script>y()</script>', jsData: 'z()' } },
  });
  const text = JSON.stringify(made);
  expect(text).not.toMatch(/1\.2\.3\.4|apiKey|onerror|onclick|z\(\)|y\(\)/);
  expect(made).toMatchObject({ defaultData: { clientPhysicsEngine: '' } });
});

describe('prediction of the own unit', () => {
  const walking = (cspMode: number) => ({
    ...unitType(),
    controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', cspMode },
  });
  const game = (clientPhysicsEngine: string) => ({
    defaultData: { clientPhysicsEngine },
    unitTypes: { still: walking(0), corrected: walking(1), deciding: walking(2) },
    itemTypes: { gun: { ...itemType(), projectileStreamMode: 0 } },
  });

  test('a client that the definition lets decide where its unit is gets one that the server corrects', () => {
    const { defaultData, unitTypes, itemTypes } = shown(game('box2dwasm'));
    expect(defaultData).toMatchObject({ clientPhysicsEngine: 'PLANCK' });
    expect(Object.values(unitTypes!).map(({ controls }) => (controls as Json)['cspMode'])).toEqual([0, 1, 1]);
    // It simulates nothing else.
    expect(Object.values(unitTypes!).map((type) => type['streamMode'])).toEqual([1, 1, 1]);
    expect(itemTypes!['gun']).toMatchObject({ projectileStreamMode: 1 });
  });

  test.each<[string, Json]>([
    ['the game has no physics for clients', game('')],
    ['no unit type says so', { ...game('planck'), unitTypes: { still: walking(0) } }],
  ])('there is none if %s', (_why, data) => {
    expect(shown(data)['defaultData']).toMatchObject({ clientPhysicsEngine: '' });
  });
});
