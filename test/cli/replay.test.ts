import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { frameOf } from '../../src/journal/frames.ts';
import { journalStart, readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { sampleDocument, samplesFolder } from '../support/samples.ts';
import { file, reenact } from './support.ts';

const game = join(samplesFolder, 'outbreak.json');
const journal = file('play.rj', '');
const recording = reenact(['run', game, '--ticks', '300', '--bots', '3', '--record', journal]);

describe('reenact run', () => {
  test('--record writes a journal and says so', async () => {
    const { code, stdout } = await recording;
    expect(code).toBe(0);
    expect(stdout).toContain(`recorded ${journal}: ${readFileSync(journal).length} bytes`);
  });

  test('--record reports if the file cannot be written', async () => {
    const { code, stderr } = await reenact(['run', game, '--ticks', '1', '--record', '/no/such/folder/play']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^unwritable-file: /);
  });
});

describe('reenact replay', () => {
  test('replays a recording with equal hashes', async () => {
    await recording;
    const { code, stdout } = await reenact(['replay', journal, '--verify']);
    expect(stdout).toContain('16 hashes match the recording');
    expect(code).toBe(0);
    const [, seconds, wallMs, speed] = /\((\S+) s\) in (\d+) ms, (\d+) times real time/.exec(stdout)!;
    // Off by the rounding of the printed time.
    expect(Number(speed) * Number(wallMs)).toBeGreaterThan(Number(seconds) * 1000 - Number(speed) - Number(wallMs));
    expect(Number(speed) * Number(wallMs)).toBeLessThan(Number(seconds) * 1000 + Number(speed) + Number(wallMs));
    for (const [time, tick] of [
      ['40 ticks', 40],
      ['2s', 40],
      ['40', 40],
    ] as const)
      expect(JSON.parse((await reenact(['replay', journal, '--to', time, '--json'])).stdout)).toMatchObject({ tick });
    const json = JSON.parse((await reenact(['replay', journal, '--to', '100', '--verify', '--json'])).stdout);
    expect(json).toMatchObject({ ticks: 100, compared: 6 });
    expect(json.difference).toBeUndefined();
  });

  test('compares every tick if every tick was hashed', async () => {
    const often = file('often.rj', '');
    await reenact(['run', game, '--ticks', '30', '--record', often, '--hash-every', 'tick']);
    expect((await reenact(['replay', often, '--verify'])).stdout).toContain('31 hashes match the recording');
  });

  test('rejects another game, and reports files that are not games', async () => {
    await recording;
    const changed = sampleDocument('outbreak.json');
    changed.gameJson.data.variables.another = { dataType: 'number', default: 1 };
    const { code, stderr } = await reenact(['replay', journal, '--game', file('changed.json', changed)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^other-definition: /m);
    expect((await reenact(['replay', game])).stderr).toMatch(/^no-journal: /);
    expect((await reenact(['replay', '/no/such/file'])).stderr).toMatch(/^unreadable-file: /);
  });

  test('replays a truncated journal up to its end', async () => {
    await recording;
    const whole = readFileSync(journal);
    const cut = file('cut.rj', Uint8Array.from(whole.subarray(0, whole.length >> 1)));
    const { code, stdout, stderr } = await reenact(['replay', cut, '--verify']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/is truncated: it can be replayed up to tick \d+/);
    expect(stdout).toMatch(/hashes match the recording/);
  });

  test('does not call the journal of a play that goes on truncated', async () => {
    await recording;
    const { records } = readJournalBytes(Uint8Array.from(readFileSync(journal)))!;
    const open = records.filter(({ kind }) => kind !== 'end');
    const bytes = [journalStart(), ...open.map(frameOf)].flatMap((part) => [...part]);
    const { code, stderr } = await reenact(['replay', file('open.rj', Uint8Array.from(bytes)), '--verify']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /has no end, because the play is still running or was stopped: it can be replayed up to tick \d+/,
    );
  });

  test('replays a journal of another version as far as both agree, and says so', async () => {
    await recording;
    const { records } = readJournalBytes(Uint8Array.from(readFileSync(journal)))!;
    const old = records.map((each) => (each.kind === 'head' ? { ...each, version: '0.0.1' } : each));
    const bytes = [journalStart(), ...old.map(frameOf)].flatMap((part) => [...part]);
    const { code, stdout, stderr } = await reenact(['replay', file('old.rj', Uint8Array.from(bytes)), '--verify']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^notice: .* was recorded by version 0\.0\.1; this is version /);
    expect(stdout).toContain('16 hashes match the recording');
  });
});

describe('the game of a recording is found', () => {
  const folder = dirname(journal);
  const played = async (place: string): Promise<string> => {
    mkdirSync(join(folder, place), { recursive: true });
    const path = join(folder, place, 'play.rj');
    copyFileSync(game, join(folder, place, 'game.json'));
    await reenact(['run', join(folder, place, 'game.json'), '--seconds', '1', '--record', path]);
    return path;
  };

  test('beside it, after both were moved and where another game has the old place', async () => {
    const path = await played('before');
    renameSync(dirname(path), join(folder, 'after'));
    const moved = join(folder, 'after/play.rj');
    const ask = () => reenact(['why', moved, 'timeLeft']);
    expect(await ask()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^timeLeft is 14/) });
    mkdirSync(dirname(path));
    const other = sampleDocument('outbreak.json');
    other.gameJson.data.variables.another = { dataType: 'number', default: 1 };
    file('before/game.json', other);
    expect(await ask()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^timeLeft is 14/) });
    const scenario = join(folder, 'after/play.scenario.yaml');
    expect(await reenact(['record', moved, '--as-scenario', scenario])).toMatchObject({ code: 0 });
    expect(readFileSync(scenario, 'utf8')).toMatch(/^game: game\.json$/m);
  });

  test('from another folder than that of the recording', async () => {
    const path = await played('games/small');
    const { records } = readJournalBytes(Uint8Array.from(readFileSync(path)))!;
    // As `reenact run small/game.json --record play.rj` in the folder `games` writes it.
    const named = records.map((each) => (each.kind === 'head' ? { ...each, source: 'small/game.json' } : each));
    const bytes = [journalStart(), ...named.map(frameOf)].flatMap((part) => [...part]);
    const above = file('games/play.rj', Uint8Array.from(bytes));
    expect((await reenact(['debug', above], { stdin: 'quit\n' })).stdout).toMatch(/^tick 0 of 20/);
  });
});

describe('reenact debug', () => {
  test('takes commands for a recording', async () => {
    await recording;
    const { code, stdout } = await reenact(['debug', journal], {
      stdin: 'step 5\nback\ngoto 200\nbreak secondTick\nrun\ninspect state\nstep far\nnonsense\nquit\nstep\n',
    });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^tick 0 of 300/);
    expect(lines[1]).toMatch(/^tick 5 /);
    expect(lines[2]).toMatch(/^tick 4 /);
    expect(lines[3]).toMatch(/^tick 200 /);
    expect(stdout).toContain('breakpoint: secondTick');
    expect(stdout).toMatch(/^state is "/m);
    expect(stdout).toContain('"far" is not a number of ticks\nunknown command "nonsense"');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^unknown command/);
  });

  test('plays a game with bots first', async () => {
    const { code, stdout } = await reenact(['debug', game, '--seconds', '3', '--bots', '1'], {
      stdin: 'break playerJoinsGame\nrun\n',
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tick 0 of \d+/);
    expect(stdout).toContain('\nbreakpoint: playerJoinsGame\n');
  });

  test('does not read a game from standard input, which has the commands', async () => {
    expect(await reenact(['debug', '-'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^bad-option: /) });
  });
});

describe('reenact diverge', () => {
  test('finds no difference between a run and itself', async () => {
    await recording;
    expect(await reenact(['diverge', journal])).toMatchObject({ code: 0, stdout: 'no difference in 300 ticks\n' });
  });

  test('names tick and field of the first difference between seeds or dialects', async () => {
    await recording;
    const seeds = await reenact(['diverge', journal, '--seed', 'another']);
    expect(seeds.code).toBe(4);
    expect(seeds.stdout).toMatch(/^tick \d+ differs: \S+/);
    expect(seeds.stdout).toMatch(/\nreenact view \S+ --at \d+ticks --open\n$/);
    const { parted } = JSON.parse((await reenact(['diverge', journal, '--dialect', 'moddio', '--json'])).stdout);
    expect(parted.field.path).toBeTypeOf('string');
  });
});
