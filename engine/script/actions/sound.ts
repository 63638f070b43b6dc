import { tells } from '../../rules/effects.ts';
import { noEntity } from '../../world/entity.ts';
import type { ScriptContext } from '../context.ts';
import { type About, action, family } from '../op.ts';
import * as P from '../params.ts';

/** Sounds and music are played by clients. Sounds that are missing in the definition are not sent. */

function knows(context: ScriptContext, section: 'sound' | 'music', key: string | undefined): key is string {
  if (key === undefined) return false;
  if (context.game.definition[section].has(key)) return true;
  context.world.fault('no-such-reference', `The definition has no ${section} "${key}".`);
  return false;
}

function soundForPlayer(about: About, op: 'play' | 'stop') {
  return action({
    about,
    effects: [tells('sound', 'player')],
    params: { sound: P.sound, player: P.player },
    compile:
      ({ sound, player }) =>
      (context) => {
        const key = sound(context);
        const to = player(context);
        if (to !== noEntity && knows(context, 'sound', key))
          context.world.post('sound', { op, soundId: key, to: { player: to } });
      },
  });
}

function musicForPlayer(about: About, op: 'play' | 'playLoop') {
  return action({
    about,
    effects: [tells('music', 'player')],
    params: { music: P.music, player: P.player },
    compile:
      ({ music, player }) =>
      (context) => {
        const key = music(context);
        const to = player(context);
        if (to !== noEntity && knows(context, 'music', key))
          context.world.post('music', { op, musicId: key, to: { player: to } });
      },
  });
}

export const soundActions = family('sound', {
  playSoundAtPosition: action({
    about: 'Plays a sound at a position.',
    effects: [tells('sound')],
    params: { sound: P.sound, position: P.position },
    compile:
      ({ sound, position }) =>
      (context) => {
        const key = sound(context);
        const at = position(context);
        if (at === undefined || !knows(context, 'sound', key)) return;
        context.world.post('sound', {
          op: 'playAt',
          soundId: key,
          position: { x: at.x, y: at.y },
          to: 'everyone',
        });
      },
  }),
  playSoundForPlayer: soundForPlayer('Plays a sound for one player.', 'play'),
  stopSoundForPlayer: soundForPlayer('Stops a sound for one player.', 'stop'),
  playMusic: action({
    about: 'Plays music for all players.',
    effects: [tells('music')],
    params: { music: P.music },
    compile:
      ({ music }) =>
      (context) => {
        const key = music(context);
        if (knows(context, 'music', key)) context.world.post('music', { op: 'play', musicId: key, to: 'everyone' });
      },
  }),
  playMusicForPlayer: musicForPlayer('Plays music for one player.', 'play'),
  playMusicForPlayerRepeatedly: musicForPlayer('Plays music for one player in a loop.', 'playLoop'),
  playMusicForPlayerAtTime: action({
    about: {
      sentence: 'Plays music for one player, starting at a time, s.',
      operands: { time: 'The time in the music at which to start, in seconds.' },
    },
    effects: [tells('music', 'player')],
    params: { music: P.music, time: P.measured('s', P.number), player: P.player },
    compile:
      ({ music, time, player }) =>
      (context) => {
        const key = music(context);
        const from = time(context);
        const to = player(context);
        if (from === undefined || to === noEntity || !knows(context, 'music', key)) return;
        context.world.post('music', { op: 'playAtTime', musicId: key, startSeconds: from, to: { player: to } });
      },
  }),
  stopMusic: action({
    about: 'Stops the music for all players.',
    effects: [tells('music')],
    params: {},
    compile: () => (context) => context.world.post('music', { op: 'stop', to: 'everyone' }),
  }),
  stopMusicForPlayer: action({
    about: 'Stops the music for one player.',
    effects: [tells('music', 'player')],
    params: { player: P.player },
    run: ({ world }, { player }) => world.post('music', { op: 'stop', to: { player } }),
  }),
});
