import { expect, test, vi } from 'vitest';
import { Playback } from '../../src/viewer/time/playback.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { sampleGame } from '../support/samples.ts';
import { recorded } from '../why/support.ts';

const firstTick = 150;
const lastTick = 190;

/** What the lists show at a tick. */
function shownAt({ tick, sim, watch }: Playback) {
  return {
    tick,
    hash: sim.hash(),
    triggers: watch.events('trigger', 1000),
    outputs: watch.events('output', 1000),
    scripts: watch.scripts(),
    recent: watch.recentScripts(),
    // Those of older ticks are dropped on the way, and their counts and order with them.
    conditions: watch
      .falseConditions(1000)
      .flatMap((each) => (each.tick > tick - 50 ? [`${each.tick} ${each.script} ${each.text} ${each.sides}`] : []))
      .sort(),
  };
}

test('going back shows what going forward showed, and simulates few ticks', () => {
  const game = sampleGame('outbreak.json');
  const journal = recorded(game, 200);
  const playback = new Playback(game, journal);
  const shown = new Map<number, ReturnType<typeof shownAt>>();
  while (playback.tick < lastTick) {
    playback.step();
    shown.set(playback.tick, shownAt(playback));
  }
  const step = vi.spyOn(playback.replay, 'step');
  const steps: number[] = [];
  for (let tick = lastTick - 1; tick >= firstTick; tick--) {
    step.mockClear();
    playback.seek(tick);
    steps.push(step.mock.calls.length);
    expect(shownAt(playback), `tick ${tick}`).toEqual(shown.get(tick));
  }
  // The forks near the last jump are used up now and then.
  expect(steps.filter((count) => count <= 5).length).toBeGreaterThan(steps.length * 0.9);
  playback.seek(lastTick);
  expect(shownAt(playback).hash).toBe(shown.get(lastTick)!.hash);
  // After a jump, what is missing is added while there is nothing else to do.
  const jumping = new Playback(game, journal, false, new RecordedPlay(game, journal));
  for (const target of [180, 170, 120, lastTick]) {
    jumping.seek(target);
    while (jumping.prepare());
    const since = ({ tick }: { readonly tick: number }) => tick > target - 30;
    const { hash, triggers, outputs, scripts } = shownAt(jumping);
    const expected = shown.get(target)!;
    expect({ hash, scripts }, `tick ${target}`).toEqual({ hash: expected.hash, scripts: expected.scripts });
    expect(triggers.filter(since)).toEqual(expected.triggers.filter(since));
    expect(outputs.filter(since)).toEqual(expected.outputs.filter(since));
  }
  const again = vi.spyOn(jumping.replay, 'step');
  for (let tick = lastTick - 1; tick > lastTick - 16; tick--) {
    jumping.seek(tick);
    expect(shownAt(jumping), `tick ${tick}`).toMatchObject({ hash: shown.get(tick)!.hash });
  }
  expect(again).not.toHaveBeenCalled();
});
