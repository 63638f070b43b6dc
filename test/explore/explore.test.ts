import { describe, expect, test } from 'vitest';
import { arrangeJournal, type Condition, Replay } from '../../engine/index.ts';
import { internalsOf, rowOf } from '../../engine/tools.ts';
import { exploreGame } from '../../src/explore/explore.ts';
import { Detector, growthOf } from '../../src/explore/finding/detector.ts';
import { replay } from '../../src/explore/finding/shrink.ts';
import { recordInputs } from '../../src/explore/playing/episode.ts';
import { groundOf } from '../../src/explore/playing/ground.ts';
import { PlayedEpisode } from '../../src/explore/playing/played-episode.ts';
import { episodeOf, episodesFor } from '../../src/explore/searching/plan.ts';
import { newProgress } from '../../src/explore/searching/progress.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { modelOf } from '../../src/model/index.ts';
import { FalseComparisons } from '../../src/run/false-comparisons.ts';
import { body, unitType } from '../support/play.ts';
import { calculate, each, explored, gameOf, planOf, rate, set, variable, when } from './support.ts';

const lastChat = { function: 'getLastChatMessageSentByPlayer', player: { function: 'getTriggeringPlayer' } };
const whileTrue = [{ operandType: 'boolean', operator: '==' }, true, true];
type Json = Record<string, unknown>;

const number = (value: number) => ({ dataType: 'number', default: value });

describe('plays', () => {
  test('are a function of the seed and their number', () => {
    const plan = planOf();
    expect(episodeOf(plan, rate, 7)).toEqual(episodeOf(plan, rate, 7));
    expect(episodeOf(plan, rate, 7)).not.toEqual(episodeOf(planOf({ seed: '1' }), rate, 7));
    const lengths = Array.from({ length: 200 }, (_, i) => episodeOf(plan, rate, 2 * i + 2).ticks / rate);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(600);
    // Half of the plays are shorter than the geometric mean.
    expect(lengths.filter((seconds) => seconds < Math.sqrt(15 * 600)).length).toBeGreaterThan(70);
    expect(lengths.filter((seconds) => seconds < Math.sqrt(15 * 600)).length).toBeLessThan(130);
  });

  test('are long where players look for what has not happened yet', () => {
    const plays = Array.from({ length: 40 }, (_, i) => episodeOf(planOf(), rate, i + 2));
    for (const { isAimed, ticks } of plays) if (isAimed) expect(ticks / rate).toBeGreaterThanOrEqual(180);
    expect(plays.filter(({ isAimed }) => isAimed)).toHaveLength(20);
  });

  test('begin with a plain one', () => {
    const plain = { stay: 1, talk: 1, act: 1 };
    const first = { ticks: 300 * rate, players: 3, traits: [plain, plain, plain], isCurious: false };
    expect(episodeOf(planOf(), rate, 0)).toMatchObject(first);
    expect(episodeOf(planOf({ goal: 'true' }), rate, 0).isCurious).toBe(true);
  });

  test('go on with one in which everybody stands still', () => {
    const game = gameOf({});
    const kindsOf = (index: number) => {
      const played = new PlayedEpisode(game, planOf(), episodeOf(planOf(), rate, index));
      const inputs = recordInputs(played.sim);
      while (played.sim.tick < 120 * rate) played.step();
      return new Set(inputs.map(({ input }) => input.kind));
    };
    expect([...kindsOf(1)].sort()).toEqual(['chat', 'join']);
    expect(kindsOf(2)).toContain('mouse');
  });

  test('fill a budget of ticks exactly', () => {
    const episodes = episodesFor(planOf(), rate, 3, 50_000);
    expect(episodes.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(50_000);
    expect(episodes[0]!.index).toBe(3);
  });
});

describe('findings', () => {
  test('a fault behind a chat command shrinks to a join and a message, and its journal replays', async () => {
    const boom = { type: 'setEntityVariable', entity: { function: 'getTriggeringPlayer' }, variable: { key: 'nope' } };
    const game = gameOf({ chat: each('playerSendsChatMessage', when(lastChat, '==', '/boom', [boom], 'string')) });
    const { findings, unconfirmed } = await explored(game, planOf({ seed: '9' }), 100);
    expect(unconfirmed).toEqual([]);
    expect(findings.map(({ kind }) => kind)).toEqual(['fault']);
    const [finding] = findings;
    const kinds = finding!.recording.inputs.map(({ input }) => input.kind);
    expect(kinds).toEqual(['join', 'chat']);
    expect(finding!.inputsBefore).toBeGreaterThan(20);
    const journal = arrangeJournal(readJournalBytes(finding!.journal)!.records)!;
    const again = new Replay(game, journal);
    while (!again.isAtEnd) again.step();
    expect(again.difference()).toBeUndefined();
    expect(again.sim.faults()).toHaveLength(1);
  });

  test('a variable that becomes infinite', async () => {
    const grow = set('size', calculate(variable('size'), '*', 1e30));
    const game = gameOf({ second: each('secondTick', grow) }, { variables: { size: number(1) } });
    const { findings } = await explored(game, planOf(), 20);
    expect(findings.map(({ key }) => key)).toEqual(['not-finite variable size']);
    // No player is needed.
    expect(findings[0]!.recording.inputs).toEqual([]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('a position that becomes %d', (x) => {
    const plan = planOf();
    const game = gameOf({});
    const { begin, bind } = groundOf(game, plan);
    const sim = begin('a');
    sim.join({ name: 'ann' });
    const detector = new Detector(sim, plan, bind, () => false);
    sim.run({ seconds: 1 });
    detector.look();
    expect([...detector.found.keys()]).toEqual([]);
    const [unit] = sim.units();
    internalsOf(sim).world.components.transform.x[rowOf(unit!.entity)] = x;
    detector.look();
    expect([...detector.found.keys()]).toEqual(['not-finite the position of unit walker']);
  });

  test('what an interrupted run has seen is replayed by the next', async () => {
    const game = gameOf(
      { second: each('secondTick', set('time', calculate(variable('time'), '+', 1))) },
      { variables: { time: number(0) } },
    );
    const enough = new AbortController();
    const options = {
      plan: planOf({ never: ['time == 5'] }),
      game,
      rate,
      budget: { ticks: 20_000 },
      jobs: 1,
      progress: newProgress(),
      onProgress: () => enough.abort(),
    };
    const interrupted = await exploreGame({ ...options, signal: enough.signal });
    expect(interrupted).toMatchObject({ findings: [], unexamined: [{ key: 'never time == 5' }], plays: 1 });
    const records = readJournalBytes(interrupted.unexamined[0]!.journal!)!.records;
    const seen = new Replay(game, arrangeJournal(records)!);
    while (!seen.isAtEnd) seen.step();
    expect([seen.sim.variable('time'), seen.difference()]).toEqual([expect.any(Number), undefined]);
    const told: string[] = [];
    const { findings, unexamined } = await exploreGame({
      ...options,
      budget: { ticks: 1 },
      signal: new AbortController().signal,
      onFinding: ({ key }) => told.push(key),
    });
    expect(findings.map(({ key, tick }) => [key, tick])).toEqual([['never time == 5', 5 * rate]]);
    expect([told, unexamined]).toEqual([['never time == 5'], []]);
    expect(options.progress.pending.size).toBe(0);
  });

  test('a population without end, but not one that fills up', async () => {
    const spawn = (x: number) => ({
      type: 'createUnitAtPosition',
      unitType: 'ghost',
      entity: variable('owner'),
      position: { x, y: 200 },
      angle: 0,
    });
    const spawnMore = [set('units', calculate(variable('units'), '+', 1)), spawn(100)];
    const variables = { units: number(0), owner: { dataType: 'player', default: 'computer1' } };
    // Without bodies, because hundreds at one position would make the test slow.
    const unitTypes = { walker: unitType(), ghost: unitType({ bodies: { default: body({ type: 'none' }) } }) };
    const endless = gameOf({ second: each('secondTick', ...spawnMore) }, { variables, unitTypes });
    const { findings } = await explored(endless, planOf({ players: [1, 1], seed: 'long' }), 300);
    expect(findings.map(({ key }) => key)).toEqual(['leak unit ghost']);
    // Six a minute, of which none is ever removed.
    const tick = set('units', calculate(variable('units'), '+', 1));
    const remainder = calculate(variable('units'), '%', 10);
    const slow = gameOf(
      { second: each('secondTick', tick, when(remainder, '==', 0, [spawn(100)])) },
      { variables, unitTypes },
    );
    const slowly = await explored(slow, planOf({ players: [1, 1], seed: 'long' }), 300);
    expect(slowly.findings.map(({ key }) => key)).toEqual(['leak unit ghost']);
    const bounded = gameOf(
      { second: each('secondTick', when(variable('units'), '<', 90, spawnMore)) },
      { variables, unitTypes },
    );
    expect((await explored(bounded, planOf({ players: [1, 1], seed: 'long' }), 300)).findings).toEqual([]);
  });

  test('expressions of the author', async () => {
    const game = gameOf(
      { second: each('secondTick', set('time', calculate(variable('time'), '+', 1))) },
      { variables: { time: number(0) } },
    );
    const plan = planOf({
      never: ['time == 5', 'time == -1'],
      always: ['time < 9', 'time >= 0'],
      within: [
        { seconds: 8, expression: 'time == 7' },
        { seconds: 8, expression: 'time == 20' },
      ],
    });
    const { findings } = await explored(game, plan, 40);
    expect(findings.map(({ key }) => key).sort()).toEqual(['always time < 9', 'never time == 5', 'within time == 20']);
    for (const { recording, key } of findings)
      expect(replay(plan, groundOf(game, plan), recording, key)?.sighting.key).toBe(key);
  });

  test('a tick with more actions than the budget', async () => {
    const many = { type: 'repeat', count: 500, actions: [set('time', 1)] };
    const game = gameOf({ second: each('secondTick', many) }, { variables: { time: number(0) } });
    expect((await explored(game, planOf({ actionsMax: 400 }), 40)).findings.map(({ kind }) => kind)).toEqual([
      'actions',
    ]);
    expect((await explored(game, planOf({ actionsMax: 700 }), 40)).findings).toEqual([]);
  });

  test('a unit of a player in a wall, or outside the map', async () => {
    const data = Array.from({ length: 400 }, (_, cell) => (cell % 20 > 8 && cell > 160 ? 1 : 0));
    const map = {
      width: 20,
      height: 20,
      tilewidth: 64,
      tileheight: 64,
      layers: [{ name: 'walls', type: 'tilelayer', width: 20, height: 20, data }],
      tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
    };
    const keysOf = async (x: number, more: Record<string, unknown> = {}): Promise<string[]> => {
      const player = { function: 'getTriggeringPlayer' };
      const create = {
        type: 'createUnitAtPosition',
        unitType: 'walker',
        entity: player,
        position: { x, y: 900 },
        angle: 0,
      };
      const join = each('playerJoinsGame', create, set('pinned', { function: 'getLastCreatedUnit' }));
      // Each tick, because walls push it out.
      const pin = each('frameTick', { type: 'moveEntity', entity: variable('pinned'), position: { x, y: 900 } });
      const game = gameOf({ join, pin }, { map, variables: { pinned: { dataType: 'unit' } }, ...more });
      return (await explored(game, planOf({ players: [1, 1] }), 20)).findings.map(({ key }) => key);
    };
    expect(await keysOf(900)).toEqual(['in-wall walker in square 1, 1']);
    expect(await keysOf(300)).toEqual([]);
    // Pushed into a wall to a part.
    expect(await keysOf(581)).toEqual([]);
    expect(await keysOf(-500)).toEqual(['outside walker in square -1, 1']);
    const collidesWith = { units: true, items: true, projectiles: true, walls: false };
    const ghost = unitType({ bodies: { default: body({ collidesWith }) } });
    expect(await keysOf(900, { unitTypes: { walker: ghost } })).toEqual([]);
  });

  test('a player who has lost the unit for good, though others got one again', async () => {
    const player = { function: 'getTriggeringPlayer' };
    const born = { function: 'getLastCreatedUnit' };
    const unit = { type: 'createUnitAtPosition', unitType: 'walker', position: { x: 200, y: 200 }, angle: 0 };
    const given = (to: Json): Json[] => [
      { ...unit, entity: to },
      { type: 'makePlayerSelectUnit', player: to, unit: born },
    ];
    const again = when(variable('cursed'), '==', false, given(variable('loser')), 'boolean');
    const dying = [
      set('moves', 0),
      set('deaths', calculate(variable('deaths'), '+', 1)),
      set('loser', { function: 'getOwner', entity: { function: 'getTriggeringUnit' } }),
      { type: 'destroyEntity', entity: { function: 'getTriggeringUnit' } },
      { type: 'setTimeOut', duration: 2000, actions: [again] },
    ];
    const scripts = { join: each('playerJoinsGame', ...given(player)) };
    const variables = {
      moves: number(0),
      deaths: number(0),
      loser: { dataType: 'player' },
      cursed: { dataType: 'boolean', default: false },
    };
    const moves = set('moves', calculate(variable('moves'), '+', 1));
    const unitTypes = {
      walker: unitType({ scripts: { moved: each('unitStartsMoving', moves, when(variable('moves'), '>', 2, dying)) } }),
    };
    const keysOf = async (more: Record<string, unknown>): Promise<string[]> => {
      const game = gameOf({ ...scripts, ...more }, { unitTypes, variables });
      return (await explored(game, planOf({ players: [2, 2], seed: '5' }), 200)).findings.map(({ key }) => key);
    };
    // Late, because players must have got another unit several times before.
    const curse = { chat: each('playerSendsChatMessage', when(variable('deaths'), '>', 8, [set('cursed', true)])) };
    expect(await keysOf(curse)).toContain('standstill player without a unit');
    expect(await keysOf({})).toEqual([]);
  });

  test('a dead end: what could be reached before cannot be reached any more', async () => {
    const lock = [set('locked', 1), set('open', 0)];
    const turn = when(variable('locked'), '==', 0, [set('open', calculate(1, '-', variable('open')))]);
    const variables = { locked: number(0), open: number(0) };
    const plan = planOf({ reachable: [{ seconds: 3, expression: 'open == 1' }] });
    const locked = gameOf(
      { chat: each('playerSendsChatMessage', ...lock), second: each('secondTick', turn) },
      { variables },
    );
    const { findings } = await explored(locked, plan, 30);
    expect(findings.map(({ key }) => key)).toEqual(['dead-end open == 1']);
    const kinds = findings[0]!.recording.inputs.map(({ input }) => input.kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['join', 'chat']);
    expect(kinds.length).toBeLessThan(5);
    const free = gameOf({ second: each('secondTick', turn) }, { variables });
    expect((await explored(free, plan, 20)).findings).toEqual([]);
  });

  test.each([
    ['string', 'night', 'day'],
    ['number', 0, 1],
    ['boolean', false, true],
  ])('a round that no longer changes, though it did again and again: a %s', async (dataType, night, day) => {
    const variables = { locked: number(0), phase: { dataType, default: night } };
    const turn = {
      ...when(variable('phase'), '==', night, [set('phase', day)], dataType),
      else: [set('phase', night)],
    };
    const second = each('secondTick', when(variable('locked'), '==', 0, [turn]));
    const stuck = gameOf({ second, chat: each('playerSendsChatMessage', set('locked', 1)) }, { variables });
    const { findings } = await explored(stuck, planOf({ players: [1, 1] }), 160);
    expect(findings.map(({ key }) => key)).toEqual(['standstill variable phase']);
    const kinds = findings[0]!.recording.inputs.map(({ input }) => input.kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['join', 'chat']);
    expect(kinds.length).toBeLessThan(5);
    expect((await explored(gameOf({ second }, { variables }), planOf({ players: [1, 1] }), 160)).findings).toEqual([]);
  });

  test('a round that one of its ends never starts again, the first time it happens', async () => {
    const is = (state: string, ...then: Json[]) => when(variable('state'), '==', state, then, 'string');
    const over = set('state', 'over');
    const again = { type: 'setTimeOut', duration: 3000, actions: [set('state', 'lobby')] };
    const scripts = (...draw: Json[]): Json => ({
      start: each('secondTick', is('lobby', set('state', 'playing'), set('time', 20))),
      play: each(
        'secondTick',
        is('playing', set('time', calculate(variable('time'), '-', 1)), when(variable('time'), '<=', 0, [over, again])),
      ),
      draw: each('playerSendsChatMessage', is('playing', over, ...draw)),
    });
    const variables = { state: { dataType: 'string', default: 'lobby' }, time: number(0) };
    const keysOf = async (...draw: Json[]): Promise<string[]> => {
      const game = gameOf(scripts(...draw), { variables });
      return (await explored(game, planOf({ players: [1, 1] }), 40)).findings.map(({ key }) => key);
    };
    expect(await keysOf()).toEqual(['standstill variable state']);
    expect(await keysOf(again)).toEqual([]);
  });

  test('a player who never gets a unit again, the first time it happens', async () => {
    const owner = { function: 'getOwner', entity: { function: 'getTriggeringUnit' } };
    const given = [
      { type: 'createUnitAtPosition', unitType: 'walker', position: { x: 200, y: 200 }, angle: 0, entity: owner },
      { type: 'makePlayerSelectUnit', player: owner, unit: { function: 'getLastCreatedUnit' } },
    ];
    const count = set('moves', calculate(variable('moves'), '+', 1));
    const revived = JSON.parse(
      JSON.stringify(given).replaceAll(JSON.stringify(owner), '{"function":"selectedPlayer"}'),
    );
    const keysOf = async (most: number, scripts: Json = {}): Promise<string[]> => {
      const dies = when(variable('moves'), '==', 5, [
        when(variable('deaths'), '<', most, given),
        set('deaths', calculate(variable('deaths'), '+', 1)),
        { type: 'destroyEntity', entity: { function: 'getTriggeringUnit' } },
      ]);
      const walker = unitType({ scripts: { moved: each('unitStartsMoving', count, dies) } });
      const game = gameOf(scripts, { unitTypes: { walker }, variables: { moves: number(0), deaths: number(0) } });
      return (await explored(game, planOf({ players: [1, 1] }), 60)).findings.map(({ key }) => key);
    };
    expect(await keysOf(0)).toEqual(['standstill player without a unit']);
    expect(await keysOf(9)).toEqual([]);
    // Who is alone waits for others.
    const everybody = { type: 'forAllPlayers', playerGroup: { function: 'humanPlayers' }, actions: revived };
    const joined = each('playerJoinsGame', when({ function: 'getPlayerCount' }, '>', 1, [everybody]));
    expect(await keysOf(0, { joined })).toEqual([]);
  });

  test('a text in which scripts put other texts together is nothing that can stand still', () => {
    const day = when(variable('phase'), '==', 'day', [set('phase', 'night')], 'string');
    const page = { function: 'concat', textA: variable('page'), textB: '!' };
    const shown = when(variable('page'), '==', 'empty', [set('page', 'full'), set('page', page)], 'string');
    const variables = { phase: { dataType: 'string', default: 'day' }, page: { dataType: 'string', default: 'empty' } };
    const { definition } = gameOf({ second: each('secondTick', day, shown) }, { variables });
    expect(modelOf(definition).switches).toEqual(['phase']);
  });

  test('a machine that is never free again, although players still try to use it', async () => {
    const free = {
      type: 'setTimeOut',
      duration: 1000,
      actions: [when(variable('jammed'), '==', 0, [set('busy', false)])],
    };
    const use = when(variable('busy'), '==', false, [set('busy', true), free], 'boolean');
    const walker = unitType({ scripts: { moved: each('unitStartsMoving', use) } });
    const variables = { jammed: number(0), busy: { dataType: 'boolean', default: false } };
    const keysOf = async (scripts: Record<string, unknown>): Promise<string[]> => {
      const game = gameOf(scripts, { unitTypes: { walker }, variables });
      return (await explored(game, planOf({ players: [1, 1], seed: '6' }), 80)).findings.map(({ key }) => key).sort();
    };
    const jam = { chat: each('playerSendsChatMessage', set('jammed', 1)) };
    expect(await keysOf(jam)).toEqual(['standstill variable busy']);
    expect(await keysOf({})).toEqual([]);
  });

  test('an endless loop ends its play, not the exploration', async () => {
    const again = { type: 'while', conditions: whileTrue, actions: Array(12).fill(set('n', 1)) };
    const second = each(
      'secondTick',
      set('time', calculate(variable('time'), '+', 1)),
      when(variable('time'), '>', 9, [again]),
    );
    const scripts = { second, later: each('secondTick', set('n', 0)) };
    const game = gameOf(scripts, { variables: { time: number(0), n: number(0) } });
    const { findings, plays, progress } = await explored(game, planOf({ seed: '0', players: [1, 1] }), 600);
    // Not also where each later script finds no actions left.
    expect(findings.map(({ key }) => key)).toEqual(['limit limit-actions scripts/second']);
    // A scenario that allowed it would not fail.
    expect(findings[0]!.otherFaults).toEqual([]);
    // Each stops soon after ten seconds.
    expect(plays).toBeGreaterThan(3);
    expect(progress.ticks / plays).toBeLessThan(20 * rate);
  });

  test('growth needs a steady slope', () => {
    const seconds = Array.from({ length: 200 }, (_, i) => i);
    expect(growthOf(seconds, 20)).toBeDefined();
    // Ten a minute.
    const slow = Array.from({ length: 300 }, (_, second) => Math.floor(second / 6));
    expect(growthOf(slow, 20)).toEqual([12, 49, 224]);
    // Half of the players leave.
    expect(
      growthOf(
        seconds.map((second) => (second < 150 ? second * 2 : second + 150)),
        20,
      ),
    ).toBeDefined();
    expect(
      growthOf(
        seconds.map((second) => 100 * (1 - Math.exp(-second / 60))),
        20,
      ),
    ).toBeUndefined();
    expect(
      growthOf(
        seconds.map((second) => second % 50),
        20,
      ),
    ).toBeUndefined();
    expect(growthOf(seconds.slice(0, 100), 20)).toBeUndefined();
  });
});

test.each([
  [7, 9, 2],
  ['7', '9.5', 2.5],
  ['', 3, undefined],
  ['seven', 3, undefined],
  [true, 3, undefined],
])('a comparison of %j with %j that was false has the distance %s', (left, right, distance) => {
  const comparisons = new FalseComparisons(() => 1);
  const node = {} as Condition;
  comparisons.conditionFalse(node, left, right);
  expect(comparisons.of(node)!.nearest?.distance).toBe(distance);
});
