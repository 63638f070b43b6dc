import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDefinition, playCounts, Replay, scriptsIn } from '../../engine/index.ts';
import { ExpressionError } from '../../src/expression/expression-error.ts';
import type { Write } from '../../src/why/answer.ts';
import { NoSuchTick } from '../../src/why/play-reader.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { whyText } from '../../src/why/why-text.ts';
import { lazily } from '../support/lazily.ts';
import { sampleGame, samplesFolder } from '../support/samples.ts';
import { kindsOf, recorded, recordedWith, writeOf } from './support.ts';

const outbreak = lazily(() => {
  const game = sampleGame('outbreak.json');
  return new RecordedPlay(game, recorded(game, 330));
});

type Scripts = Record<string, { actions: object[]; triggers?: object[] }>;

/** A play of Outbreak whose scripts were changed. */
function changed(change: (scripts: Scripts) => void): RecordedPlay {
  const document = JSON.parse(readFileSync(join(samplesFolder, 'outbreak.json'), 'utf8'));
  change(document.gameJson.data.scripts);
  const game = loadDefinition(document).game!;
  return new RecordedPlay(game, recorded(game, 400, 2));
}

const getVariable = (variableName: string) => ({ function: 'getVariable', variableName });
const setTo = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
const ifEqual = (left: object, right: number, actions: object[]) => ({
  type: 'condition',
  conditions: [{ operandType: 'number', operator: '==' }, left, right],
  then: actions,
  else: [],
});

test('counts are those of the play, whatever is asked first, and no tick is simulated twice for them', () => {
  const game = sampleGame('outbreak.json');
  const journal = recorded(game, 200);
  const asked = ['outputs ui.text', 'fired secondTick', 'runs "every second"'];
  const replay = new Replay(game, journal);
  const expected = new Map<number, unknown>();
  while (!replay.isAtEnd) {
    replay.step();
    const { scripts, triggers, outputs } = playCounts(replay.sim);
    const script = scriptsIn(replay.sim).scripts.findIndex(({ name }) => name === 'every second');
    expected.set(replay.tick, [outputs.get('ui.text') ?? 0, triggers.get('secondTick'), scripts[script]]);
  }
  const play = new RecordedPlay(game, journal);
  const replayed = play['reader'].replay;
  let steps = 0;
  replayed.step = () => {
    steps++;
    Replay.prototype.step.call(replayed);
  };
  for (const tick of [200, 150, 33, 199, 60, 40]) {
    expect(
      asked.map((each) => play.why(each, tick).value),
      `tick ${tick}`,
    ).toEqual(expected.get(tick));
    // Later questions simulate from a fork to their moment.
    if (tick === 200) expect(steps).toBeLessThan(300);
  }
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

  test('outputs by their kind and details', () => {
    const play = outbreak();
    const { value, write } = play.why('outputs ui.text with target top and "Outbreak in"', 290);
    expect([value, write!.tick, write!.posted!.join()]).toEqual([
      19,
      280,
      expect.stringContaining('"Outbreak in 1 s"'),
    ]);
    expect(write!.causes[0]!.text).toMatch(/^updateUiTextForEveryone target: "top"/);
    const earlier = play.why('outputs with value "Outbreak in 9 s"', 330);
    expect([earlier.value, earlier.write!.tick]).toEqual([1, 120]);
    expect(play.changes('outputs with to everyone and "Outbreak in"', 0, 60)).toEqual([20, 40, 60]);
    expect(play.lastHolding('outputs with "Outbreak in 9 s"', 200)).toBe(120);
    expect([60, 19].map((tick) => play.value('outputs with to everyone and "Outbreak in"', tick))).toEqual([4, 1]);
    // At the start of the play, and to one player by its name.
    expect(play.why('outputs camera with to bot1').write!.causes.at(-1)!.text).toContain('name bot1');
    const { notes } = play.why('outputs ui.text with "HUMANS WIN"', 60);
    expect(notes![0]).toBe('No output event of kind ui.text had these details. Output events of this kind:');
    expect(notes!.at(-1)).toBe('  tick 60 (3.00 s) ui.text {"op":"update","target":"top","value":"Outbreak in 12 s"}');
    expect(() => play.why('outputs ui.text with valu "x"')).toThrow('Did you mean "value"?');
    expect(() => play.why('outputs ui.txt with "x"')).toThrow('No kind of output is called "ui.txt"');
    expect(() => play.why('outputs ui.text with "x" == 1')).toThrow(ExpressionError);
  });

  test('all writes of a tick, by different actions, in order', () => {
    const document = JSON.parse(readFileSync(join(samplesFolder, '../../templates/coins/game.json'), 'utf8'));
    const setCoins = (value: number) => ({
      type: 'setPlayerAttribute',
      attribute: 'coins',
      entity: { function: 'selectedPlayer' },
      value,
    });
    const actions = [setCoins(1), setCoins(3), setCoins(2)];
    const each = { type: 'forAllPlayers', playerGroup: { function: 'allPlayers' }, actions };
    document.data.scripts.pay = { name: 'pays', triggers: [{ type: 'secondTick' }], conditions: [], actions: [each] };
    const game = loadDefinition(document).game!;
    const play = new RecordedPlay(game, recorded(game, 45, 1));
    const changes = ({ beforeText, afterText }: Write): string => `${beforeText} → ${afterText}`;
    const { write } = play.why('bot1.coins', 30);
    expect([write!.tick, ...write!.earlier!.map(changes), changes(write!)]).toEqual([20, '0 → 1', '1 → 3', '3 → 2']);
    expect(play.writes('bot1.coins', 40).map(changes)).toEqual(['2 → 1', '1 → 3', '3 → 2']);
    // In tick 40 they end at the value with which they began.
    expect(play.why('bot1.coins', 45).notes).toEqual([
      'Later changes cancelled each other out. The last changes:',
      expect.stringContaining('tick 40 (2.00 s): 1 → 3 by'),
      expect.stringContaining('tick 40 (2.00 s): 3 → 2 by'),
    ]);
  });

  test('the existence of an entity, back to the input', () => {
    const write = writeOf(outbreak().why('u4', 200));
    expect(write.causes[0]!.text).toContain('createUnitAtPosition');
    expect(write.causes.at(-1)).toMatchObject({ kind: 'input', text: expect.stringContaining('input join') });
  });

  test('players go by the names with which they joined; a name that two have is none', () => {
    const game = sampleGame('outbreak.json');
    const play = new RecordedPlay(
      game,
      recordedWith(game, [
        { clientId: 'p7', name: 'ann' },
        { clientId: 'p8', name: 'twin' },
        { clientId: 'p9', name: 'twin' },
      ]),
    );
    expect(play.why('ann.unit.x').text).toBe(play.why('p7.unit.x').text);
    expect(() => play.why('twin.unit.x')).toThrow(/Unknown name "twin"/);
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

  test('a condition: its parts, and what would have made it true', () => {
    const answer = outbreak().why('state == "postoutbreak"', 290);
    expect(answer.value).toBe(false);
    expect(answer.parts!.map(({ question }) => question)).toEqual(['state']);
    const notes = answer.notes!.join('\n');
    expect(notes).toContain('"outbreak" would: set state = "postoutbreak", but timeLeft <= 0 was false 14 times');
    expect(notes).toContain('(last: timeLeft was 1)');
  });

  test('a script that did not run, a trigger that did not fire', () => {
    const script = outbreak().why('runs "game over"', 290);
    expect(script.value).toBe(0);
    expect(script.notes!.join('\n')).toContain('"game over" would run, but state == "postoutbreak"');
    const trigger = outbreak().why('fired playerLeavesGame', 290);
    expect(trigger.notes).toEqual([
      'playerLeavesGame never fired. It fires when: A player is about to leave. The player and its units still exist.',
    ]);
  });

  test('writes that cancel each other out within a tick', () => {
    const { notes } = changed((scripts) => {
      scripts['showTimer']!.actions.push(setTo('timeLeft', getVariable('@timePreoutbreak')));
    }).why('timeLeft', 250);
    expect(notes).toEqual([
      'Later changes cancelled each other out. The last changes:',
      '  tick 240 (12.00 s): 15 → 14 by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second"',
      '  tick 240 (12.00 s): 14 → 15 by set timeLeft = @timePreoutbreak  (scripts/showTimer/actions/3) in script "show the time"',
    ]);
  });

  test('a variable that stopped changing: the condition around its last write', () => {
    const { write, notes } = changed((scripts) => {
      const count = scripts['everySecond']!.actions.shift()!;
      scripts['everySecond']!.actions.unshift(ifEqual(getVariable('timeLeft'), 15, [count]));
    }).why('timeLeft', 130);
    expect([write!.tick, notes![0]]).toEqual([
      20,
      '"every second" would: set timeLeft = (timeLeft - 1), but timeLeft == 15 was false 5 times (last: timeLeft was 14).',
    ]);
  });

  test("what would have changed a player's attribute", () => {
    expect(outbreak().why('bot1.score', 320).notes![0]).toMatch(
      /^"medicine is taken" would: set .*, but getItemTypeOfItem\(getTriggeringItem\(\)\) == "medicine" was false \d+ times/,
    );
  });

  test('actions that are switched off are named; a player without a unit is explained by what makes units', () => {
    const play = changed(({ playerJoins }) => {
      Object.assign(playerJoins!.actions[1]!, { disabled: true });
    });
    expect(play.why('bot1.unit.health', 100).notes).toContainEqual(
      expect.stringMatching(/^"player joins" would: createUnitAtPosition .*switched off\. Switched on, /),
    );
    // Only a unit of its own could change it.
    expect(play.why('bot1.timesTurned', 100).notes).toBeUndefined();
  });

  test('a script that listens to a trigger by an older name', () => {
    const play = changed(({ bought }) => {
      Object.assign(bought!, { triggers: [{ type: 'thisUnitPickedUpAnItem' }] });
    });
    expect(play.why('runs "somebody buys"', 20).notes).toEqual([
      expect.stringContaining('listens to thisUnitPicksUpItem, which '),
    ]);
  });

  test('what would move an item out of a hand', () => {
    const { notes } = outbreak().why('items of type stunGun held by bot1.unit', 20);
    expect(notes).toContainEqual(expect.stringMatching(/^".*" (?:would|does): drop(?:All)?Item/));
  });

  test('the texts have a line for each fact', () => {
    const play = outbreak();
    const texts = [
      ['timeLeft', 290, 2],
      ['state', 310, 1],
      ['u4', 200, 1],
      ['u4.health', 320, 1],
      ['@timeSick', 200, 1],
      ['state == "postoutbreak" and timeLeft < 2', 290, 1],
      ['runs "game over"', 290, 1],
      ['fired playerLeavesGame', 290, 1],
      ['outputs ui.text', 290, 1],
    ].map(([question, tick, depth]) =>
      whyText(play.why(question as string, tick as number, { depth: depth as number })),
    );
    expect(`\n${texts.join('\n\n')}\n`).toMatchInlineSnapshot(`
      "
      timeLeft is 1 at tick 290 (14.50 s)
        tick 280 (14.00 s): 2 → 1
          by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0)
            timeLeft was 2
              tick 260 (13.00 s): 3 → 2
                by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0)
                  timeLeft was 3
                in script "every second"
                from trigger secondTick
                from the clock of the game
          in script "every second"
          from trigger secondTick
          from the clock of the game

      state is "postoutbreak" at tick 310 (15.50 s)
        tick 300 (15.00 s): "preoutbreak" → "postoutbreak"
          by set state = "postoutbreak"  (scripts/outbreak/actions/0)
          in script "outbreak"
            state was "preoutbreak"
          called by runScript scriptName: "outbreak"  (scripts/nextState/actions/0/then/0)
          inside if state == "preoutbreak"  (scripts/nextState/actions/0)
            state was "preoutbreak"
          in script "time is up"
          called by runScript scriptName: "nextState"  (scripts/everySecond/actions/3/then/0)
          inside if timeLeft <= 0  (scripts/everySecond/actions/3)
            timeLeft was 0
          in script "every second"
          from trigger secondTick
          from the clock of the game

      u4 is u4 (Human) at tick 200 (10.00 s)
        "player leaves" would: destroyEntity entity: selectedUnit(). "player leaves" listens to playerLeavesGame, which never fired: A player is about to leave. The player and its units still exist.
        tick 1 (0.05 s): nothing: there is no u4 → u4 (Human)
          by createUnitAtPosition unitType: "human", entity: getTriggeringPlayer(), position: getRandomPositionInRegion(townSquare), angle: 0  (scripts/playerJoins/actions/1)
            getTriggeringPlayer() was bot1
            townSquare was r:townSquare (640 x 384)
          in script "player joins"
          from trigger playerJoinsGame: player bot1
          from input join: clientId bot1, name bot1, userId bot1, roleIds [], account {"coins":1519,"invitedUsers":2}, persisted {}

      u4.health is 100 at tick 320 (16.00 s)
        u4.health is at its maximum, 100.
        tick 1 (0.05 s): nothing: there is no u4 → 100
          by createUnitAtPosition unitType: "human", entity: getTriggeringPlayer(), position: getRandomPositionInRegion(townSquare), angle: 0  (scripts/playerJoins/actions/1)
            getTriggeringPlayer() was bot1
            townSquare was r:townSquare (640 x 384)
          in script "player joins"
          from trigger playerJoinsGame: player bot1
          from input join: clientId bot1, name bot1, userId bot1, roleIds [], account {"coins":1519,"invitedUsers":2}, persisted {}

      @timeSick is 10 at tick 200 (10.00 s)
        No script sets @timeSick.

      state == "postoutbreak" and timeLeft < 2 is false at tick 290 (14.50 s)
        "outbreak" would: set state = "postoutbreak", but timeLeft <= 0 was false 14 times in "every second" (last: timeLeft was 1).
          timeLeft: tick 280 (14.00 s): 2 → 1 by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second"
        state is "preoutbreak" at tick 290 (14.50 s)
          The value has not changed since the play began.
        timeLeft is 1 at tick 290 (14.50 s)
          tick 280 (14.00 s): 2 → 1
            by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0)
              timeLeft was 2
            in script "every second"
            from trigger secondTick
            from the clock of the game

      runs "game over" is 0 at tick 290 (14.50 s)
        "game over" would run, but state == "postoutbreak" was false 14 times in "every second" (last: state was "preoutbreak").
          state: "outbreak" would: set state = "postoutbreak", but timeLeft <= 0 was false 14 times in "every second" (last: timeLeft was 1).
            timeLeft: tick 280 (14.00 s): 2 → 1 by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second"
        "game over" would run, but timeLeft <= 0 was false 14 times in "every second" (last: timeLeft was 1).

      fired playerLeavesGame is 0 at tick 290 (14.50 s)
        playerLeavesGame never fired. It fires when: A player is about to leave. The player and its units still exist.

      outputs ui.text is 38 at tick 290 (14.50 s)
        tick 280 (14.00 s)
          ui.text {"op":"update","target":"scoreboard","value":"humans 4 / zombies 0"}
          by updateUiTextForEveryone target: "scoreboard", value: concat(textA: "humans ", textB: concat(textA: humansLeft, textB: concat(textA: " / zombies ", textB: zombies)))  (scripts/showTimer/actions/2)
            humansLeft was 4
            zombies was 0
          in script "show the time"
          called by runScript scriptName: "showTimer"  (scripts/everySecond/actions/5)
          in script "every second"
          from trigger secondTick
          from the clock of the game
      "
    `);
  });

  test('wrong questions have a code', () => {
    expect(() => outbreak().why('timeLefd')).toThrow(ExpressionError);
    expect(() => outbreak().why('timeLefd')).toThrow('Did you mean "timeLeft"?');
    expect(() => outbreak().why('timeLeft', 331)).toThrow(NoSuchTick);
    expect(() => outbreak().changes('timeLeft', 0, 331)).toThrow(NoSuchTick);
    expect(() => outbreak().why('timeLeft', 331)).toThrow('which goes from tick 0 (0.00 s) to tick 330 (16.50 s)');
  });
});
