import { expect, test } from 'vitest';
import { type FailureReport, ScenarioFailure } from '../../src/scenario/testing.ts';
import { smallGame } from './small-game.ts';

function failure(work: () => unknown): FailureReport {
  try {
    work();
  } catch (error) {
    if (error instanceof ScenarioFailure) return error.report;
    throw error;
  }
  throw new Error('It did not fail.');
}

const texts = ({ events }: FailureReport): string[] => events.map(({ text }) => text);

test('a failed contact expectation lists other contacts with both entities', () => {
  const play = smallGame({
    entities: [
      { unit: 'dog', name: 'rex', at: [100, 100] },
      { unit: 'dog', name: 'fido', at: [104, 100] },
      { unit: 'dog', name: 'bella', at: [600, 600] },
    ],
  });
  const report = failure(() => play.perform({ event: 'unitTouchesUnit', where: { unit: 'bella' }, within: '1 s' }));
  expect(report.found).toContain('with other details it happened 2 times; most recently:');
  expect(report.found).toContain('  unitTouchesUnit: unit rex (Guard Dog), touching fido (Guard Dog)');
});

test('the type of a destroyed entity is shown, however long ago it was destroyed', () => {
  const play = smallGame({ entities: [{ unit: 'dog', name: 'rex', at: [100, 100] }] });
  play.perform({ spawn: { item: 'bone', at: [300, 300] } }).wait('1 tick');
  play.destroy('rex').destroy('i1').wait(1);
  const report = failure(() => play.expect('rex.health > 0'));
  expect(report.found).toEqual(['rex.health is nothing: rex (Guard Dog) no longer exists']);
  expect(texts(report)).toContain('initEntityDestroy on rex (Guard Dog, gone)');
  expect(texts(report)).toContain('initEntityDestroy on i1 (Bone, gone)');
});

test('joining and receiving items is one line per item', () => {
  const play = smallGame();
  play.perform({ join: 'ann' }).wait('1 tick');
  play.give('ann', 'Bone').wait('1 tick');
  const told = texts(failure(() => play.expect('rings == 5')));
  const names = told.map((text) => text.split(/[: ]/)[0]);
  expect(names).not.toContain('thisUnitMovesItemInInventory');
  expect(names).not.toContain('entityCreatedGlobal');
  expect(names).not.toContain('entityStateChanged');
  expect(told.filter((text) => text.includes('i1 (Bone)'))).toEqual([
    'entityCreated on i1 (Bone)',
    'unitPicksUpItem: unit ann.unit (Walker), item i1 (Bone)',
  ]);
});
