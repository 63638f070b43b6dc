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
      round: { dataType: 'number', default: 0 },
      base: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
    },
    unitTypes: {
      walker: unitType({
        name: 'Walker',
        attributes: { health: attribute(10) },
        controls: {
          movementControlScheme: 'wasd',
          abilities: {
            e: { keyDown: { scriptName: 'wave', cost: {} } },
            button1: { keyDown: { scriptName: 'hit', cost: {} }, keyUp: { scriptName: 'own', cost: {} } },
            movementWheel: {},
          },
        },
        scripts: { own: { ...script('unitTouchesUnit', [{ type: 'return' }]), name: 'let go' } },
      }),
      tree: unitType({ name: 'Tree' }),
    },
    itemTypes: {
      sword: { name: 'Sword', states: { dropped: { name: 'dropped', body: 'dropped' } }, bodies: { dropped: body() } },
    },
    shops: { store: { name: 'Store', itemTypes: { sword: {} } } },
    dialogues: { hello: { name: 'Hello', options: {} } },
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
      engineVersion: '2.0.0',
      physicsEngine: null,
      maxPlayers: 12,
      dialect: 'standard',
      rates: { frameRate: 30, engineTickRate: null, ticksPerSecond: 30, scriptsPerSecond: 30, physicsPerSecond: 30 },
      map: {
        width: 20,
        height: 20,
        cellWidth: 64,
        cellHeight: 64,
        layers: [
          { name: 'floor', type: 'tilelayer', count: 400 },
          { name: 'walls', type: 'tilelayer', count: 20 },
          { name: 'debris', type: 'objectgroup', count: 1 },
        ],
        wallCells: 20,
      },
      types: {
        units: [
          { key: 'walker', name: 'Walker', attributes: 1, variables: 0, states: 1, scripts: 1 },
          { key: 'tree', name: 'Tree', attributes: 2, variables: 0, states: 1, scripts: 0 },
        ],
        items: [{ key: 'sword', name: 'Sword', attributes: 0, variables: 0, states: 1, scripts: 0 }],
        projectiles: [],
        players: [{ key: 'human', name: 'human', attributes: 0, variables: 0, states: 0, scripts: 0 }],
      },
      scripts: {
        global: 2,
        entity: 1,
        actions: 4,
        withoutTrigger: 1,
        byTrigger: { gameStart: 1, secondTick: 1, unitTouchesUnit: 1 },
      },
      bindings: { e: { wave: 1 }, button1: { hit: 1, 'let go': 1 }, movementWheel: {} },
      states: { default: 2, dropped: 1 },
      variables: { total: 3, byType: { number: 2, region: 1 } },
      shops: [{ key: 'store', name: 'Store', items: 1, units: 0 }],
      dialogues: [{ key: 'hello', name: 'Hello', options: 0 }],
      regions: [{ name: 'base', x: 10, y: 20, width: 30, height: 40 }],
      operations: {
        actions: { return: 1, sendChatMessage: 1 },
        functions: {},
        outputs: { chat: 1 },
        inert: {},
        unknown: { sing: 2 },
      },
    });
  });

  test('the dialect decides the rates', async () => {
    const { stdout } = await reenact(['inspect', game, '--json', '--dialect', 'moddio']);
    expect(JSON.parse(stdout)).toMatchObject({
      dialect: 'moddio',
      rates: { ticksPerSecond: 60, scriptsPerSecond: 20, physicsPerSecond: 30 },
    });
  });
});

describe('as text', () => {
  test('one line for each part', async () => {
    const { stdout } = await reenact(['inspect', game]);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Counting');
    for (const line of [
      /^engine +version 2\.0\.0, frame rate 30, 30 ticks per second in dialect standard,$/,
      /^map +20 x 20 cells of 64 x 64 px, 20 wall cells, layers floor 400, walls 20, debris 1$/,
      /^units +2 with 3 attributes and 1 script: Walker, Tree$/,
      /^triggers +gameStart 1, secondTick 1, unitTouchesUnit 1$/,
      /^bindings +button1: hit \/ let go, e: wave$/,
      /^variables +3: number 2, region 1$/,
      /^regions +base \(10 20 30 40\)$/,
      /^outputs +chat 1$/,
      /^unknown +sing 2$/,
    ]) {
      expect(lines).toContainEqual(expect.stringMatching(line));
    }
  });

  test('empty parts show no content', async () => {
    const { code, stdout } = await reenact(['inspect', '-'], { stdin: '{"data": {"variables": {}}}' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^A game without a title$/m);
    expect(stdout).toMatch(/^map +none$/m);
    expect(stdout).toMatch(/^variables +0$/m);
  });
});

describe.skipIf(realGames.length === 0)('real games (skipped if the folder is absent)', () => {
  test.each(realGames)('%s fits on a screen', async (name) => {
    const { code, stdout } = await reenact(['inspect', realGamePath(name)]);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(60);
  });
});
