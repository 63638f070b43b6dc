import { stopTracking, trackUnit } from '../../rules/client/camera.ts';
import { changes, tells } from '../../rules/effects.ts';
import { type Entity, noEntity } from '../../world/entity.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, Execute } from '../running/context.ts';

/** Publishes one number for one player's camera, as the given member of the event. */
function publish(op: string, member: string, player: Evaluate<Entity>, number: Evaluate<number | undefined>): Execute {
  return (context) => {
    const to = player(context);
    const value = number(context);
    if (to !== noEntity && value !== undefined)
      context.world.post('camera', { op, [member]: value, to: { player: to } });
  };
}

export const cameraActions = family('camera', {
  playerCameraTrackUnit: action({
    about: 'Makes the camera of a player follow a unit.',
    effects: [changes('camera', 'player', { to: 'unit' }), tells('camera', 'player')],
    params: { player: P.player, unit: P.unit },
    run: ({ game }, { player, unit }) => trackUnit(game, player, unit),
  }),
  playerCameraStopTracking: action({
    about: 'Makes the camera of a player stay where it is.',
    effects: [changes('camera', 'player'), tells('camera', 'player')],
    params: { player: P.player },
    run: ({ game }, { player }) => stopTracking(game, player),
  }),
  playerCameraSetZoom: action({
    about: 'Sets the zoom of the camera of a player.',
    effects: [tells('camera', 'player')],
    params: { player: P.player, zoom: P.number },
    compile: ({ player, zoom }) => publish('zoom', 'zoom', player, zoom),
  }),
  playerCameraSetPitch: action({
    about: {
      sentence: 'Sets the pitch of the camera of a player, in degrees.',
      operands: { angle: 'How far the camera looks up or down, in degrees.' },
    },
    effects: [tells('camera', 'player')],
    params: { player: P.player, angle: P.degrees },
    compile: ({ player, angle }) => publish('pitch', 'angle', player, angle),
  }),
  playerCameraSetYaw: action({
    about: {
      sentence: 'Sets the yaw of the camera of a player, in degrees.',
      operands: { angle: 'The direction the camera faces, in degrees.' },
    },
    effects: [tells('camera', 'player')],
    params: { player: P.player, angle: P.degrees },
    compile: ({ player, angle }) => publish('yaw', 'angle', player, angle),
  }),
  changePlayerCameraPanSpeed: action({
    about: 'Sets how fast the camera of a player moves.',
    effects: [tells('camera', 'player')],
    params: { player: P.player, panSpeed: P.number },
    compile: ({ player, panSpeed }) => publish('panSpeed', 'panSpeed', player, panSpeed),
  }),
  positionCamera: action({
    about: 'Moves the camera of a player to a position.',
    effects: [tells('camera', 'player')],
    params: { player: P.player, position: P.position },
    run: ({ world }, { player, position }) =>
      world.post('camera', { op: 'position', position: { x: position.x, y: position.y }, to: { player } }),
  }),
  /** Published to all clients, because the original engines executed this action only on clients. */
  setCameraDeadzone: action({
    about: 'Sets how far a followed unit can move before the camera follows it, px.',
    effects: [tells('camera')],
    params: { width: P.px, height: P.px },
    run: ({ world }, { width, height }) => world.post('camera', { op: 'deadzone', width, height, to: 'everyone' }),
  }),
});
