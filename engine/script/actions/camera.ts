import { stopTracking, trackUnit } from '../../rules/client/camera.ts';
import { changes, tells } from '../../rules/effects.ts';
import { action, acts, family, publishes } from '../op.ts';
import * as P from '../params.ts';

const { player } = P;

export const cameraActions = family('camera', {
  playerCameraTrackUnit: action(
    'Makes the camera of a player follow a unit.',
    { player: P.player, unit: P.unit },
    ({ game }, { player, unit }) => trackUnit(game, player, unit),
    changes('camera', 'player', { to: 'unit' }),
    tells('camera', 'player'),
  ),
  playerCameraStopTracking: acts(
    'Makes the camera of a player stop following a unit.',
    { player },
    stopTracking,
    changes('camera', 'player'),
    tells('camera', 'player'),
  ),
  playerCameraSetZoom: publishes(
    'Sets the zoom of the camera of a player.',
    'camera',
    { player, zoom: P.number },
    ({ zoom }) => ({ op: 'zoom', zoom }),
  ),
  playerCameraSetPitch: publishes(
    {
      sentence: 'Sets the pitch of the camera of a player, in degrees.',
      operands: { angle: 'How far the camera looks up or down, in degrees.' },
    },
    'camera',
    { player, angle: P.degrees },
    ({ angle }) => ({ op: 'pitch', angle }),
  ),
  playerCameraSetYaw: publishes(
    {
      sentence: 'Sets the yaw of the camera of a player, in degrees.',
      operands: { angle: 'The direction the camera faces, in degrees.' },
    },
    'camera',
    { player, angle: P.degrees },
    ({ angle }) => ({ op: 'yaw', angle }),
  ),
  changePlayerCameraPanSpeed: publishes(
    'Sets how fast the camera of a player moves.',
    'camera',
    { player, panSpeed: P.number },
    ({ panSpeed }) => ({ op: 'panSpeed', panSpeed }),
  ),
  positionCamera: publishes(
    'Moves the camera of a player to a position.',
    'camera',
    { player, position: P.position },
    ({ position: { x, y } }) => ({ op: 'position', position: { x, y } }),
  ),
  /** Publishes the dead zone to all clients, because the original engines executed this action only on clients. */
  setCameraDeadzone: publishes(
    'Sets how far a followed unit can move before the camera follows it, px.',
    'camera',
    { width: P.px, height: P.px },
    (size) => ({ op: 'deadzone', ...size }),
  ),
});
