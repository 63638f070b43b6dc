import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countingGame, reenact } from '../cli/support.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-names-'));
  const greeting = { name: 'Greeting', message: 'Hi', options: [{ name: 'Yes, please' }, { name: 'No' }] };
  const lamp = { name: 'Lamp', type: 'other', states: { lit: { name: 'shining' } }, bodies: {} };
  const more = { dialogues: { hello: greeting }, itemTypes: { lamp } };
  writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame(more)));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function played(scenarios: string): Promise<{ code: number; stdout: string }> {
  const path = join(folder, 'a.scenario.yaml');
  writeFileSync(path, `game: game.json\nscenarios:\n${scenarios}`);
  const { code, stdout } = await reenact(['test', path, '--pictures', '', '--no-times']);
  return { code, stdout };
}

test('all unknown names are reported together before the play', async () => {
  const { code, stdout } = await played(`
  - name: sound
    steps: [{ wait: 1 s }, { expect: seconds == 1 }]
  - name: slips
    given:
      players: [alice]
    steps:
      - { wait: 600 s }
      - { press: w, by: alcie }
      - { expect: secnods == 1 }
      - { event: seconTick }
      - { ran: every secund }
      - { set: { stat: x } }
`);
  expect(code).toBe(1);
  expect(stdout).toContain('✓ sound  1.0 s');
  const told = stdout.slice(stdout.indexOf('✗ slips'), stdout.indexOf('run again:'));
  expect(told.split('\n').map((line) => line.trim())).toEqual([
    '✗ slips  0.0 s in 0 ms',
    expect.stringMatching(/a\.scenario\.yaml:11$/),
    'the scenario cannot be run',
    'line 11: There is no player "alcie". Did you mean "alice"?',
    'line 12: Unknown name "secnods". Did you mean "seconds"?',
    'secnods == 1',
    '^',
    'line 13: No trigger is called "seconTick". Did you mean "secondTick"?',
    'line 14: The game has no script "every secund". Did you mean "every second"?',
    'line 15: The game has no variable "stat". Did you mean "state"?',
    'at 0.00 s (tick 0)',
    '',
  ]);
});

test.each([
  ['{ spawn: { unit: waker } }', 'The game has no unit type "waker". Did you mean "walker"?'],
  ['{ give: apple, to: alice }', 'The game has no item type "apple".'],
  ['{ press: spcae, by: alice }', 'No key is called "spcae". Did you mean "space"?'],
  ['{ destroy: bob }', 'There is no entity, player or region "bob".'],
  ['{ move: alice, to: hoem }', 'There is no entity, player or region "hoem".'],
  ['{ set: { alice.haelth: 3 } }', 'No entity or player of the game has an attribute or variable "haelth".'],
  ['{ event: secondTick, where: { unit: alice } }', 'secondTick has no member "unit"; its members are none.'],
  ['{ output: ui.txet }', 'No kind of output is called "ui.txet". Did you mean "ui.text"?'],
  ['{ order: [secondTick, unitDis] }', 'No trigger is called "unitDis".'],
  ['{ always: secnods < 3 }', 'Unknown name "secnods". Did you mean "seconds"?'],
  ['{ join: bob, type: humn }', 'The game has no player type "humn".'],
  ['{ join: bob, roles: [boss] }', 'The game has no role "boss".'],
  ['{ event: playerJoinsGame, where: { player: alcie } }', 'There is no entity, player or region "alcie".'],
  ['{ event: unitTouchesUnit, where: { unit: { type: waker } } }', 'The game has no unit type "waker".'],
  ['{ order: [secondTick, { event: secondTick, where: { unit: alice } }] }', 'secondTick has no member "unit"'],
  ['{ output: chat, to: alcie }', 'There is no entity, player or region "alcie". Did you mean "alice"?'],
  ['{ output: chat, where: { to: alcie } }', 'There is no entity, player or region "alcie". Did you mean "alice"?'],
  ['{ run: every second, with: { playr: alice } }', 'No trigger has the payload member "playr"'],
  ['{ press: w, by: alice, for: 5 hoors }', '"5 hoors" is not a duration. Expected a duration such as "5 s"'],
  ['{ expect: seconds > 3, within: 5 hoors }', '"5 hoors" is not a duration. Expected a duration such as "5 s"'],
  ['{ replay: no.journal }', 'File no.journal not found.'],
  ['{ output: chat, where: { txt: hello } }', 'chat has no member "txt"; its members are op, text, '],
  ['{ order: [secondTick, { output: quest, where: { quest: 1 } }] }', 'quest has no member "quest"'],
  ['{ choose: yes, dialogue: helo, by: alice }', 'The game has no dialogue "helo". Did you mean "hello"?'],
  ['{ choose: maybe, dialogue: Greeting, by: alice }', 'The dialogue "Greeting" has no option "maybe".'],
  ['{ spawn: { item: lamp, state: litt } }', 'The item type "Lamp" has no state "litt". Did you mean "lit"?'],
  ['{ expect: no items where (state == "litt") }', 'The game has no state "litt". Did you mean "lit"?'],
  ['{ expect: alice.unit.type == "Waker" }', 'The game has no type "Waker". Did you mean "walker"?'],
  ['{ never: \'"dark" == alice.unit.holding.state\' }', 'The game has no state "dark".'],
])('%s: %s', async (step, message) => {
  const { code, stdout } = await played(
    `  - { name: a, given: { players: [alice] }, steps: [{ wait: 600 s }, ${step}] }\n`,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(message) });
  expect(stdout).toContain('✗ a  0.0 s');
});

test.each([
  ['budget: { wall: 5 hoors }', '"5 hoors" is not a duration'],
  ['budget: { wall: 5 ticks }', '"5 ticks" is not a duration in real time'],
  ['plot: [secnods]', 'Unknown name "secnods"'],
  ['given: { snapshot: no.journal }', 'File no.journal not found.'],
])('an unknown name of the scenario itself, %s: %s', async (said, message) => {
  const { code, stdout } = await played(
    `  - { name: a, ${said}, steps: [{ wait: 600 s }, { expect: seconds > 1 }] }\n`,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(message) });
  expect(stdout).toContain('✗ a  0.0 s');
});

test('names of later entities and of runtime values are accepted', async () => {
  const { code, stdout } = await played(`
  - name: names
    given:
      bots: 1
      players: [alice, { name: bob }]
      entities: [{ unit: walker, name: pair, count: 2, at: [50, 50] }]
    steps:
      - { expect: 'alice.unit.x > 0' }
      - { join: carol }
      - { spawn: { unit: Walker, name: dave, owner: carol, at: [90, 90] } }
      - { move: dave, to: alice }
      - { set: { state: '@@alice', seconds: 7 } }
      - { move: pair2, to: [60, 60] }
      - { value: pair1.type, is: Walker }
      - { expect: computer1.name != "" and u1.x > 0 }
      - { press: w, by: carol, for: 100 ms }
      - { spawn: { item: lamp, name: torch, state: shining, at: [50, 50] } }
      - { expect: torch.state == "lit" and torch.state == "shining" and torch.type == "Lamp" }
      - { expect: state != "ded" and torch.name != "ded" }
      - { output: chat, where: { text: hello }, times: 0 }
`);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('✓ names') });
});

test('a name may contain dots and spaces, and a later player is reported as not present yet', async () => {
  const { stdout } = await played(`
  - name: dots
    given: { players: ['dr. who', 'Big Bob'] }
    steps:
      - { move: 'dr. who', to: [60, 60] }
      - { move: 'Big Bob', to: 'dr. who' }
      - { event: playerJoinsGame, where: { player: 'dr. who' } }
      - { expect: time > 0 }
  - name: early
    steps: [{ move: alice, to: [60, 60] }, { join: alice }, { expect: time > 0 }]
`);
  expect(stdout).toContain('✓ dots');
  expect(stdout).toContain('alice does not exist: alice does not exist yet.');
});
