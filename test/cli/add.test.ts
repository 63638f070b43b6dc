import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recipeNames } from '../../src/cli/add/recipe.ts';
import { playCase } from '../../src/scenario/playing/play-case.ts';
import { casesOf } from '../../src/scenario/reading/cases.ts';
import { Games } from '../../src/scenario/reading/games.ts';
import { readScenarioText } from '../../src/scenario/reading/scenario-reader.ts';
import { issuesOf } from '../readme/pieces.ts';
import { inBothDialects } from '../support/both-dialects.ts';
import { readRealGame, realGamePath, realGames } from '../support/real-games.ts';
import { reenact } from './support.ts';

const blank = readFileSync(fileURLToPath(new URL('../../templates/blank/game.json', import.meta.url)), 'utf8');
const dialects = ['standard', 'moddio'] as const;
const all = recipeNames();

let folder: string;
let game: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-add-'));
  game = join(folder, 'game.json');
  writeFileSync(game, blank);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function add(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await reenact(['add', ...args, '--game', game]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const document = (): never => JSON.parse(readFileSync(game, 'utf8')) as never;

/** Plays all scenario files of the folder in both dialects; what failed. */
function failures(): unknown[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.scenario.yaml'));
  return files.flatMap((name) =>
    casesOf(readScenarioText(join(folder, name), readFileSync(join(folder, name), 'utf8')))
      .flatMap(inBothDialects)
      .map((each) => playCase(each, new Games(), {}))
      .flatMap(({ case: { title, dialect }, failure }) =>
        failure === undefined ? [] : [[name, title, dialect, failure.expected, ...failure.found]],
      ),
  );
}

function expectSound(): void {
  for (const dialect of dialects) expect(issuesOf(document(), dialect), dialect).toEqual([]);
  expect(failures()).toEqual([]);
}

const shipped = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

test('a unit that is destroyed as it touches two coins leaves one to others', () => {
  writeFileSync(game, shipped('templates/coins/game.json'));
  const scenarios = `
game: game.json
scenarios:
  - name: doomed
    definition:
      unitTypes: { collector: { scripts: { end: {
        triggers: [{ type: entityTouchesItem }],
        actions: [{ type: destroyEntity, entity: { function: thisEntity } }] } } } }
    given: { players: [ann] }
    steps:
      - { spawn: { item: coin, at: [300, 300], count: 2 } }
      - { move: ann, to: [300, 300] }
      - { wait: 1 s }
      - { expect: units == 0 and ann.coins == 1 }
`;
  writeFileSync(join(folder, 'doomed.scenario.yaml'), scenarios);
  expect(failures()).toEqual([]);
});

test('a unit whose only body is declared as in old games keeps it', async () => {
  writeFileSync(game, shipped('scenarios/games/team-elimination.json'));
  await add('medkit');
  const { data } = (document() as { gameJson: { data: { unitTypes: Record<string, object> } } }).gameJson;
  expect(data.unitTypes['mine']).not.toHaveProperty('bodies');
  expect(issuesOf(document(), 'standard')).toEqual([]);
});

describe('a recipe alone', () => {
  test.each(all)('%s has no issue, passes its scenarios, and is taken back byte for byte', async (name) => {
    const printed = await add(name);
    expect(printed).toContain(`reenact add --undo ${name}`);
    expect(printed).not.toContain('kept the value');
    expectSound();
    writeFileSync(game, blank);
    expect(failures().length).toBeGreaterThanOrEqual(2);
    rmSync(join(folder, 'game.recipes.json'));
    rmSync(join(folder, `game.${name}.scenario.yaml`));
    await add(name);
    await add('--undo', name);
    expect(readFileSync(game, 'utf8')).toBe(blank);
    expect(readdirSync(folder)).toEqual(['game.json']);
  });
});

describe('recipes together', () => {
  test.each([
    ['respawn', 'teams'],
    ['teams', 'respawn'],
    ['gun', 'shop'],
    ['gun', 'teams'],
    ['teams', 'wolves'],
    ['wolves', 'teams'],
    ['saving', 'teams'],
    ['shop', 'saving'],
    ['rounds', 'respawn'],
    ['leaderboard', 'king-of-the-hill'],
    ['medkit', 'wolves'],
    ['timer', 'rounds'],
  ])('%s and %s', async (...names) => {
    await add(...names);
    expectSound();
  });

  test.each([
    ['in the order of their names', all],
    ['in the opposite order', all.toReversed()],
  ])('all %s; each is taken back, and the others remain', async (_, names) => {
    await add(...names);
    expectSound();
    const whole = readFileSync(game, 'utf8');
    const files = join(folder, '..', `${folder.split('/').at(-1)}-all`);
    cpSync(folder, files, { recursive: true });
    for (const name of ['teams', 'gun', 'respawn']) {
      await add('--undo', name);
      expectSound();
      for (const each of readdirSync(folder)) rmSync(join(folder, each));
      cpSync(files, folder, { recursive: true });
    }
    rmSync(files, { recursive: true });
    expect(readFileSync(game, 'utf8')).toBe(whole);
    for (const dialect of dialects) {
      const { stdout } = await reenact([
        'run',
        game,
        '--bots',
        '4',
        '--seconds',
        '150',
        '--dialect',
        dialect,
        '--json',
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ faults: [] });
    }
    await add('--undo', ...names);
    expect(readFileSync(game, 'utf8')).toBe(blank);
  });

  test('teams and wolves see each other as enemies, whichever comes first', async () => {
    const relations = (): unknown => {
      const { playerTypes } = (document() as { data: { playerTypes: Record<string, { relationships: object }> } }).data;
      return ['monsters', 'red', 'blue'].map((key) => Object.entries(playerTypes[key]!.relationships).sort());
    };
    await add('wolves');
    await add('teams');
    const first = relations();
    writeFileSync(game, blank);
    for (const each of readdirSync(folder)) if (each !== 'game.json') rmSync(join(folder, each));
    await add('teams', 'wolves');
    expect(relations()).toEqual(first);
    expect(JSON.stringify(first)).toContain('["red","hostile"]');
  });
});

describe('other games', () => {
  test('all recipes and the sample game of reenact init do what their scenarios say', async () => {
    const coins = fileURLToPath(new URL('../../templates/coins/', import.meta.url));
    cpSync(coins, folder, { recursive: true });
    await add(...all);
    expectSound();
  });

  test('a game of one line stays one', async () => {
    const line = JSON.stringify(JSON.parse(blank));
    writeFileSync(game, line);
    await add('teams', 'gun', 'shop', 'rounds', 'respawn');
    expect(readFileSync(game, 'utf8')).not.toContain('\n');
    expectSound();
    await add('--undo', 'gun', 'teams', 'respawn', 'rounds', 'shop');
    expect(readFileSync(game, 'utf8')).toBe(line);
  });

  test('keys that the game uses are not taken', async () => {
    const taken = blank.replace(
      '"scripts": {',
      '"scripts": { "respawn": { "name": "mine", "triggers": [], "actions": [] },',
    );
    writeFileSync(game, taken);
    await add('respawn');
    const { scripts } = (document() as { data: { scripts: Record<string, { name: string }> } }).data;
    expect([scripts['respawn']?.name, scripts['respawn2']?.name]).toEqual(['mine', 'the fallen return']);
    expect(failures()).toEqual([]);
  });

  test('values that the game has stay, and are named', async () => {
    writeFileSync(
      game,
      blank.replace(
        '"attributes": {}',
        '"attributes": { "coins": { "name": "Gold", "min": 0, "max": 5, "value": 1 } }',
      ),
    );
    expect(await add('shop')).toContain(
      'kept the value that the game already had: /data/playerTypes/players/attributes/coins/name\n',
    );
    expect(readFileSync(game, 'utf8')).toContain('"name": "Gold", "min": 0, "max": 5, "value": 1 }');
  });

  test('a game with keys, attributes and types of its own', async () => {
    const own = JSON.parse(blank);
    const { data } = own;
    const [players, hero] = [data.playerTypes.players, data.unitTypes.hero];
    Object.assign(data.defaultData, { isGuestPlayerAllowed: false });
    players.relationships = { gone: 'hostile' };
    hero.attributes.health = { name: 'Life', min: 0, max: 500, value: 500, regenerateSpeed: 3 };
    hero.controls.abilities = { e: { keyDown: { scriptName: 'dance', isEntityScript: true, cost: {} } } };
    hero.scripts = { dance: { name: 'dance', triggers: [], actions: [{ type: 'sendChatMessage', message: 'la la' }] } };
    data.unitTypes['2nd'] = { ...structuredClone(hero), name: 'Second' };
    data.unitTypes.ghost = { ...structuredClone(hero), name: 'Ghost', controls: undefined };
    const create = data.scripts.join.actions[1];
    data.scripts.more = {
      name: 'more units',
      triggers: [{ type: 'playerSendsChatMessage' }],
      actions: ['ghost', '2nd'].map((unitType) => ({ ...create, unitType })),
    };
    writeFileSync(game, JSON.stringify(own));
    const before = issuesOf(own);
    expect(before).not.toEqual([]);
    await add(...all);
    expect(issuesOf(document()).filter((issue) => !before.includes(issue))).toEqual([]);
    expect(failures()).toEqual([]);
    const { playerTypes, unitTypes, itemTypes } = (document() as never as { data: typeof data }).data;
    expect(playerTypes.red.relationships).not.toHaveProperty('gone');
    for (const type of ['hero', '2nd'])
      expect(Object.keys(unitTypes[type].controls.abilities), type).toEqual(['e', 'button1', 'f']);
    expect(unitTypes.ghost.scripts).not.toHaveProperty('shoot');
    expect(itemTypes.bandage.carriedBy).toEqual(['hero', '2nd']);
    await add('--undo', ...all);
    expect(readFileSync(game, 'utf8')).toBe(JSON.stringify(own));
  });

  const shared = ['default-game-2023.json', 'taro-town-2020.json', 'for-all-units-of-unittype-2024.json'];
  test.skipIf(realGames.length === 0).each(shared)('each recipe works in %s and adds no issue', async (name) => {
    writeFileSync(game, readFileSync(realGamePath(name), 'utf8'));
    const placeOf = (issue: string): string => issue.split(' ', 2).join(' ');
    const before = dialects.map((dialect) => issuesOf(readRealGame(name), dialect).map(placeOf));
    // Each recipe has been played in the game when it is added; all together are played here.
    for (const each of all) await add(each);
    const news = dialects.flatMap((dialect, i) =>
      issuesOf(document(), dialect).filter((issue) => !before[i]!.includes(placeOf(issue))),
    );
    expect(news).toEqual([]);
    expect(failures()).toEqual([]);
    await add('--undo', ...all);
    expect(readFileSync(game, 'utf8')).toBe(readFileSync(realGamePath(name), 'utf8'));
  });
});

describe('what is refused', () => {
  const refused = async (...args: string[]): Promise<string> => {
    const before = readdirSync(folder).map((each) => readFileSync(join(folder, each), 'utf8'));
    const { code, stderr } = await reenact(['add', ...args, '--game', game]);
    expect(code).toBe(2);
    expect(readdirSync(folder).map((each) => readFileSync(join(folder, each), 'utf8'))).toEqual(before);
    return stderr;
  };

  test('unknown recipes, a second time, and undo of what is not there', async () => {
    expect(await refused('respwan')).toContain(
      'unknown-recipe: No recipe is called "respwan". Did you mean "respawn"?',
    );
    expect(await refused('--undo', 'gun')).toContain('recipe-not-added');
    await add('gun');
    expect(await refused('gun')).toContain('recipe-added');
  });

  test('undo of what was changed since, in the game or its scenarios', async () => {
    await add('gun', 'timer');
    writeFileSync(game, readFileSync(game, 'utf8').replace('"bulletForce": 20', '"bulletForce": 21'));
    expect(await refused('--undo', 'gun')).toContain(
      'recipe-changed: Nothing was written, because additions of the recipe gun were changed later: /data/itemTypes/pistol.',
    );
    const scenarios = join(folder, 'game.timer.scenario.yaml');
    writeFileSync(scenarios, readFileSync(scenarios, 'utf8').replace('2.5 s', '2.4 s'));
    expect(await refused('--undo', 'timer')).toContain('recipe-changed');
  });

  test('a second script for the death of units', async () => {
    const dying = JSON.parse(blank);
    dying.data.scripts.dies = {
      name: 'a unit dies',
      triggers: [{ type: 'unitAttributeBecomesZero' }],
      actions: [{ type: 'destroyEntity', entity: { function: 'getTriggeringUnit' } }],
    };
    writeFileSync(game, JSON.stringify(dying));
    expect(await refused('teams', 'respawn')).toBe(
      'does-not-fit: Nothing was written, because the script "a unit dies" of the game already handles units without health. Remove the script, then run the command again.\n',
    );
    await add('teams', 'gun', 'leaderboard');
  });

  test('an item for which no slot is free', async () => {
    writeFileSync(game, blank.replace('"inventorySize": 3', '"inventorySize": 1'));
    await add('gun');
    expect(await refused('shop')).toBe(
      'does-not-fit: Nothing was written, because the recipe shop needs a free inventory slot, but the default items of the unit type hero take all slots. Raise its inventorySize, then run the command again.\n',
    );
  });

  test('a recipe whose scenario fails in the game', async () => {
    writeFileSync(game, blank.replace('"units": true', '"units": false, "projectiles": false'));
    expect(await refused('gun')).toBe(
      `does-not-fit: Nothing was written, because the recipe gun does not work in this game. Its scenario "a bullet hurts the target and is gone" failed (standard): expected within 1 s: tom.unit.health <= 75; tom.unit.health is 100
  kept the value that the game already had: /data/unitTypes/hero/bodies/default/collidesWith/projectiles
`,
    );
  });

  test('a game without a unit for players, unless it is named', async () => {
    writeFileSync(game, blank.replace('"type": "createUnitAtPosition"', '"type": "comment"'));
    expect(await refused('gun')).toContain('does-not-fit');
    expect(await refused('gun', '--unit', 'heros')).toContain('does-not-fit');
    await add('gun', '--unit', 'hero');
    expect(existsSync(join(folder, 'game.gun.scenario.yaml'))).toBe(true);
  });

  test('nothing is written by --dry-run', async () => {
    expect(await add('gun', '--dry-run')).toContain('nothing was written');
    expect(readFileSync(game, 'utf8')).toBe(blank);
    expect(readdirSync(folder)).toEqual(['game.json']);
  });
});
