import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RoomClient } from '../../src/net/index.ts';
import { encodeClientMessage } from '../../src/net/protocol/messages/messages.ts';
import { body, document, itemType, joinAs, projectileType, script, unitType } from '../support/play.ts';
import { eventually, type Serving, serve, temporaryFolder } from './support.ts';

const own = { function: 'getPlayerSelectedUnit', player: { function: 'getTriggeringPlayer' } };
const inHand = { function: 'getItemCurrentlyHeldByUnit', entity: { function: 'getTriggeringUnit' } };
const nothing = { units: false, items: false, projectiles: false, walls: true, debris: false };
const sightPx = 300;
const shootsEveryMs = 400;
const playedTicks = 45;

const game = document({
  title: 'Small game',
  defaultData: { gameSlug: 'small-game', frameRate: 30, engineTickRate: 30 },
  unitTypes: {
    soldier: unitType({
      bodies: { default: body({ linearDamping: 8, collidesWith: nothing }) },
      defaultItems: ['gun'],
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        mouseBehaviour: { rotateToFaceMouseCursor: false },
        abilities: { button1: { keyDown: { scriptName: 'shoot' }, keyUp: { scriptName: 'rest' } } },
      },
    }),
  },
  itemTypes: {
    gun: itemType({
      type: 'weapon',
      isGun: true,
      fireRate: shootsEveryMs,
      bulletType: 'projectile',
      projectileType: 'ball',
      bulletForce: 1,
      bulletStartPosition: { x: 0, y: 20, rotation: 0 },
    }),
  },
  projectileTypes: { ball: projectileType({ bodies: { default: body({ collidesWith: nothing }) } }) },
  scripts: {
    join: joinAs('soldier', 300, 300),
    shoot: script([], [{ type: 'startUsingItem', entity: inHand }]),
    rest: script([], [{ type: 'stopUsingItem', entity: inHand }]),
    hide: script('playerCustomInput', [{ type: 'moveEntity', entity: own, position: { x: 1200, y: 1200 } }]),
  },
});

let serving: Serving;
let honest: RoomClient;
let modified: RoomClient;
let hidden: RoomClient;
const folder = temporaryFolder();
/** What the modified client has seen. */
const seen = new Set<string>();

/** What became of a client's inputs. */
interface Course {
  /** The ticks at which its first inputs took effect. */
  readonly from: { walking?: number; shooting?: number };
  /** Where its unit was, and how often it had shot, by tick. */
  readonly moments: Map<number, { readonly x: number; readonly y: number; readonly shots: number }>;
}
const courses = new Map<RoomClient, Course>();

async function joined(name: string): Promise<RoomClient> {
  const client = new RoomClient({ url: serving.wsUrl, name, WebSocket });
  const course: Course = { from: {}, moments: new Map() };
  const shots = new Set<string>();
  courses.set(client, course);
  client.on('frame', ({ frame }) => {
    for (const ball of client.state.all('projectile')) if (ball.owner?.owner === client.player) shots.add(ball.id);
    const unit = client.player?.selectedUnit;
    if (unit !== undefined) course.moments.set(frame, { x: unit.x, y: unit.y, shots: shots.size });
  });
  await client.connect();
  await eventually(() => client.player?.selectedUnit?.items.length);
  return client;
}

/**
 * The honest and the modified client, both equally long after the input took effect; undefined if that is still to
 * come.
 */
function equallyLongAfter(input: keyof Course['from']) {
  const [first, second] = [courses.get(honest)!, courses.get(modified)!];
  const [from, otherFrom] = [first.from[input], second.from[input]];
  if (from === undefined || otherFrom === undefined) return undefined;
  for (const [tick, straight] of first.moments) {
    const crooked = second.moments.get(otherFrom + tick - from);
    if (tick >= from + playedTicks && crooked !== undefined) return { straight, crooked };
  }
  return undefined;
}

beforeAll(async () => {
  serving = await serve(folder.path, { game, play: { sight: sightPx, lagCompensationMs: 200 } });
  hidden = await joined('Cy');
  hidden.send({ kind: 'customInput', text: 'hide' });
  await eventually(() => hidden.player!.selectedUnit!.x > 1000);
  honest = await joined('Ann');
  modified = await joined('Mal');
  modified.on('frame', () => {
    for (const unit of modified.state.all('unit')) seen.add(unit.id);
  });
  for (const client of [honest, modified]) {
    client.send({ kind: 'mouse', x: 300, y: -1e6 });
    const walking = client.send({ kind: 'keyDown', key: 'd' });
    const shooting = client.send({ kind: 'keyDown', key: 'button1', device: 'mouse' });
    const { from } = courses.get(client)!;
    client.on('result', (result) => {
      if ('refused' in result) return;
      if (result.sequence === walking) from.walking = result.tick;
      if (result.sequence === shooting) from.shooting = result.tick;
    });
  }
  // As often as the server's limits allow: keys again, also for later and past ticks, shots again, the mouse where the
  // hidden player is.
  await eventually(() => {
    const tick = modified.state.frame;
    for (const at of [undefined, 1, tick + 3, 1e9]) {
      modified.send({ kind: 'keyUp', key: 'button1', device: 'mouse' }, at);
      modified.send({ kind: 'keyDown', key: 'button1', device: 'mouse' }, at);
      modified.send({ kind: 'keyDown', key: 'd' }, at);
      modified.send({ kind: 'mouse', x: 1200, y: 1200 }, at);
    }
    return equallyLongAfter('walking') && equallyLongAfter('shooting');
  });
});

afterAll(async () => {
  for (const client of [honest, modified, hidden]) client.leave();
  await serving.server.stop();
  folder.remove();
});

test('keys pressed again, early and late move no unit further than its speed', () => {
  const { straight, crooked } = equallyLongAfter('walking')!;
  expect(straight.x).toBeGreaterThan(400);
  expect(crooked).toMatchObject({ x: straight.x, y: straight.y });
});

test('keys of a weapon pressed again do not make it shoot more often', () => {
  const { straight, crooked } = equallyLongAfter('shooting')!;
  expect(straight.shots).toBeGreaterThanOrEqual(3);
  expect(crooked.shots).toBeLessThanOrEqual(straight.shots);
});

test('clients are told how much of the past counts', () => {
  expect([honest.lagCompensationMs, hidden.lagCompensationMs]).toEqual([200, 200]);
});

test('a client receives nothing of units out of its sight, so that it cannot aim at them', () => {
  expect(seen).toEqual(new Set([honest, modified].map((client) => client.player!.selectedUnit!.id)));
});

test('no message puts a unit anywhere: unknown ones are refused', async () => {
  const { x, y } = modified.player!.selectedUnit!;
  const { socket } = modified as unknown as { socket: { send(bytes: Uint8Array): void } };
  const bytes = encodeClientMessage({ kind: 'input', sequence: 1e6, input: { kind: 'mouse', x: 1200, y: 1200 } });
  // An input that no list has, such as one of a position would be.
  bytes[0] = 200;
  const refused = new Promise((resolve) => modified.on('refused', ({ code }) => resolve(code)));
  socket.send(bytes);
  expect(await refused).toBe('unknown-message');
  expect(Math.hypot(modified.player!.selectedUnit!.x - x, modified.player!.selectedUnit!.y - y)).toBeLessThan(200);
});
