import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import type { Write } from '../../src/why/answer.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { whyText, writeText } from '../../src/why/why-text.ts';
import { setVariable, when } from '../support/actions.ts';
import { document, script } from '../support/play.ts';
import { recorded, writeOf } from './support.ts';

const getVariable = (variableName: string) => ({ function: 'getVariable', variableName });
const count = setVariable('k', {
  function: 'calculate',
  items: [{ operator: '+' }, getVariable('k'), 1],
});
const run = (scriptName: string) => ({ type: 'runScript', scriptName });
const after = (duration: number, ...actions: readonly object[]) => ({ type: 'setTimeOut', duration, actions });
const named = (name: string, on: string, ...actions: readonly object[]) => ({
  ...script(on === '' ? [] : on, actions),
  name,
});

const variables = { k: { dataType: 'number', default: 0 } };

/** A play without players of a game with these scripts. */
function playOf(scripts: Record<string, object>, ticks: number): RecordedPlay {
  const { game } = loadDefinition(document({ variables, scripts }));
  return new RecordedPlay(game!, recorded(game!, ticks, 0));
}

/** All lines of an answer about `k`, without the head. */
function told(play: RecordedPlay, tick?: number): string[] {
  const [, ...lines] = whyText(play.why('k', tick)).split('\n');
  return lines;
}

/** Counts the ticks that a play is replayed from now on. */
function stepsOf(play: RecordedPlay): () => number {
  let steps = 0;
  const replay = play['reader'].replay;
  const step = replay.step.bind(replay);
  replay.step = () => {
    steps++;
    step();
  };
  return () => steps;
}

const looping = (ms: number) => ({ loop: named('loop', 'gameStart', count, after(ms, run('loop'))) });

test('a script that restarts itself by a timer is told with its latest restart and its first start', () => {
  const play = playOf(looping(50), 600);
  expect(told(play)).toEqual([
    '  tick 600 (30.00 s): 600 → 601',
    '    by set k = (k + 1)  (scripts/loop/actions/0)',
    '      k was 600',
    '    in script "loop"',
    '    called by runScript scriptName: "loop"  (scripts/loop/actions/1/actions/0)',
    '    from a timer of tick 599 (29.95 s)',
    '      by setTimeOut duration: 50  (scripts/loop/actions/1)',
    '      in script "loop"',
    '      called by runScript scriptName: "loop"  (scripts/loop/actions/1/actions/0)',
    '      from a timer of tick 598 (29.90 s), which has restarted itself since tick 0 (0.00 s)',
    '        by setTimeOut duration: 50  (scripts/loop/actions/1)',
    '        in script "loop"',
    '        from trigger gameStart',
    '        from the start of the game',
  ]);
  const { causes } = writeOf(play.why('k')).causes.at(-1)!.started!;
  expect(causes.at(-1)).toMatchObject({ kind: 'timer', started: { tick: 0 } });
  // Asked about an earlier moment, it counts up to then.
  expect(told(play, 3).at(-5)).toContain('tick 1 (0.05 s), which has restarted itself since tick 0');
  expect(told(play, 2).at(-5)).toMatch(/tick 0 \(0\.00 s\)$/);
});

test('explaining a chain of 1,000 timers plays no more ticks than one of 20', () => {
  const [long, short] = [50, 2500].map((ms) => {
    const play = playOf(looping(ms), 1000);
    const steps = stepsOf(play);
    play.why('k');
    return steps();
  });
  expect(long).toBeLessThanOrEqual(short!);
});

test('listing the changes of a script that restarts itself plays each tick about twice, however long the chain is', () => {
  const play = playOf(looping(50), 600);
  const steps = stepsOf(play);
  const lines = play.changes('k').flatMap((tick) => play.writes('k', tick).map(writeText));
  expect(steps()).toBeLessThan(3 * 600);
  expect(lines).toHaveLength(600);
  expect(lines.at(-1)).toBe(
    'tick 600 (30.00 s): 600 → 601 by set k = (k + 1)  (scripts/loop/actions/0) in script "loop"',
  );
});

test('each of several scripts that start one another is told, the repeated one as when it first ran', () => {
  const play = playOf(
    {
      tick: named('tick', 'gameStart', count, after(100, run('tock'))),
      tock: named('tock', '', count, after(150, run('tick'))),
    },
    600,
  );
  const timers: string[] = [];
  for (let at: Write | undefined = writeOf(play.why('k')); at !== undefined; at = at.causes.at(-1)!.started)
    if (at.causes.at(-1)!.kind === 'timer') timers.push(at.causes.at(-1)!.text);
  expect(timers).toEqual([
    'a timer of tick 597 (29.85 s)',
    'a timer of tick 595 (29.75 s)',
    'a timer of tick 592 (29.60 s), which has restarted itself since tick 2 (0.10 s)',
    'a timer of tick 0 (0.00 s)',
  ]);
});

test('a chain of many different timers ends after twenty', () => {
  const scripts = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `s${i}`,
      named(`s${i}`, i === 0 ? 'gameStart' : '', count, after(50, run(`s${i + 1}`))),
    ]),
  );
  expect(told(playOf(scripts, 50)).at(-1)!.trim()).toBe('from a timer of tick 28 (1.40 s)');
});

test('the rounds of a delayed loop are told once', () => {
  const repeat = { type: 'repeatWithDelay', count: 2000, number: 50, actions: [count] };
  expect(told(playOf({ loop: named('loop', 'gameStart', repeat) }, 600)).slice(3)).toEqual([
    '    in script "loop"',
    '    from a timer of tick 599 (29.95 s)',
    '      by a timer of tick 598 (29.90 s), which has restarted itself since tick 0 (0.00 s)',
    '        by repeatWithDelay count: 2000, number: 50  (scripts/loop/actions/0)',
    '        in script "loop"',
    '        from trigger gameStart',
    '        from the start of the game',
  ]);
});

test('a script that calls itself is told with its innermost and outermost call', () => {
  const below = when([{ operandType: 'number', operator: '<' }, getVariable('k'), 100], [run('again')], []);
  const lines = told(playOf({ again: named('again', 'secondTick', count, below) }, 21));
  expect(lines.slice(-3)).toEqual([
    '    in script "again", which had started itself 98 times',
    '    from trigger secondTick',
    '    from the clock of the game',
  ]);
  expect(lines.length).toBe(10);
});

test('a chain that a test started goes back to the test', () => {
  const { loop } = looping(50);
  const { game } = loadDefinition(document({ variables, scripts: { loop: { ...loop, triggers: [] } } }));
  const sim = new Simulation(game!);
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  sim.run({ ticks: 40 });
  sim.edit.runScript('loop');
  sim.run({ ticks: 60 });
  recorder.end();
  const lines = told(new RecordedPlay(game!, arrangeJournal(records)!));
  expect(lines.join()).toContain('from a timer of tick 98 (4.90 s), which has restarted itself since tick 40 (2.00 s)');
  expect(lines.at(-1)!.trim()).toBe('from a change from outside the game, by a test or tool');
});
