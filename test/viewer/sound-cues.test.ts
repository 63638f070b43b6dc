import { expect, test } from 'vitest';
import type { Figure } from '../../src/viewer/drawing/scene.ts';
import { type Cue, SoundCues } from '../../src/viewer/sound/sound-cues.ts';
import { itemType, load, unitType } from '../support/play.ts';

const file = (name: string): string => `data:audio/wav;base64,${name}`;

const { definition } = load({
  sound: { boom: { name: 'boom', file: file('boom'), volume: 40 }, far: { file: 'https://example.org/far.mp3' } },
  music: { theme: { file: file('theme') } },
  unitTypes: {
    dog: unitType({
      sound: { bark: { name: 'bark', file: file('bark') } },
      states: { default: { body: 'default', sound: {} }, angry: { body: 'default', sound: { bark: {} } } },
      effects: { destroy: { sound: { boom: {}, whine: { file: file('whine'), volume: 250 }, far: {} } } },
    }),
  },
  itemTypes: { gun: itemType({ effects: { use: { sound: { shot: { file: file('shot') }, none: { file: '' } } } } }) },
});

const figure = (id: string, kind: Figure['kind'], typeKey: string, state = 'default') =>
  ({ id, kind, typeKey, state, x: 30, y: 40 }) as Figure;
const at = { x: 30, y: 40 };
const told = (cues: readonly Cue[]) =>
  cues.map(({ kind, id, url, volume, at: place }) => [kind, id, url?.slice(22), volume, place]);

test('a state is heard when an entity changes to it or appears in it', () => {
  const cues = new SoundCues(definition);
  expect(cues.of([figure('u1', 'unit', 'dog', 'angry')], [])).toEqual([]);
  expect(cues.of([figure('u1', 'unit', 'dog')], [])).toEqual([]);
  const changed = cues.of([figure('u1', 'unit', 'dog', 'angry')], []);
  expect(told(changed)).toEqual([['sound', 'bark', 'bark', 1, at]]);
  expect(cues.of([figure('u1', 'unit', 'dog', 'angry')], [])).toEqual([]);
  const appeared = cues.of([figure('u1', 'unit', 'dog', 'angry'), figure('u2', 'unit', 'dog', 'angry')], []);
  expect(told(appeared)).toHaveLength(1);
});

test('an effect is heard where its entity is, or was', () => {
  const cues = new SoundCues(definition);
  cues.of([figure('u1', 'unit', 'dog'), figure('i1', 'item', 'gun')], []);
  const used = cues.of(
    [figure('u1', 'unit', 'dog'), figure('i1', 'item', 'gun')],
    [{ kind: 'effect', entityId: 'i1', effect: 'use' }],
  );
  expect(told(used)).toEqual([['sound', 'shot', 'shot', 1, at]]);
  // The sound of another host is left out.
  expect(told(cues.of([], [{ kind: 'effect', entityId: 'u1', effect: 'destroy' }]))).toEqual([
    ['sound', 'boom', 'boom', 0.4, at],
    ['sound', 'whine', 'whine', 1, at],
  ]);
  expect(cues.of([], [{ kind: 'effect', entityId: 'u1', effect: 'destroy' }])).toEqual([]);
});

test('a volume or start that is not a number counts as absent, so that audio cannot fail for it', () => {
  const { definition: odd } = load({ sound: { hum: { file: file('hum'), volume: 'loud' } } });
  const event = { kind: 'sound', op: 'play', soundId: 'hum', startSeconds: 'soon' } as const;
  expect(new SoundCues(odd).of([], [event])).toMatchObject([{ id: 'hum', volume: 1, startSeconds: 0 }]);
});

test('scripts play and stop sounds and music', () => {
  const cues = new SoundCues(definition);
  const heard = cues.of(
    [],
    [
      { kind: 'sound', op: 'playAt', soundId: 'boom', position: { x: 1, y: 2 } },
      { kind: 'sound', op: 'play', soundId: 'far' },
      { kind: 'sound', op: 'stop', soundId: 'boom' },
      { kind: 'music', op: 'playLoop', musicId: 'theme' },
      { kind: 'music', op: 'playAtTime', musicId: 'theme', startSeconds: 3 },
      { kind: 'music', op: 'stop' },
    ],
  );
  expect(told(heard)).toEqual([
    ['sound', 'boom', 'boom', 0.4, { x: 1, y: 2 }],
    ['sound', 'boom', undefined, 0, undefined],
    ['music', 'theme', 'theme', 1, undefined],
    ['music', 'theme', 'theme', 1, undefined],
    ['music', '', undefined, 0, undefined],
  ]);
  expect(heard.map(({ isLooped, startSeconds }) => [isLooped, startSeconds])[2]).toEqual([true, 0]);
  expect(heard.map(({ isLooped, startSeconds }) => [isLooped, startSeconds])[3]).toEqual([false, 3]);
});
