import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { document, script } from '../support/play.ts';

test('an action inside a timer that is not due yet waits for it', () => {
  const set = { type: 'setVariable', variableName: 'flag', value: 1 };
  const { game } = loadDefinition(
    document({
      variables: { flag: { dataType: 'number', default: 0 } },
      scripts: { start: script('gameStart', [{ type: 'setTimeOut', duration: 3000, actions: [set] }]) },
    }),
  );
  const sim = new Simulation(game!, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  sim.run({ seconds: 1 });
  recorder.end();
  const said = JSON.stringify(new RecordedPlay(game!, arrangeJournal(records)!).why('flag'));
  expect(said).toContain('which runs its inner actions later, and had not yet run them');
  expect(said).not.toContain('nothing to run it for');
});
