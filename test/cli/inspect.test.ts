import { describe, expect, test } from 'vitest';
import { attribute, body, script, unitType } from '../support/play.ts';
import { realGamePath, realGames } from '../support/real-games.ts';
import { countingGame, file, reenact } from './support.ts';

const walls = Array.from({ length: 400 }, (_, i) => (i < 20 ? 1 : 0));
const game = file(
  'game.json',
  countingGame({
    defaultData: { frameRate: 30, engineVersion: '2.0.0', defaultMaxPlayers: 12 },
    map: {
      width: 20,
      height: 20,
      tilewidth: 16,
      tileheight: 16,
      layers: [
        { name: 'floor', type: 'tilelayer', width: 20, height: 20, data: new Array(400).fill(2) },
        { name: 'walls', type: 'tilelayer', width: 20, height: 20, data: walls },
        { name: 'debris', type: 'objectgroup', objects: [{ id: 1, x: 0, y: 0 }] },
      ],
      tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
    },
    variables: {
      seconds: { dataType: 'number', default: 0 },
      base: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
      target: { dataType: 'unit' },
    },
    entityTypeVariables: { owner: { dataType: 'player' } },
    playerTypeVariables: { team: { dataType: 'string', default: 'red' } },
    attributeTypes: { health: { ...attribute(10), name: 'Health' } },
    abilities: { shout: { name: 'Shout', scriptName: 'wave' } },
    unitTypes: {
      walker: unitType({
        name: 'Walker',
        attributes: { health: attribute(10) },
        controls: {
          movementControlScheme: 'wasd',
          unitAbilities: { dash: { name: 'Dash' } },
          abilities: {
            e: { keyDown: { scriptName: 'wave', cost: {} } },
            button1: { keyDown: { scriptName: 'hit', cost: {} }, keyUp: { scriptName: 'own', cost: {} } },
            movementWheel: {},
          },
        },
        scripts: { own: { ...script(['entityTouchesUnit', 'unitTouchesUnit'], [{ type: 'return' }]), name: 'let go' } },
      }),
      tree: unitType({ name: 'Tree' }),
    },
    itemTypes: {
      sword: { name: 'Sword', states: { dropped: { name: 'dropped', body: 'dropped' } }, bodies: { dropped: body() } },
    },
    shops: { store: { name: 'Store', itemTypes: { sword: {} }, unitTypes: { nobody: {} } } },
    dialogues: { hello: { name: 'Hello', options: [{ name: 'Yes' }] } },
    scripts: {
      wave: { ...script([], [{ type: 'sendChatMessage', message: 'hi' }]), name: 'wave' },
      hit: { ...script(['secondTick', 'gameStart'], [{ type: 'sing' }, { type: 'sing' }]), name: 'hit' },
    },
  }),
);

describe('--json', () => {
  test('lists the contents of the game', async () => {
    const { code, stdout, stderr } = await reenact(['inspect', game, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      title: 'Counting',
      engine: {
        version: '2.0.0',
        dialect: 'standard',
        maxPlayers: 12,
        frameRate: 30,
        ticksPerSecond: 30,
        scriptsPerSecond: 30,
        physicsPerSecond: 30,
      },
      map: { width: 20, height: 20, cellWidth: 64, cellHeight: 64, layers: ['floor', 'walls', 'debris'] },
      units: [
        { key: 'walker', name: 'Walker', attributes: ['health'], abilities: ['Dash'], keys: ['e', 'button1'] },
        { key: 'tree', name: 'Tree', attributes: ['health', 'speed'], abilities: [], keys: [] },
      ],
      items: [{ key: 'sword', name: 'Sword', attributes: [] }],
      projectiles: [],
      players: [{ key: 'human', name: 'human', attributes: [] }],
      attributes: [{ key: 'health', name: 'Health' }],
      abilities: [{ key: 'shout', name: 'Shout' }],
      scripts: [
        { key: 'scripts/wave', name: 'wave', starts: ['key e', 'ability shout'] },
        { key: 'scripts/hit', name: 'hit', starts: ['secondTick', 'gameStart', 'key button1'] },
        // `unitTouchesUnit` never fires for scripts of types.
        { key: 'unitTypes/walker/scripts/own', name: 'let go', starts: ['entityTouchesUnit', 'key button1'] },
      ],
      variables: [
        { key: 'seconds', type: 'number', default: 0 },
        { key: 'base', type: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
        { key: 'target', type: 'unit' },
        { key: 'owner', of: 'entities', type: 'player' },
        { key: 'team', of: 'players', type: 'string', default: 'red' },
      ],
      shops: [{ key: 'store', name: 'Store', items: ['Sword'], units: ['nobody'] }],
      dialogues: [{ key: 'hello', name: 'Hello', options: ['Yes'] }],
    });
  });

  test('the dialect decides the rates', async () => {
    const { stdout } = await reenact(['inspect', game, '--json', '--dialect', 'moddio']);
    expect(JSON.parse(stdout)).toMatchObject({
      engine: { dialect: 'moddio', ticksPerSecond: 60, scriptsPerSecond: 20, physicsPerSecond: 30 },
    });
  });
});

describe('as text', () => {
  test('lists the things of each section with their keys and details', async () => {
    const { stdout } = await reenact(['inspect', game]);
    const text = stdout.replaceAll(/\n +/g, ' ');
    expect(text.split('\n')[0]).toBe('Counting');
    for (const line of [
      /^engine +version 2\.0\.0, dialect standard, maxPlayers 12, frameRate 30, ticksPerSecond 30,/m,
      /^map +width 20, height 20, cellWidth 64, cellHeight 64, layers floor \/ walls \/ debris$/m,
      /^units +Walker \(walker, attributes health, abilities Dash, keys e \/ button1\), Tree \(tree, /m,
      /^scripts +wave \(scripts\/wave, starts key e \/ ability shout\), hit \(scripts\/hit, starts secondTick \/ /m,
      /^variables +seconds \(type number, default 0\), base \(type region, default 10 \/ 20 \/ 30 \/ … 1 more\), /m,
      /^shops +Store \(store, items Sword, units nobody\)$/m,
      /^projectiles +none$/m,
    ]) {
      expect(text).toMatch(line);
    }
  });

  test('shows the first things of a long section and how many more there are', async () => {
    const variables = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`v${i}`, { dataType: 'unit' }]));
    const { stdout } = await reenact(['inspect', '-'], { stdin: JSON.stringify({ data: { variables } }) });
    expect(stdout).toMatch(/ v9 \(type unit\),\s+… 15 more$/m);
  });

  test('empty parts show no content', async () => {
    const { code, stdout } = await reenact(['inspect', '-'], { stdin: '{"data": {"variables": {}}}' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^A game without a title$/m);
    expect(stdout).toMatch(/^map +none$/m);
    expect(stdout).toMatch(/^variables +none$/m);
  });
});

describe.skipIf(realGames.length === 0)('real games (skipped if the folder is absent)', () => {
  test.each(realGames)('%s fits on a screen', async (name) => {
    const { code, stdout } = await reenact(['inspect', realGamePath(name)]);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(60);
  });
});
