import { type About, family, publishes } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';

/** Sounds and music are played by clients. Sounds that are missing in the definition are not sent. */

function knows(context: ScriptContext, section: 'sound' | 'music', key: string) {
  if (context.game.definition[section].has(key)) return true;
  context.world.fault('no-such-reference', `The definition has no ${section} "${key}".`);
  return false;
}

const { sound, music, player } = P;

function soundForPlayer(about: About, op: 'play' | 'stop') {
  return publishes(about, 'sound', { sound, player }, ({ sound: soundId }, context) =>
    knows(context, 'sound', soundId) ? { op, soundId } : undefined,
  );
}

function musicForPlayer(about: About, op: 'play' | 'playLoop') {
  return publishes(about, 'music', { music, player }, ({ music: musicId }, context) =>
    knows(context, 'music', musicId) ? { op, musicId } : undefined,
  );
}

export const soundActions = family('sound', {
  playSoundAtPosition: publishes(
    'Plays a sound at a position.',
    'sound',
    { sound, position: P.position },
    ({ sound: soundId, position: { x, y } }, context) =>
      knows(context, 'sound', soundId) ? { op: 'playAt', soundId, position: { x, y } } : undefined,
  ),
  playSoundForPlayer: soundForPlayer('Plays a sound for one player.', 'play'),
  stopSoundForPlayer: soundForPlayer('Stops a sound for one player.', 'stop'),
  playMusic: publishes('Plays music for all players.', 'music', { music }, ({ music: musicId }, context) =>
    knows(context, 'music', musicId) ? { op: 'play', musicId } : undefined,
  ),
  playMusicForPlayer: musicForPlayer('Plays music for one player.', 'play'),
  playMusicForPlayerRepeatedly: musicForPlayer('Plays music for one player in a loop.', 'playLoop'),
  playMusicForPlayerAtTime: publishes(
    {
      sentence: 'Plays music for one player, starting `time` seconds into the track.',
      operands: { time: 'The time in the music at which to start, in seconds.' },
    },
    'music',
    { music, time: P.measured('s', P.number), player },
    ({ music: musicId, time: startSeconds }, context) =>
      knows(context, 'music', musicId) ? { op: 'playAtTime', musicId, startSeconds } : undefined,
  ),
  stopMusic: publishes('Stops the music for all players.', 'music', {}, () => ({ op: 'stop' })),
  stopMusicForPlayer: publishes('Stops the music for one player.', 'music', { player }, () => ({ op: 'stop' })),
});
