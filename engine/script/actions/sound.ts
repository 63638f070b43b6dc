import { noEntity } from '../../world/entity.ts';
import type { Frame } from '../frame.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

/** Sounds and music are heard by clients; what the definition does not have is not sent. */

function knows(frame: Frame, section: 'sound' | 'music', key: string | undefined): key is string {
  if (key === undefined) return false;
  if (frame.game.definition[section].has(key)) return true;
  frame.fault('no-such-reference', `The definition has no ${section} "${key}".`);
  return false;
}

function soundForPlayer(op: 'play' | 'stop') {
  return action({
    status: 'output',
    params: { sound: P.sound, player: P.player },
    compile:
      ({ sound, player }) =>
      (frame) => {
        const key = sound(frame);
        const to = player(frame);
        if (to !== noEntity && knows(frame, 'sound', key))
          frame.game.world.post('sound', { op, soundId: key, to: { player: to } });
      },
  });
}

function musicForPlayer(op: 'play' | 'playLoop') {
  return action({
    status: 'output',
    params: { music: P.music, player: P.player },
    compile:
      ({ music, player }) =>
      (frame) => {
        const key = music(frame);
        const to = player(frame);
        if (to !== noEntity && knows(frame, 'music', key))
          frame.game.world.post('music', { op, musicId: key, to: { player: to } });
      },
  });
}

export const soundActions = family('sound', {
  playSoundAtPosition: action({
    status: 'output',
    params: { sound: P.sound, position: P.position },
    compile:
      ({ sound, position }) =>
      (frame) => {
        const key = sound(frame);
        const at = position(frame);
        if (at === undefined || !knows(frame, 'sound', key)) return;
        frame.game.world.post('sound', { op: 'playAt', soundId: key, position: { x: at.x, y: at.y }, to: 'everyone' });
      },
  }),
  playSoundForPlayer: soundForPlayer('play'),
  stopSoundForPlayer: soundForPlayer('stop'),
  playMusic: action({
    status: 'output',
    params: { music: P.music },
    compile:
      ({ music }) =>
      (frame) => {
        const key = music(frame);
        if (knows(frame, 'music', key)) frame.game.world.post('music', { op: 'play', musicId: key, to: 'everyone' });
      },
  }),
  playMusicForPlayer: musicForPlayer('play'),
  playMusicForPlayerRepeatedly: musicForPlayer('playLoop'),
  /** `time`: seconds from the beginning. */
  playMusicForPlayerAtTime: action({
    status: 'output',
    params: { music: P.music, time: P.number, player: P.player },
    compile:
      ({ music, time, player }) =>
      (frame) => {
        const key = music(frame);
        const from = time(frame);
        const to = player(frame);
        if (from === undefined || to === noEntity || !knows(frame, 'music', key)) return;
        frame.game.world.post('music', { op: 'playAtTime', musicId: key, startSeconds: from, to: { player: to } });
      },
  }),
  stopMusic: action({
    status: 'output',
    params: {},
    compile: () => (frame) => frame.game.world.post('music', { op: 'stop', to: 'everyone' }),
  }),
  stopMusicForPlayer: action({
    status: 'output',
    params: { player: P.player },
    compile:
      ({ player }) =>
      (frame) => {
        const to = player(frame);
        if (to !== noEntity) frame.game.world.post('music', { op: 'stop', to: { player: to } });
      },
  }),
});
