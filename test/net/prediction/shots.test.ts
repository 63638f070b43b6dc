import { expect, test } from 'vitest';
import { body, document, itemType, joinAs, projectileType, script, unitType } from '../../support/play.ts';
import { DistantRoom } from './distant-room.ts';

const inHand = { function: 'getItemCurrentlyHeldByUnit', entity: { function: 'getTriggeringUnit' } };
const nothing = { units: false, items: false, projectiles: false, walls: false, debris: false };
const collidesWith = nothing;

/**
 * A soldier with a gun for the left mouse button: one shot per 400 ms, ten shots. `repeats`: as long as the button is
 * down.
 */
function armed({ repeats = false, more = [] as readonly unknown[] } = {}): DistantRoom {
  const start = { type: 'startUsingItem', entity: inHand };
  const stop = { type: 'stopUsingItem', entity: inHand };
  const abilities = { button1: { keyDown: { scriptName: 'shoot' }, keyUp: { scriptName: 'rest' } } };
  const room = new DistantRoom(
    document({
      unitTypes: {
        soldier: unitType({
          bodies: { default: body({ linearDamping: 8, collidesWith }) },
          defaultItems: ['gun'],
          controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', mouseBehaviour: {}, abilities },
        }),
      },
      itemTypes: {
        gun: itemType({
          type: 'weapon',
          isGun: true,
          fireRate: 400,
          bulletType: 'projectile',
          projectileType: 'ball',
          bulletForce: 20,
          bulletStartPosition: { x: 0, y: 20, rotation: 0 },
          quantity: 10,
          cost: { quantity: 1 },
        }),
      },
      projectileTypes: { ball: projectileType({ bodies: { default: body({ linearDamping: 0, collidesWith }) } }) },
      variables: { jammed: { dataType: 'boolean', default: false } },
      scripts: {
        join: joinAs('soldier'),
        shoot: script([], [...more, ...(repeats ? [start] : [start, stop])]),
        rest: script([], [stop]),
      },
    }),
    { roundTripMs: 100, jitterMs: 30 },
  );
  room.play(2);
  return room;
}

function click(room: DistantRoom, seconds: number): void {
  room.press('button1');
  room.play(0.1);
  room.release('button1');
  room.play(seconds);
}

function balls(room: DistantRoom): number {
  return [...room.client.state.all('projectile')].length;
}

test('the first shot shows which key shoots; the following ones are seen at once, and taken over without a jump', () => {
  const room = armed();
  room.press('button1');
  room.play(0.1);
  expect(room.prediction.ghosts).toEqual([]);
  room.release('button1');
  room.play(1);
  expect(balls(room)).toBe(1);
  room.press('d');
  room.play(0.5);
  room.press('button1');
  room.play(0.07);
  expect(balls(room)).toBe(1);
  const [ghost] = room.prediction.ghosts;
  expect(ghost).toMatchObject({ type: 'ball', width: 40 });
  // Where the unit is shown, above its head.
  expect(Math.abs(ghost!.x - room.drawn.x)).toBeLessThan(25);
  let last = ghost!;
  let furthest = 0;
  let taken = 0;
  room.onPicture = () => {
    const replica = [...room.client.state.all('projectile')][1];
    const shown = replica === undefined ? room.prediction.ghosts[0] : room.client.placeOf(replica);
    if (replica !== undefined) taken++;
    furthest = Math.max(furthest, Math.hypot(shown!.x - last.x, shown!.y - last.y));
    last = { ...last, ...shown! };
  };
  room.play(1);
  room.onPicture = undefined;
  expect(taken).toBeGreaterThan(20);
  expect(room.prediction.ghosts).toEqual([]);
  // A ball flies 10 px per picture.
  expect(furthest).toBeLessThan(25);
  // In the end it is drawn like everything else.
  const replica = [...room.client.state.all('projectile')][1]!;
  const plain = room.client.placeOf(replica, room.client.drawnTick);
  expect(Math.hypot(last.x - plain.x, last.y - plain.y)).toBeLessThan(15);
});

test('quantity and cooldown of the held item are those of the own shots', () => {
  const room = armed();
  click(room, 1);
  expect(room.prediction.heldItem).toMatchObject({ quantity: 9, readyShare: 1 });
  room.press('button1');
  room.play(0.12);
  const { items } = room.unit!;
  expect(items[0]!.quantity).toBe(9);
  expect(room.prediction.heldItem!.quantity).toBe(8);
  expect(room.prediction.heldItem!.readyShare).toBeLessThan(0.5);
  room.play(1);
  expect(items[0]!.quantity).toBe(8);
  expect(room.prediction.heldItem).toMatchObject({ quantity: 8, readyShare: 1 });
});

test('a button held down is predicted to shoot as often as the item can, once it has done so', () => {
  const room = armed({ repeats: true });
  const ghosts = new Set<string>();
  room.press('button1');
  room.play(1.5);
  room.release('button1');
  room.play(1);
  room.onPicture = () => {
    for (const { id } of room.prediction.ghosts) ghosts.add(id);
  };
  const before = balls(room);
  room.press('button1');
  room.play(1.5);
  room.release('button1');
  room.play(1);
  expect(balls(room) - before).toBeGreaterThan(2);
  expect(ghosts.size).toBe(balls(room) - before);
});

test('a shot that does not come is forgotten: not with the cooldown, and not when the magazine is empty', () => {
  const room = armed();
  const ghosts = new Set<string>();
  for (let i = 0; i < 10; i++) click(room, 0.5);
  expect(room.unit!.items[0]!.quantity).toBe(0);
  room.onPicture = () => {
    for (const { id } of room.prediction.ghosts) ghosts.add(id);
  };
  click(room, 0.5);
  expect(ghosts.size).toBe(0);
});

test('a key that stops shooting has a ghost once, and no longer', () => {
  const isFree = { function: 'getVariable', variableName: 'jammed' };
  const jam = { type: 'condition', conditions: [{ operandType: 'boolean', operator: '==' }, isFree, true] };
  const room = armed({ more: [{ ...jam, then: [{ type: 'return' }], else: [] }] });
  const ghosts = new Set<string>();
  room.onPicture = () => {
    for (const { id } of room.prediction.ghosts) ghosts.add(id);
  };
  click(room, 1);
  click(room, 1);
  expect(ghosts.size).toBe(1);
  room.room.sim.edit.setGlobal('jammed', true);
  click(room, 1);
  expect(ghosts.size).toBe(2);
  expect(room.prediction.ghosts).toEqual([]);
  expect(room.prediction.heldItem!.quantity).toBe(8);
  click(room, 1);
  expect(ghosts.size).toBe(2);
  expect(balls(room)).toBe(2);
});

test('nothing is shown early while the prediction is off', () => {
  const room = armed();
  click(room, 1);
  room.prediction.isOn = false;
  room.press('button1');
  room.play(0.1);
  expect(room.prediction.ghosts).toEqual([]);
  expect(room.prediction.heldItem).toBeUndefined();
});
