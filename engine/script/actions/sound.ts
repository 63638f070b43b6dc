import { tells } from '../../rules/effects.ts';
import { type About, action, family } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';

/** Sounds and music are played by clients. Sounds that are missing in the definition are not sent. */

function knows(context: ScriptContext, section: 'sound' | 'music', key: string): boolean {
  if (context.game.definition[section].has(key)) return true;
  context.world.fault('no-such-reference', `The definition has no ${section} "${key}".`);
  return false;
}

function soundForPlayer(about: About, op: 'play' | 'stop') {
  return action({
    about,
    effects: [tells('sound', 'player')],
    params: { sound: P.sound, player: P.player },
    run: (context, { sound, player }) => {
      if (knows(context, 'sound', sound)) context.world.post('sound', { op, soundId: sound, to: { player } });
    },
  });
}

function musicForPlayer(about: About, op: 'play' | 'playLoop') {
  return action({
    about,
    effects: [tells('music', 'player')],
    params: { music: P.music, player: P.player },
    run: (context, { music, player }) => {
      if (knows(context, 'music', music)) context.world.post('music', { op, musicId: music, to: { player } });
    },
  });
}

export const soundActions = family('sound', {
  playSoundAtPosition: action({
    about: 'Plays a sound at a position.',
    effects: [tells('sound')],
    params: { sound: P.sound, position: P.position },
    run: (context, { sound, position: { x, y } }) => {
      if (knows(context, 'sound', sound))
        context.world.post('sound', { op: 'playAt', soundId: sound, position: { x, y }, to: 'everyone' });
    },
  }),
  playSoundForPlayer: soundForPlayer('Plays a sound for one player.', 'play'),
  stopSoundForPlayer: soundForPlayer('Stops a sound for one player.', 'stop'),
  playMusic: action({
    about: 'Plays music for all players.',
    effects: [tells('music')],
    params: { music: P.music },
    run: (context, { music }) => {
      if (knows(context, 'music', music)) context.world.post('music', { op: 'play', musicId: music, to: 'everyone' });
    },
  }),
  playMusicForPlayer: musicForPlayer('Plays music for one player.', 'play'),
  playMusicForPlayerRepeatedly: musicForPlayer('Plays music for one player in a loop.', 'playLoop'),
  playMusicForPlayerAtTime: action({
    about: {
      sentence: 'Plays music for one player, starting `time` seconds into the track.',
      operands: { time: 'The time in the music at which to start, in seconds.' },
    },
    effects: [tells('music', 'player')],
    params: { music: P.music, time: P.measured('s', P.number), player: P.player },
    run: (context, { music, time, player }) => {
      if (knows(context, 'music', music))
        context.world.post('music', { op: 'playAtTime', musicId: music, startSeconds: time, to: { player } });
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
