import { describe, expect, test } from 'vitest';
import { catalogue } from '../../engine/index.ts';
import { everydayWords } from '../../src/language/everyday-words.ts';
import { reenact } from './support.ts';

describe('ops', () => {
  test('lists every action, function and trigger by family', async () => {
    const { code, stdout, stderr } = await reenact(['ops']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('actions: control-flow\n');
    expect(stdout).toContain('  repeat(count: number, actions?: actions)\n');
    expect(stdout).toContain('  mathFloor(value: number) -> number\n');
    expect(stdout).toContain('  unitTouchesItem(unit, item)  global; direct\n');
    const lines = stdout.split('\n').filter((line) => line.startsWith('  '));
    const { actions, functions, triggers } = catalogue();
    expect(lines).toHaveLength(actions.length + functions.length + triggers.length);
  });

  test('says which operations are only published, and which do nothing and why', async () => {
    expect((await reenact(['ops', 'sendChatMessage'])).stdout).toMatch(
      /^sendChatMessage\(message: .*\) {2}\[output\]$/m,
    );
    expect((await reenact(['ops', 'chatmess'])).stdout).toMatch(/^ {2}sendChatMessage\(message: .*\) {2}\[output\]$/m);
    expect((await reenact(['ops', 'selectedParticle'])).stdout).toMatch(/\[inert: .+\]/);
  });

  test('searches the descriptions of operations and triggers, too', async () => {
    const { code, stdout } = await reenact(['ops', 'moves an entity']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}moveEntity\(/m);
    expect((await reenact(['ops', 'another script of the same entity'])).stdout).toMatch(/^ {2}runScript\(/m);
  });

  test('finds several words in any order', async () => {
    expect((await reenact(['ops', 'respawn'])).stdout).toMatch(/^ {2}createUnitAtPosition\(/m);
    expect((await reenact(['ops', 'sound play player'])).stdout).toMatch(/^ {2}playSoundForPlayer\(/m);
  });

  test.each([
    ['heal', 'setEntityAttribute'],
    ['team', 'assignPlayerType'],
    ['timer', 'setTimeOut'],
    ['countdown', 'secondTick'],
    ['winner', 'showUiTextForEveryone'],
    ['kill', 'unitAttributeBecomesZero'],
    ['winning', 'endGame'],
    ['killing', 'unitAttributeBecomesZero'],
    ['timed', 'setTimeOut'],
    ['spawning enemies', 'createUnitAtPosition'],
    ['spawn enemy', 'createUnitAtPosition'],
    ['shoot', 'createProjectileAtPosition'],
  ])('finds %j by what it does in a game', async (words, operation) => {
    const { code, stdout } = await reenact(['ops', words]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ {2}${operation}\\(`, 'm'));
  });

  test('all words of games lead to operations, none of which has the word itself', () => {
    const { actions, functions, triggers } = catalogue();
    const rows = new Map([...actions, ...functions, ...triggers].map((row) => [row.type, row]));
    for (const [operation, words] of Object.entries(everydayWords)) {
      const row = rows.get(operation);
      expect(row, operation).toBeDefined();
      const own = [row!.type, ...row!.aliases, row!.about].join(' ').toLowerCase();
      for (const word of words.split(' ')) expect(own.includes(word), `${operation}: ${word}`).toBe(false);
    }
  });

  test('a function that only reads is not said to change anything', async () => {
    const { stdout } = await reenact(['ops', 'mathFloor']);
    expect(stdout).toMatch(/^mathFloor\(.*\n {2}A number rounded down to a whole number\.\n {2}If an operand/);
    expect((await reenact(['ops', 'sendChatMessage'])).stdout).toContain('is published as an output event');
  });

  test('durations in examples are long enough to notice', async () => {
    expect((await reenact(['ops', 'setTimeOut'])).stdout).toContain('"duration":1000');
    expect((await reenact(['ops', 'repeatWithDelay'])).stdout).toContain('"number":1000');
  });

  test('the name of an operation or trigger shows its full entry', async () => {
    const { stdout } = await reenact(['ops', 'moveEntity']);
    expect(stdout.split('\n')).toEqual([
      'moveEntity(entity: movable entity, position: position)',
      '  Moves an entity to a position. Clients animate the movement.',
      '  Without entity the action is skipped, which is not a fault. If an operand is missing, the action does nothing and a fault is recorded.',
      expect.stringMatching(/^ {2}example: \{"type":"moveEntity",/),
      '',
    ]);
    expect((await reenact(['ops', 'unitTouchesItem'])).stdout).toContain(
      '\n  Available: getTriggeringUnit, getTriggeringItem.\n',
    );
  });

  test('a word filters by names and aliases, ignoring case', async () => {
    const { stdout } = await reenact(['ops', 'GETSELECTEDUNIT']);
    expect(stdout).toBe('functions: trigger\n  selectedUnit() -> unit  also getSelectedUnit\n');
  });

  test('a word that matches nothing is an error', async () => {
    const { code, stdout, stderr } = await reenact(['ops', 'destroyEntitiy']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'unknown-operation: No action, function or trigger has "destroyEntitiy" in its name or its description. Did you mean "destroyEntity"?\n',
    );
  });

  test('--json is the catalogue as data', async () => {
    const { stdout } = await reenact(['ops', '--json']);
    expect(JSON.parse(stdout)).toEqual(catalogue());
  });
});
