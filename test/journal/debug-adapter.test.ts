import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { type LaunchArguments, serveAdapter } from '../../src/journal/debug-adapter.ts';
import { shownLines, thingsOf } from '../../src/review/index.ts';
import { add, countingGame } from '../cli/support.ts';
import { script } from '../support/play.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol.
type Any = any;

/**
 * An editor that debugs six seconds of a game; its text has a line for each value. `printed`: the URI under which the
 * game is shown as text.
 */
async function editor(document: object = countingGame(), launch: object = {}, indent = 2, printed?: string) {
  const text = JSON.stringify(document, null, indent);
  const shown = shownLines(thingsOf(document, loadDefinition(document).game!));
  const lines = printed === undefined ? text.split('\n') : shown.map((line) => line.text);
  const path = printed ?? '/games/game.json';
  const [input, output] = [new PassThrough(), new PassThrough()];
  const writer = new StreamMessageWriter(input);
  const events: Any[] = [];
  const answers = new Map<number, (answer: Any) => void>();
  new StreamMessageReader(output).listen((message: Any) => {
    if (message.type === 'event') events.push(message);
    else answers.get(message.request_seq)?.(message);
  });
  const open = async ({ program }: LaunchArguments) => {
    if (program !== 'game.json') throw new Error(`There is no ${program}.`);
    const loaded = loadDefinition(JSON.parse(text)).game!;
    const sim = new Simulation(loaded, { seed: 1 });
    const records: JournalRecord[] = [];
    const recorder = sim.journal((record) => records.push(record), { source: 'game.json' });
    sim.join({ clientId: 'ada', name: 'Ada' });
    sim.run({ seconds: 6 });
    recorder.end();
    return { loaded, journal: arrangeJournal(records)!, text, path, ...(printed !== undefined && { lines: shown }) };
  };
  const ended = serveAdapter({ input, output, open });
  let sequence = 0;
  const ask = (command: string, args: object = {}): Promise<Any> => {
    void writer.write({ seq: ++sequence, type: 'request', command, arguments: args } as Any);
    return new Promise((done) => answers.set(sequence, done));
  };
  /** Moves, and says where it stopped: `16: add` is the frame at a line. */
  const go = async (command: string): Promise<string> => {
    const known = events.length;
    await ask(command);
    await expect.poll(() => events.slice(known).some(({ event }) => event === 'stopped')).toBe(true);
    return stop();
  };
  const stop = async (): Promise<string> => {
    const { body } = await ask('stackTrace', { threadId: 1 });
    const frames = body.stackFrames.map(({ line, name }: Any) =>
      line === 0 ? name : `${lines[line - 1]!.trim()} ${name}`,
    );
    return `${events.findLast(({ event }) => event === 'stopped').body.reason}: ${frames.join(' < ')}`;
  };
  const value = async (expression: string): Promise<string> =>
    (await ask('evaluate', { expression, context: 'repl' })).body.result;
  const lineOf = (what: string): number => lines.findIndex((line) => line.includes(what)) + 1;
  const breakAt = async (...at: number[]): Promise<Any[]> =>
    (await ask('setBreakpoints', { source: { path }, breakpoints: at.map((line) => ({ line })) })).body.breakpoints;
  await ask('initialize', { adapterID: 'reenact' });
  const launched = await ask('launch', { program: 'game.json', ...launch });
  const messages = (): string[] => events.filter(({ event }) => event === 'output').map(({ body }) => body.output);
  return { ask, go, value, lineOf, breakAt, launched, ended, printed: messages, text };
}

test('an editor stops at a line of a script, sees values before it runs, and goes back', async () => {
  const { go, value, lineOf, breakAt } = await editor();
  const line = lineOf('"gameover"');
  expect(await breakAt(line, 1, 10_000)).toEqual([
    { verified: true, line: line - 3, column: 15 },
    { verified: true, line: lineOf('"type": "assignPlayerType"') - 1, column: 11 },
    { verified: false, message: 'There is no action at or after this position.' },
  ]);
  expect(await go('configurationDone')).toMatch(/^breakpoint: { player joins: .* < playerJoinsGame, tick 1 /);
  expect(await go('continue')).toBe(
    'breakpoint: { every second: set state = "gameover" < secondTick, tick 60 (3.00 s)',
  );
  expect([await value('state'), await value('seconds')]).toEqual(['"playing"', '3']);
  expect(await go('stepIn')).toMatch(/^step: .* < secondTick, tick 80 /);
  expect([await value('state'), await value('seconds')]).toEqual(['"gameover"', '3']);
  expect(await go('stepBack')).toMatch(/^step: .*state = "gameover" < secondTick, tick 60 /);
  expect(await go('stepBack')).toMatch(/^step: .* < secondTick, tick 60 /);
  expect(await go('reverseContinue')).toMatch(/^breakpoint: .* < playerJoinsGame, tick 1 /);
  expect(await go('reverseContinue')).toBe('pause: end of tick 0 (0.00 s)');
  expect(await value('seconds')).toBe('0');
});

test('steps go over, into and out of scripts that an action runs', async () => {
  const calling = [{ type: 'runScript', scriptName: 'twice' }, add('seconds', 100)];
  const { go, value } = await editor(
    countingGame({
      scripts: {
        second: { ...script('secondTick', calling), name: 'every second' },
        twice: { ...script([], [add('seconds', 1), add('seconds', 10)]), name: 'twice' },
      },
    }),
    { stopAt: 'scripts/second' },
  );
  expect(await go('configurationDone')).toMatch(/^breakpoint: { every second: runScript .* < secondTick, tick 20 /);
  expect(await go('stepIn')).toMatch(/^step: { twice: .* \+ 1\) < { every second: runScript .* < secondTick, tick 20 /);
  expect(await go('next')).toMatch(/^step: { twice: .* \+ 10\) < /);
  // As of the moment before the action, not of the end of the tick.
  expect(await value('why seconds')).toMatch(/^seconds is 1 at tick 20 .*\n *tick 20 .*: 0 → 1\n/);
  expect(await go('stepBack')).toMatch(/^step: { twice: .* \+ 1\) < /);
  expect(await go('stepOut')).toMatch(/^step: { every second: .* \+ 100\) < secondTick, tick 20 /);
  expect(await go('stepBack')).toMatch(/^step: { every second: runScript /);
  expect(await go('next')).toMatch(/^step: { every second: .* \+ 100\) < secondTick, tick 20 /);
  expect(await go('next')).toMatch(/^step: { every second: runScript .* tick 40 /);
});

test('stops at triggers, conditions and changed values; what cannot be found is told', async () => {
  const { ask, go, value } = await editor();
  const named = ['secondTick', 'when seconds > 1', 'no such thing', 'when secondz > 1'];
  const { body } = await ask('setFunctionBreakpoints', { breakpoints: named.map((name) => ({ name })) });
  expect(body.breakpoints).toEqual([
    { verified: true },
    { verified: true },
    { verified: false, message: 'there is no trigger, script or action "no such thing"' },
    { verified: false, message: expect.stringContaining('secondz') },
  ]);
  expect(await go('configurationDone')).toBe('function breakpoint: end of tick 20 (1.00 s)');
  await ask('setFunctionBreakpoints', { breakpoints: [] });
  const info = await ask('dataBreakpointInfo', { name: 'state', variablesReference: 2 });
  await ask('setDataBreakpoints', { breakpoints: [{ dataId: info.body.dataId }] });
  expect(await go('continue')).toBe('data breakpoint: end of tick 60 (3.00 s)');
  expect(await value('why state')).toMatch(/"every second"/);
  expect(await go('continue')).toBe('pause: end of tick 120 (6.00 s)');
  expect((await ask('dataBreakpointInfo', { name: 'u1' })).body.dataId).toBe(null);
});

test('shows what an action read, the variables, and entities with their values', async () => {
  const { ask, go } = await editor(undefined, { stopAt: 'scripts/second/actions/1' });
  await go('configurationDone');
  const { scopes } = (await ask('scopes', { frameId: (await ask('stackTrace')).body.stackFrames[0].id })).body;
  const open = async (variablesReference: number) => (await ask('variables', { variablesReference })).body.variables;
  const names = scopes.map(({ name }: Any) => name);
  expect(names).toEqual(['Values of the action', 'Variables', 'Entities']);
  expect(await open(scopes[0].variablesReference)).toMatchObject([{ name: 'seconds', value: '1' }]);
  expect(await open(scopes[1].variablesReference)).toContainEqual(
    expect.objectContaining({ name: 'state', value: '"playing"' }),
  );
  const kinds = await open(scopes[2].variablesReference);
  expect(kinds).toContainEqual(expect.objectContaining({ name: 'units', value: '1' }));
  const [unit] = await open(kinds[0].variablesReference);
  expect(unit.value).toMatch(/Walker/);
  expect(await open(unit.variablesReference)).toContainEqual(expect.objectContaining({ name: 'state' }));
});

test('values are those of the expression language, before the action; an unknown name is an error', async () => {
  const { ask, go, value, lineOf, breakAt } = await editor();
  await breakAt(lineOf('"gameover"'));
  await go('configurationDone');
  expect(await value('seconds == 4')).toBe('false');
  expect(await value('seconds + 1')).toBe('4');
  expect(await value('state == "playing" and seconds > 2')).toBe('true');
  expect(await value('inspect ada')).toMatch(/Ada/);
  for (const context of ['watch', 'hover', 'repl'])
    expect(await ask('evaluate', { expression: 'secondz', context })).toMatchObject({
      success: false,
      message: expect.stringContaining('secondz'),
    });
});

test('breakpoints have conditions, and log points print without stopping', async () => {
  const { ask, go, value, printed, lineOf } = await editor();
  const line = lineOf('"variableName": "seconds"');
  const set = async (...breakpoints: object[]): Promise<Any[]> =>
    (await ask('setBreakpoints', { source: { path: '/games/game.json' }, breakpoints })).body.breakpoints;
  expect(await set({ line, condition: 'secondz == 2' })).toEqual([
    { verified: false, message: expect.stringContaining('secondz') },
  ]);
  expect(await set({ line, condition: 'seconds == 2' })).toMatchObject([{ verified: true }]);
  expect(await go('configurationDone')).toMatch(/^breakpoint: .* < secondTick, tick 60 /);
  expect(await value('seconds')).toBe('2');
  expect(await go('continue')).toMatch(/^pause: end of tick 120 /);
  expect(await go('reverseContinue')).toMatch(/^breakpoint: .* < secondTick, tick 60 /);
  expect(await go('reverseContinue')).toMatch(/^pause: end of tick 0 /);
  expect(printed()).toEqual([]);
  await set({ line, logMessage: 'second {seconds} of {3 + 3}' });
  expect(await go('continue')).toMatch(/^pause: end of tick 120 /);
  expect(printed()).toEqual([0, 1, 2, 3, 4, 5].map((second) => `second ${second} of 6\n`));
  await go('reverseContinue');
  await set({ line, logMessage: '{seconds}', condition: 'seconds > 3' });
  await go('continue');
  expect(printed().slice(6)).toEqual(['4\n', '5\n']);
});

test('a game of one line has breakpoints by column, and says so', async () => {
  const { ask, go, text, breakAt } = await editor(undefined, {}, 0);
  expect(text).not.toContain('\n');
  expect(await breakAt(1)).toEqual([{ verified: false, message: expect.stringContaining('function breakpoint') }]);
  const source = { path: '/games/game.json' };
  const { breakpoints } = (await ask('breakpointLocations', { source, line: 1 })).body;
  const column = text.indexOf('{"type":"setVariable","variableName":"state"') + 1;
  expect(breakpoints).toContainEqual({ line: 1, column });
  expect(
    (await ask('breakpointLocations', { source, line: 1, column, endColumn: column + 1 })).body.breakpoints,
  ).toEqual([{ line: 1, column }]);
  const { body } = await ask('setBreakpoints', { source, breakpoints: [{ line: 1, column: column + 3 }] });
  expect(body.breakpoints).toEqual([{ verified: true, line: 1, column }]);
  expect(await go('configurationDone')).toMatch(/every second: set state = "gameover" < secondTick, tick 60 /);
  expect((await ask('stackTrace')).body.stackFrames[0]).toMatchObject({ line: 1, column });
});

test('errors are answers', async () => {
  const { ask, launched, ended } = await editor(undefined, { program: 'other.json' });
  expect(launched).toMatchObject({ success: false, message: 'There is no other.json.' });
  expect(await ask('continue')).toMatchObject({ success: false, message: 'continue needs a launched game.' });
  expect(await ask('launch', { program: 'game.json', stopAt: 'scripts/nothing' })).toMatchObject({
    message: 'there is no trigger, script or action "scripts/nothing"',
  });
  expect(await ask('continue')).toMatchObject({ success: false, message: 'continue needs a launched game.' });
  expect(await ask('launch', { program: 'game.json' })).toMatchObject({ success: true });
  expect(await ask('setBreakpoints', { source: { path: 'b.json' }, breakpoints: [{ line: 1 }] })).toMatchObject({
    body: { breakpoints: [{ verified: false, message: 'Only actions in /games/game.json can have breakpoints.' }] },
  });
  expect(await ask('restartFrame')).toMatchObject({
    success: false,
    message: 'The request restartFrame is not supported.',
  });
  expect(await ask('disconnect')).toMatchObject({ success: true });
  await ended;
});

test('a game on one line is debugged in its printed text, under the name that the editor has for it', async () => {
  const uri = 'reenact:/games/game.json.txt';
  const { ask, go, lineOf, breakAt } = await editor(undefined, {}, 0, uri);
  const line = lineOf('set state = "gameover"');
  expect(await breakAt(line, lineOf('script "every second"'))).toEqual([
    { verified: true, line, column: expect.any(Number) },
    { verified: true, line: lineOf('script "every second"') + 1, column: 3 },
  ]);
  const { body } = await ask('breakpointLocations', { source: { path: uri }, line });
  expect(body.breakpoints).toMatchObject([{ line }]);
  expect(await go('configurationDone')).toMatch(/^breakpoint: set seconds = .* every second: set seconds/);
  await breakAt(line);
  expect(await go('continue')).toMatch(/^breakpoint: set state = "gameover" every second: .* tick 60 /);
  const { stackFrames } = (await ask('stackTrace')).body;
  expect(stackFrames[0]).toMatchObject({ source: { path: uri }, line });
});
