import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reenact } from '../cli/support.ts';
import { smallDocument, smallGame } from './small-game.ts';

test('a scenario can start from a snapshot of another', () => {
  const first = smallGame({ players: ['ann'] });
  first.player('ann').press('d').wait(1);
  first.spawn({ unit: 'dog', name: 'rex', at: [100, 100] });
  const second = smallGame({ snapshot: first.snapshot() });
  expect(second.value('ann.unit.x')).toBe(first.value('ann.unit.x'));
  second.expect('units of type dog == 1');
  expect(second.wait(2).sim.hash()).toBe(first.wait(2).sim.hash());
  second.player('ann').say('still here').wait('1 tick').event('playerSendsChatMessage');
});

test('a snapshot of another game is refused', () => {
  const snapshot = smallGame().snapshot();
  expect(() => smallGame({ snapshot, definition: { title: 'Elsewhere' } })).toThrow('belongs to another definition');
});

test('a recorded play becomes a scenario that passes, and fails after a change of the game', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-recorded-'));
  const game = join(folder, 'small.json');
  const journal = join(folder, 'small.journal');
  const scenario = join(folder, 'small.scenario.yaml');
  writeFileSync(game, JSON.stringify(smallDocument()));
  expect((await reenact(['run', game, '--bots', '3', '--seconds', '20', '--record', journal])).code).toBe(0);
  expect(await reenact(['record', journal, '--as-scenario', scenario])).toMatchObject({ code: 0, stderr: '' });
  const text = readFileSync(scenario, 'utf8');
  expect(text).toContain('replay: small.journal');
  expect(text).toContain('value: units of type "walker"');
  const args = ['test', scenario, '--pictures', ''];
  expect((await reenact(args)).code).toBe(0);

  writeFileSync(
    scenario,
    `${text}\n  - name: from where it ended\n    given: { snapshot: small.journal }\n    steps: [{ expect: time == 20 }, { wait: 1 s }, { expect: time == 21 }]\n`,
  );
  expect((await reenact(args)).stdout).toContain('✓ from where it ended');

  const other = smallDocument() as { data: { playerTypes: { human: { attributes: { score: { value: number } } } } } };
  other.data.playerTypes.human.attributes.score.value = 3;
  writeFileSync(game, JSON.stringify(other));
  expect(await reenact(args)).toMatchObject({ code: 1, stdout: expect.stringContaining('to be 0\n      it is 3') });
});

test('a recorded scenario can only be written to a scenario file name', async () => {
  expect(await reenact(['record', 'no.journal', '--as-scenario', 'x.yaml'])).toMatchObject({ code: 2 });
});
