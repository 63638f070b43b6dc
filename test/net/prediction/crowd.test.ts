import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VirtualCrowd } from './virtual-crowd.ts';

/** Scripts of `ray-casting` move the unit in the tick after the key, of which a picture shows a part. */
test.each([
  ['team-elimination', 1],
  ['ray-casting', 3],
])(
  'in a crowd of bots, units of the sample %s answer keys within pictures (%i), and seldom jump',
  (sample, pictures) => {
    const document: unknown = JSON.parse(readFileSync(`scenarios/games/${sample}.json`, 'utf8'));
    const crowd = new VirtualCrowd(document, 8, { roundTripMs: 100, jitterMs: 30 });
    const { keys, answerMs, plainAnswerMs, errorPx, jumpsPerMinute, lateShare } = crowd.play(20);
    expect(keys).toBeGreaterThan(5);
    expect(answerMs.p50).toBeLessThanOrEqual((pictures * 1000) / 60 + 1);
    expect(plainAnswerMs.p50).toBeGreaterThan(150);
    expect(errorPx).toEqual({ p50: 0, p95: expect.closeTo(0, 0) });
    expect(jumpsPerMinute).toBeLessThanOrEqual(1);
    expect(lateShare).toBeLessThanOrEqual(0.01);
  },
);
