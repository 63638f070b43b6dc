import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import type { Summary } from '../../src/run/summary.ts';
import { script } from '../support/play.ts';
import { realGamePath, realGames, someRealGames } from '../support/real-games.ts';
import { samplesFolder } from '../support/samples.ts';
import { countingGame, file, reenact } from './support.ts';

const game = file('game.json', countingGame());

async function json(args: readonly string[]): Promise<{ code: number; summary: Summary; stderr: string }> {
  const { code, stdout, stderr } = await reenact(['run', ...args, '--json']);
  return { code, summary: JSON.parse(stdout), stderr };
}

describe('inputs without effect', () => {
  test('are counted by kind and reason, as text and as data', async () => {
    const outbreak = join(samplesFolder, 'outbreak.json');
    const args = [outbreak, '--seconds', '15', '--bots', '8'];
    const { summary } = await json(args);
    const { stdout } = await reenact(['run', ...args]);
    const reasons = Object.entries(summary.refused);
    expect(reasons.length).toBeGreaterThan(0);
    for (const [what] of reasons) expect(what).toMatch(/^[a-zA-Z]+ [a-z_-]+$/);
    expect(Object.keys(summary.refused)).toContain('buyItem not_affordable');
    const total = reasons.reduce((sum, [, count]) => sum + count, 0);
    expect(stdout).toMatch(new RegExp(`^inputs +${total} rejected: .*buyItem [a-z_]+ \\d+`, 'm'));
  });
});

describe('--json', () => {
  test('says everything about the run', async () => {
    const { code, summary, stderr } = await json([game, '--seconds', '5', '--seed', 'x', '--bots', '2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(summary).toMatchObject({
      file: game,
      title: 'Counting',
      dialect: 'standard',
      seed: 'x',
      bots: 2,
      ending: 'time',
      ticks: 100,
      frameRate: 20,
      simulatedSeconds: 5,
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      players: 2,
      units: 2,
      items: 0,
      projectiles: 0,
      joined: 2,
      left: 0,
      refused: {},
      entities: { units: { Walker: 2 }, items: {}, projectiles: {} },
      variables: { seconds: 5, state: 'gameover', 'last word': null },
      triggers: { gameStart: 1, secondTick: 5, playerJoinsGame: 2, frameTick: 100 },
      scripts: { 'every second': 5, 'player joins': 2 },
      actions: { setVariable: 8, condition: 5, assignPlayerType: 2, createUnitAtPosition: 2 },
      unknown: {},
      faults: [],
      issues: { error: 0, warning: 0 },
    });
    expect(summary.speed).toBeCloseTo(5000 / summary.wallMs, 6);
    const { startup, time } = summary;
    expect(Object.keys(startup)).toEqual([
      'modulesMs',
      'readMs',
      'parseMs',
      'loadMs',
      'compileMs',
      'startMs',
      'firstTickMs',
    ]);
    for (const [step, ms] of Object.entries(startup)) expect(ms, step).toBeGreaterThan(0);
    expect(Object.keys(time)).toEqual(['bots', 'inputs', 'timers', 'entities', 'physics', 'players', 'scripts']);
    const timed = Object.values(time).reduce((sum, ms) => sum + ms, 0);
    expect(timed).toBeLessThanOrEqual(summary.wallMs + 1);
  });

  test('counts are sorted in descending order', async () => {
    const { summary } = await json([game, '--seconds', '3', '--bots', '2']);
    const counts = Object.values(summary.triggers);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });

  test('the same command gives the same state hash; another seed gives another', async () => {
    const hashes = [];
    for (const seed of ['1', '1', '2']) {
      const { summary } = await json([game, '--seconds', '4', '--bots', '3', '--seed', seed]);
      hashes.push(summary.hash);
    }
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  test('the dialect is that of the option', async () => {
    const { summary } = await json([game, '--ticks', '1', '--dialect', 'moddio']);
    expect(summary).toMatchObject({ dialect: 'moddio', ticks: 1, frameRate: 20 });
  });

  test('--except reverses single differences', async () => {
    const { summary } = await json([
      game,
      '--ticks',
      '1',
      '--dialect',
      'moddio',
      '--except',
      'singleTickRate,lastKeyWins',
    ]);
    expect(summary).toMatchObject({ dialect: 'moddio except singleTickRate, lastKeyWins' });
  });

  test('an unknown name in --except gets a suggestion', async () => {
    const { code, stderr } = await reenact(['run', game, '--except', 'lastKeyCount']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'unknown-difference: There is no dialect difference called "lastKeyCount". Did you mean "lastKeyWins"? The differences are listed in docs/semantics.\n',
    });
  });

  test('types and scripts with the same name are distinguished', async () => {
    const twice = file(
      'twice.json',
      countingGame({
        scripts: { a: { ...script('gameStart', []), name: 'x' }, b: { ...script('gameStart', []), name: 'x' } },
      }),
    );
    const { summary } = await json([twice, '--ticks', '0']);
    expect(summary.scripts).toEqual({ 'x (scripts/a)': 1, 'x (scripts/b)': 1 });
  });

  test('faults have a location and a count, and unknown operations a count', async () => {
    const faulty = file(
      'faulty.json',
      countingGame({
        scripts: {
          a: script('secondTick', [
            { type: 'destroyEntity', entity: { function: 'getTriggeringUnit' } },
            { type: 'sing' },
          ]),
        },
      }),
    );
    const { code, summary } = await json([faulty, '--seconds', '3']);
    expect(code).toBe(0);
    expect(summary.faults).toMatchObject([
      { code: 'no-such-entity', at: 'scripts/a/actions/0', count: 3, firstTick: 20 },
      { code: 'unknown-operation', at: 'scripts/a/actions/1', count: 3, firstTick: 20 },
    ]);
    expect(Object.keys(summary.faults[0]!)).toEqual(['code', 'at', 'message', 'count', 'firstTick']);
    expect(summary.unknown).toEqual({ sing: 1 });
    expect(summary.issues).toEqual({ error: 1, warning: 0, info: 0 });
  });
});

describe('how long', () => {
  test.each<[args: string[], ticks: number]>([
    [[], 1200],
    [['--seconds', '2.5'], 50],
    [['--ticks', '7'], 7],
    [['--ticks', '0'], 0],
    [['--seconds', '0'], 0],
  ])('%j', async (args, ticks) => {
    expect((await json([game, ...args])).summary.ticks).toBe(ticks);
  });

  test('before the first tick there is no first tick', async () => {
    const { summary } = await json([game, '--ticks', '0']);
    expect(summary.startup.firstTickMs).toBeNull();
    expect(summary.triggers).toEqual({ gameStart: 1 });
  });

  test('the run ends if the game ends itself', async () => {
    const ending = file('ending.json', countingGame({ scripts: { a: script('secondTick', [{ type: 'endGame' }]) } }));
    expect(await json([ending])).toMatchObject({ code: 0, summary: { ending: 'game', ticks: 20 } });
  });

  test('an interrupt prints the summary so far', async () => {
    const { code, stdout } = await reenact(['run', game, '--seconds', '86400', '--json'], { interrupt: true });
    expect(code).toBe(130);
    const { ending, ticks } = JSON.parse(stdout);
    expect(ending).toBe('interrupted');
    expect(ticks).toBeGreaterThan(0);
  });
});

describe('--until', () => {
  test.each<[until: string, code: number, ticks: number]>([
    ['state == "gameover"', 0, 60],
    ['seconds >= 2', 0, 40],
    ['time > 1', 0, 21],
    ['tick == 5', 0, 5],
    // Checked before the first tick, too.
    ['seconds == 0', 0, 0],
    ['units == 0 && players == 0', 0, 0],
    ['state == "won"', 3, 100],
    ['`last word` != null', 3, 100],
    ['state == "gameover" and not (tick < 60)', 0, 60],
    ['tick / 2 + 1 == 6', 0, 10],
    ['fired secondTick >= 2', 0, 40],
    // A condition about something that does not exist yet does not hold.
    ['u1.health < 5', 3, 100],
    ['not (u1.health < 5)', 3, 100],
    ['u1 == nothing', 0, 0],
  ])('%s', async (until, code, ticks) => {
    const outcome = await json([game, '--seconds', '5', '--until', until]);
    expect(outcome).toMatchObject({ code, summary: { ticks, ending: code === 0 ? 'until' : 'time' } });
  });

  test('a condition can refer to something that does not exist yet', async () => {
    const { code, summary } = await json([game, '--bots', '1', '--until', 'bot1.unit.type != nothing and no items']);
    expect({ code, parts: summary.until?.parts }).toEqual({
      code: 0,
      parts: [
        { text: 'bot1.unit.type', value: expect.any(String) },
        { text: 'items', value: 0 },
      ],
    });
  });

  test('for a condition that never held, the values of its parts are printed', async () => {
    const args = [game, '--ticks', '20', '--until', 'state == "won" or u7.health > 1'];
    const { stdout, code } = await reenact(['run', ...args]);
    expect(code).toBe(3);
    expect(stdout).toContain(
      [
        '--until never became true: state == "won" or u7.health > 1',
        '  state is "playing"',
        '  u7.health is nothing: there is no u7',
      ].join('\n'),
    );
    expect((await json(args)).summary.until).toEqual({
      expression: 'state == "won" or u7.health > 1',
      held: false,
      parts: [
        { text: 'state', value: 'playing' },
        { text: 'u7.health', value: null, why: 'there is no u7' },
      ],
      lines: ['state is "playing"', 'u7.health is nothing: there is no u7'],
    });
  });

  test('counts include the players in the game', async () => {
    const { code, summary } = await json([game, '--bots', '3', '--until', 'players == 3 && units == 3 && items == 0']);
    expect(code).toBe(0);
    expect(summary.players).toBe(3);
    expect(summary.simulatedSeconds).toBeLessThanOrEqual(5.1);
  });
});

describe('--events', () => {
  const talking = file(
    'talking.json',
    countingGame({
      scripts: {
        start: script('gameStart', [{ type: 'sendChatMessage', message: 'welcome' }]),
        second: script('secondTick', [{ type: 'sendChatMessage', message: 'beep' }]),
      },
    }),
  );

  test('prints one line per event, including those at the start', async () => {
    const { stdout } = await reenact(['run', talking, '--seconds', '1', '--events']);
    const lines = stdout.slice(0, stdout.indexOf('Counting')).trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      ' 0.000 s trigger gameStart',
      expect.stringMatching(/^ 0\.000 s output chat to everyone .*"text":"welcome"/),
      ' 1.000 s trigger secondTick',
      expect.stringMatching(/^ 1\.000 s output chat to everyone .*"text":"beep"/),
    ]);
  });

  test('in JSON are a list', async () => {
    const { summary } = await json([talking, '--seconds', '1', '--events']);
    expect(summary.eventsOmitted).toBe(0);
    expect(summary.events).toMatchObject([
      { tick: 0, time: 0, event: 'trigger', name: 'gameStart', details: {} },
      { tick: 0, time: 0, event: 'output', name: 'chat', to: 'everyone', details: { text: 'welcome' } },
      { tick: 20, time: 1, event: 'trigger', name: 'secondTick' },
      { tick: 20, time: 1, event: 'output', name: 'chat' },
    ]);
  });

  test('the list is limited and says how many are omitted', async () => {
    const messages = Array.from({ length: 100 }, () => ({ type: 'sendChatMessage', message: 'x' }));
    const loud = file('loud.json', countingGame({ scripts: { a: script('frameTick', messages) } }));
    const { summary } = await json([loud, '--ticks', '150', '--events']);
    expect(summary.events?.length).toBe(10_000);
    // 150 times 100 messages, gameStart and seven seconds.
    expect(summary.eventsOmitted).toBe(150 * 100 + 1 + 7 - 10_000);
  });

  test('are not printed by default', async () => {
    expect((await json([talking, '--ticks', '1'])).summary).not.toHaveProperty('events');
  });

  test('names players and entities', async () => {
    const { summary } = await json([game, '--bots', '1', '--seconds', '2', '--events']);
    expect(summary.events).toContainEqual(
      expect.objectContaining({ name: 'playerJoinsGame', details: { player: 'bot1' } }),
    );
    expect(summary.events).toContainEqual(expect.objectContaining({ name: 'entityCreated', on: 'u1' }));
  });
});

describe('for people', () => {
  test('every part has a line', async () => {
    const { stdout, stderr } = await reenact(['run', game, '--seconds', '5', '--bots', '2']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^Counting\n5 s played in \d+\.\d\d s \(.*x real time\): 100 ticks, 20 per second; standard, seed 0, 2 bots\n/,
    );
    expect(stdout).toMatch(/^players +2 in the game, 2 joined, 0 left$/m);
    expect(stdout).toMatch(/^units +2: Walker 2$/m);
    expect(stdout).toMatch(/^variables +seconds = 5\n +state = "gameover"\n +1 without a value$/m);
    expect(stdout).toMatch(/^triggers +frameTick 100, /m);
    expect(stdout).toMatch(/^scripts +2 of 2 ran: every second 5, player joins 2$/m);
    expect(stdout).toMatch(/^actions +setVariable 8, condition 5, /m);
    expect(stdout).toMatch(/^faults +none$/m);
    expect(stdout).toMatch(/^time +bots /m);
    expect(stdout).toMatch(/^hash +[0-9a-f]{16}$/m);
  });

  test('names in a game cannot control the terminal', async () => {
    const rude = file(
      'rude.json',
      countingGame({ title: 'a\x1b]0;b', variables: { '\x1b[2J': { dataType: 'string', default: '\x07' } } }),
    );
    const { stdout } = await reenact(['run', rude, '--ticks', '1']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    expect(stdout).toContain('a\\u001b]0;b');
  });

  test('says why the run ended early', async () => {
    expect((await reenact(['run', game, '--until', 'seconds == 1'])).stdout).toMatch(
      /^--until became true after 1 s\.$/m,
    );
  });
});

describe('a definition with errors', () => {
  test('is played if it can be loaded, and the number of errors is printed', async () => {
    const wrong = file('wrong.json', countingGame({ title: ['no', 'text'] }));
    const { code, summary, stderr } = await json([wrong, '--ticks', '5']);
    expect(code).toBe(0);
    expect(stderr).toBe(`notice: the definition has 1 error; see: reenact check ${wrong}\n`);
    expect(summary).toMatchObject({ ticks: 5, issues: { error: 1 } });
  });

  test.each([
    ['no JSON', '{"data": ', 'syntax-error'],
    ['no definition', '{"a": 1}', 'not-a-definition'],
  ])('%s cannot be played', async (_what, text, issue) => {
    const { code, stdout, stderr } = await reenact(['run', '-'], { stdin: text });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(issue);
    expect(stderr).toMatch(/^not-playable: <stdin> is not a game definition that can be run\.$/m);
  });
});

describe.skipIf(realGames.length === 0)('real games (skipped if the folder is absent)', () => {
  test.each(someRealGames(4))('%s', async (name) => {
    const { code, summary } = await json([realGamePath(name), '--seconds', '6', '--bots', '4']);
    expect(code).toBe(0);
    expect(summary.ending).toBe('time');
    expect(summary.joined).toBeGreaterThanOrEqual(4);
    expect(summary.faults.filter((fault) => fault.code === 'exception')).toEqual([]);
  });
});

test.each(['--html', '--svg', '--record'])(
  '%s without a file name is an error, and nothing is played',
  async (option) => {
    expect(await reenact(['run', game, '--seconds', '1', option, '-'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining("argument '-' is invalid"),
    });
  },
);

test('--svg and --png draw the end, and a map without a size cannot be drawn', async () => {
  const [svg, png] = [file('end.svg', ''), file('end.png', '')];
  const options = ['--seconds', '1', '--bots', '1', '--svg', svg, '--png', png];
  const drawn = await reenact(['run', file('drawn.json', countingGame()), ...options]);
  expect(drawn).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\npicture .*end\.svg\npicture .*end\.png\n$/),
  });
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg .*aria-label="Map at tick 20".*<\/svg>$/s);
  expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG');
  const flat = countingGame({ map: { width: 0, height: 0, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] } });
  expect(await reenact(['run', file('flat.json', flat), ...options])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no-map: '),
  });
});

test.skipIf(!existsSync(new URL('../../dist/viewer/page.js', import.meta.url)))(
  '--html writes the page of the play, with and without a recording in a file',
  async () => {
    const [html, journal] = [file('run.html', ''), file('run.rj', '')];
    const game = file('shown.json', countingGame());
    const { stdout, code } = await reenact(['run', game, '--seconds', '1', '--html', html, '--record', journal]);
    expect(code).toBe(0);
    expect(stdout).toContain(`page ${html}`);
    expect(stdout).toContain(`watch it with: reenact view ${journal} --open`);
    const [, packed] = /id="journal">([^<]*)</.exec(readFileSync(html, 'utf8'))!;
    const shown = readJournalBytes(new Uint8Array(gunzipSync(new Uint8Array(Buffer.from(packed!, 'base64')))))!;
    expect(shown.records).toEqual(readJournalBytes(new Uint8Array(readFileSync(journal)))!.records);
    expect((await reenact(['run', game, '--seconds', '1', '--html', html])).code).toBe(0);
    const refused = await reenact(['run', game, '--html', html, '--set', 'title=Other']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--html') });
  },
);

test('a changed value plays for a run, and must be one of the definition', async () => {
  const variables = { seconds: { dataType: 'number', default: 0 }, step: { dataType: 'number', default: 1 } };
  const game = file('settable.json', countingGame({ variables }));
  const set = async (path: string) => reenact(['run', game, '--seconds', '2', '--set', path, '--json']);
  expect(JSON.parse((await set('variables.seconds.default=1')).stdout).variables.seconds).toBe(3);
  expect(await set('variables.secnds.default=1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown-member: The definition has no'),
  });
});

test('a length is a time or a number of ticks, under one name and the former ones', async () => {
  const hashes = new Set<string>();
  const lengths = ['--for 2s', '--for 40ticks', '--for=2', '--seconds 2', '--ticks 40', '--ticks=40', '--for 2000ms'];
  for (const length of lengths) hashes.add((await json([game, ...length.split(' ')])).summary.hash);
  expect(hashes.size).toBe(1);
  expect((await json([game, '--for', '0.1min'])).summary.ticks).toBe(120);
  expect((await reenact(['run', '--help'])).stdout).not.toMatch(/--(?:seconds|ticks)\b/);
});
