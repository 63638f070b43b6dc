import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { definitionHash, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { hostWordsIn } from '../../src/check/index.ts';
import { journalBytes } from '../../src/journal/index.ts';
import { packGame, unpackGame } from '../../src/load/index.ts';
import { checkInThread } from '../../src/lsp/check-thread.ts';
import { countingGame, reenact } from './support.ts';

const host = `
export const operations = {
  awardBadge: { about: 'Awards a badge on the platform.', params: { player: 'player', points: 'number' } },
  getSeason: { about: 'The season of the platform.', returns: 'number' },
  getGiftAmount: { about: 'The amount of the gift.', returns: 'number', payload: 'amount' },
};
export const triggers = {
  giftReceived: { about: 'A viewer has sent a gift.', payload: { player: 'player', amount: 'number' } },
};
`;
const scenarios = `
game: game.json
scenarios:
  - name: a gift earns a badge
    given:
      players: [alice, bob]
    when:
      - tell: getSeason
        to: 4
      - fire: giftReceived
        with: { player: alice, amount: 5 }
      - wait: 1 ticks
    then:
      - event: giftReceived
        where: { player: alice, amount: 5 }
      - output: host
        where: { operation: awardBadge, values: { player: alice, points: 5 } }
      - output: host
        where: { values: { player: bob } }
        times: 0
      - expect: season == 4
`;
let folder: string;
let game: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-words-'));
  game = join(folder, 'game.json');
  const player = { function: 'getTriggeringPlayer' };
  const gift = {
    name: 'gift',
    triggers: [{ type: 'giftReceived' }],
    actions: [
      { type: 'awardBadge', player, points: { function: 'getGiftAmount' } },
      { type: 'setVariable', variableName: 'season', value: { function: 'getSeason' } },
    ],
  };
  const variables = { season: { dataType: 'number', default: 0 } };
  writeFileSync(game, JSON.stringify(countingGame({ scripts: { gift }, variables })));
  writeFileSync(join(folder, 'host.mjs'), host);
  writeFileSync(join(folder, 'gift.scenario.yaml'), scenarios);
  configure({ host: './host.mjs' });
});

function configure(config: object): void {
  writeFileSync(join(folder, 'reenact.config.json'), JSON.stringify(config));
}

test('check knows the words of the host that the configuration names', async () => {
  expect((await reenact(['check', game])).stdout).not.toContain('unknown-');
  configure({});
  const { stdout, code } = await reenact(['check', game]);
  expect(stdout).toContain('unknown-action');
  expect(stdout).toContain('unknown-function');
  expect(stdout).toContain('unknown-trigger');
  expect(stdout).toMatch(/name\s+the\s+module\s+that\s+declares\s+the\s+operation\s+as\s+`host`/);
  expect(code).toBe(1);
});

test('run plays with the words', async () => {
  const { code, stdout } = await reenact(['run', game, '--seconds', '1', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ issues: { error: 0 } });
});

test('scenarios fire triggers of the host, tell values and expect outputs', async () => {
  const { stdout, code } = await reenact(['test', folder]);
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
});

test.each([
  ['fire: giftReceived', 'fire: giftRecieved', 'Did you mean'],
  ['fire: giftReceived', 'fire: secondTick', 'is not a trigger of the host'],
  ['tell: getSeason', 'tell: getYear', 'is no function of the host'],
  [
    'operation: awardBadge, values: { player: alice',
    'operation: awardBadg, values: { player: alice',
    'the host has no member "awardBadg"',
  ],
  ['player: alice, points', 'player: bob, points', 'it happened 0 times'],
  ['amount: 5 }\n      - wait', 'amount: many }\n      - wait', 'input host was refused: wrong-value'],
])('a scenario with %s changed to %s says what is wrong', async (right, wrong, message) => {
  writeFileSync(join(folder, 'gift.scenario.yaml'), scenarios.replace(right, wrong));
  const { stdout, stderr, code } = await reenact(['test', folder]);
  expect(stdout + stderr).toContain(message);
  expect(code).not.toBe(0);
});

test('checks and coverage know what the words read and do', async () => {
  const coverage = await reenact(['test', folder, '--coverage', '--reporter', 'json']);
  const [covered] = JSON.parse(coverage.stdout).coverage;
  expect(covered.scripts).toMatchObject({ ran: 1, total: 1 });
  expect(covered.actions).toMatchObject({ ran: 2, total: 2 });

  // A variable that takes the values of scripts alone is never 7; one that takes the host's may be.
  const document = JSON.parse(readFileSync(game, 'utf8'));
  const { scripts, variables } = document.data;
  variables.told = { dataType: 'string', default: 'a' };
  variables.heard = { dataType: 'string', default: 'a' };
  const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
  const say = (variableName: string) => ({
    type: 'condition',
    conditions: [{ operandType: 'string', operator: '==' }, { function: 'getVariable', variableName }, 'c'],
    then: [{ type: 'sendChatMessage', message: 'spring' }],
    else: [],
  });
  scripts.gift.actions.push(set('told', 'b'), set('heard', { function: 'getName' }), say('told'), say('heard'));
  writeFileSync(game, JSON.stringify(document));
  writeFileSync(
    join(folder, 'host.mjs'),
    host.replace('getSeason:', "getName: { about: 'The name of the season.', returns: 'string' }, getSeason:"),
  );
  const { files } = JSON.parse((await reenact(['check', game, '--json'])).stdout);
  const messages = files[0].issues.map(({ message }: { message: string }) => message).join('\n');
  expect(messages).toContain('told');
  expect(messages).not.toContain('heard');
});

test.each([
  ['throw new Error("not today")', 'host.mjs cannot be run: not today'],
  ['export const words = {}', 'exports neither `operations` nor `triggers`'],
  ['export const operations = { endGame: { about: "Ends." } }', 'the script language already uses the name endGame'],
])('a host module that is `%s` cannot be used', async (module, message) => {
  writeFileSync(join(folder, 'host.mjs'), module);
  for (const args of [
    ['check', game],
    ['run', game],
    ['test', folder],
  ]) {
    const { stderr, code } = await reenact(args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  }
});

test('the thread that checks for editors runs the module, and reports if it cannot be used', async () => {
  const text = JSON.stringify(countingGame());
  const task = { text, dialect: 'standard', rules: [], host: join(folder, 'host.mjs') } as const;
  expect((await checkInThread(task)).issues.map(({ code }) => code)).not.toContain('bad-host');
  writeFileSync(task.host, 'export const words = {}');
  expect((await checkInThread({ ...task, host: join(folder, 'none.mjs') })).issues).toMatchObject([
    { code: 'bad-host' },
  ]);
});

/** A recorded play in which a gift earns a badge. */
async function recorded(): Promise<string> {
  const { game: loaded } = loadDefinition(
    JSON.parse(readFileSync(game, 'utf8')),
    await hostWordsIn(join(folder, 'host.mjs')),
  );
  const sim = new Simulation(loaded!, { seed: 1 });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { source: 'game.json' });
  sim.join({ clientId: 'ada' });
  sim.input({ kind: 'hostValue', function: 'getSeason', value: 4 });
  sim.step();
  sim.input({ kind: 'host', trigger: 'giftReceived', payload: { player: 'ada', amount: 5 } });
  sim.run({ seconds: 1 });
  recorder.end();
  const file = join(folder, 'play.rj');
  writeFileSync(file, journalBytes(records));
  return file;
}

test('a recorded play is replayed, asked, recorded as a scenario and shown as a page with the words', async () => {
  const play = await recorded();
  expect((await reenact(['replay', play, '--verify'])).code).toBe(0);
  const why = await reenact(['why', play, 'season']);
  expect(why.stdout).toMatch(/0 → 4[\s\S]*getSeason/);
  expect(why.stdout).toContain('"gift"');
  const scenario = join(folder, 'recorded.scenario.yaml');
  expect((await reenact(['record', play, '--as-scenario', scenario])).code).toBe(0);
  expect(await reenact(['test', scenario])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });

  const page = join(folder, 'play.html');
  expect((await reenact(['view', play, '--html', page])).code).toBe(0);
  const [, packed] = /id="definition">([^<]*)/.exec(readFileSync(page, 'utf8'))!;
  const { text, host } = unpackGame(gunzipSync(new Uint8Array(Buffer.from(packed!, 'base64'))).toString());
  const { game: shown } = loadDefinition(JSON.parse(text), host);
  const { game: known } = loadDefinition(
    JSON.parse(readFileSync(game, 'utf8')),
    await hostWordsIn(join(folder, 'host.mjs')),
  );
  expect(definitionHash(shown!.definition)).toBe(definitionHash(known!.definition));
});

test('a game is packed with the words of its host, and without a host as it is', () => {
  const words = { triggers: { paid: { about: 'Paid.' } } };
  expect(unpackGame(packGame('{"data":{}}', words))).toEqual({ text: '{"data":{}}', host: words });
  expect(packGame('{}', undefined)).toBe('{}');
  expect(unpackGame('{"a":\n1}')).toEqual({ text: '{"a":\n1}', host: undefined });
  expect(() => JSON.parse(packGame('{}', words))).toThrow();
});
