import { describe, expect, test } from 'vitest';
import { ExpressionError } from '../../src/expression/expression-error.ts';
import { NoSuchTick, RecordedPlay } from '../../src/why/recorded-play.ts';
import { whyText } from '../../src/why/why-text.ts';
import { lazily } from '../support/lazily.ts';
import { sampleGame } from '../support/samples.ts';
import { kindsOf, recorded, writeOf } from './support.ts';

const outbreak = lazily(() => {
  const game = sampleGame('outbreak.json');
  return new RecordedPlay(game, recorded(game, 330));
});

describe('why a value is what it is', () => {
  test('a variable: the action, what it read, and what started its script', () => {
    const write = writeOf(outbreak().why('timeLeft', 290));
    expect([write.tick, write.before, write.after]).toEqual([280, 2, 1]);
    expect(kindsOf(write)).toEqual(['action', 'script', 'trigger', 'clock']);
    expect(write.causes[0]).toMatchObject({ script: 'scripts/everySecond', path: '0' });
    expect(write.causes[0]!.reads).toMatchObject([{ text: 'timeLeft', value: 2, expression: 'timeLeft', tick: 280 }]);
  });

  test('a value that a write read can be asked as of that moment', () => {
    const [read] = writeOf(outbreak().why('timeLeft', 290)).causes[0]!.reads!;
    const before = outbreak().whyRead(read!)!;
    expect([before.value, writeOf(before).tick]).toEqual([2, 260]);
  });

  test('depth opens what a write read', () => {
    const [read] = writeOf(outbreak().why('timeLeft', 290, { depth: 3 })).causes[0]!.reads!;
    const [second] = writeOf(read!.why!).causes[0]!.reads!;
    expect([writeOf(read!.why!).tick, writeOf(second!.why!).tick]).toEqual([260, 240]);
    expect(second!.why!.write!.causes[0]!.reads![0]!.why).toBeUndefined();
  });

  test('conditions around the action, and calls from other scripts', () => {
    const write = writeOf(outbreak().why('state', 310));
    expect([write.tick, write.before, write.after]).toEqual([300, 'preoutbreak', 'postoutbreak']);
    const condition = write.causes.find(({ text }) => text.includes('timeLeft <= 0'));
    expect(condition).toMatchObject({ kind: 'condition', reads: [{ expression: 'timeLeft', value: 0 }] });
    expect(write.causes.filter(({ kind }) => kind === 'script').length).toBeGreaterThan(1);
    expect(write.causes.at(-1)!.kind).toBe('clock');
  });

  test('the existence of an entity, back to the input', () => {
    const write = writeOf(outbreak().why('u4', 200));
    expect(write.causes[0]!.text).toContain('createUnitAtPosition');
    expect(write.causes.at(-1)).toMatchObject({ kind: 'input', text: expect.stringContaining('input join') });
  });

  test('a position: the physics step, and the keys that are held', () => {
    const { replay, play } = { replay: outbreak().journal, play: outbreak() };
    const [tick, inputs] = [...replay.inputs].find(
      ([at, list]) => at > 100 && list.some(({ kind }) => kind === 'keyDown'),
    )!;
    const press = inputs.find((input) => input.kind === 'keyDown')!;
    const unit = play.value(`${press.player}.unit`, tick) as string;
    const write = writeOf(play.why(`${unit.slice(1)}.x`, 200));
    expect(write.causes[0]).toMatchObject({ kind: 'rule', text: expect.stringContaining('the physics step') });
  });

  test('a variable of the start that nothing sets', () => {
    const answer = outbreak().why('@timeSick', 200);
    expect([answer.value, answer.write]).toEqual([10, undefined]);
    expect(answer.notes).toEqual(['No script sets @timeSick.']);
  });

  test('a condition: its parts, and what would have made it true', () => {
    const answer = outbreak().why('state == "postoutbreak"', 290);
    expect(answer.value).toBe(false);
    expect(answer.parts!.map(({ question }) => question)).toEqual(['state']);
    const notes = answer.notes!.join('\n');
    expect(notes).toContain('set state = "postoutbreak"; it never ran.');
    expect(notes).toContain('timeLeft <= 0 was false 14 times: timeLeft was 14 first, 1 last');
  });

  test('a script that did not run, a trigger that did not fire', () => {
    const script = outbreak().why('runs "game over"', 290);
    expect(script.value).toBe(0);
    expect(script.notes!.join('\n')).toContain('"game over" is called by');
    const trigger = outbreak().why('fired playerLeavesGame', 290);
    expect(trigger.notes).toEqual([
      'playerLeavesGame fires when: A player is about to leave. The player and its units still exist.',
      'It never fired.',
    ]);
  });

  test('an output: what was posted, and who posted it', () => {
    const answer = outbreak().why('outputs ui.text', 290);
    const write = writeOf(answer);
    expect(write.posted!.join()).toContain('"target":"scoreboard"');
    expect(write.causes[0]).toMatchObject({ kind: 'action', script: 'scripts/showTimer' });
    expect(write).not.toHaveProperty('before');
  });

  test('the text has a line for each fact', () => {
    expect(whyText(outbreak().why('timeLeft', 290))).toBe(
      [
        'timeLeft is 1 at tick 290 (14.50 s)',
        '  tick 280 (14.00 s): 2 → 1',
        '    by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0)',
        '      timeLeft was 2',
        '    in script "every second"',
        '    from trigger secondTick',
        '    from the clock of the game',
      ].join('\n'),
    );
  });

  test('wrong questions have a code', () => {
    expect(() => outbreak().why('timeLefd')).toThrow(ExpressionError);
    expect(() => outbreak().why('timeLefd')).toThrow('Did you mean "timeLeft"?');
    expect(() => outbreak().why('timeLeft', 331)).toThrow(NoSuchTick);
    expect(() => outbreak().why('timeLeft', 331)).toThrow(
      'The recording goes from tick 0 (0.00 s) to tick 330 (16.50 s)',
    );
  });
});
