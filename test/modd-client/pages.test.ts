import { describe, expect, test } from 'vitest';
import { loadDefinition, type OutputEvent, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { type EntityClient, EntityStream, type RoomPlay } from '../../src/modd-client/stream.ts';
import { destinationOf } from '../../src/net/protocol/audience/destination.ts';
import { moddio } from '../../src/server/client-protocols/moddio.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { when } from '../support/actions.ts';
import { attribute, body, document, itemType, joinAs, script, unitType } from '../support/play.ts';
import { ModelClient } from './model-client.ts';

/** What players with the original client see of a room, by the commands that their page receives. */

const player = { function: 'getTriggeringPlayer' };
const mana = attribute(500, { max: 1000 });
const wand = itemType({
  type: 'weapon',
  fireRate: 50,
  cost: { unitAttributes: { mana: 35 } },
  quantity: 40,
  maxQuantity: 40,
});

const own = { function: 'getPlayerSelectedUnit', player };
const inHand = { function: 'getItemCurrentlyHeldByUnit', entity: own };
/** A script for the chat message `word`. */
const on = (word: string, action: object) =>
  script('playerCustomInput', [
    when([{ operator: '==', operandType: 'string' }, { function: 'playerCustomInput', player }, word], [action]),
  ]);

const given = document({
  unitTypes: {
    mage: unitType({ attributes: { mana }, inventorySize: 2, defaultItems: ['wand'] }),
  },
  itemTypes: { wand },
  scripts: {
    join: joinAs('mage'),
    drop: on('drop', { type: 'dropItemInInventorySlot', slotIndex: 1, unit: own }),
    use: on('use', { type: 'startUsingItem', entity: inHand }),
    stop: on('stop', { type: 'stopUsingItem', entity: inHand }),
  },
});

function room(data: unknown = given, resumed?: { readonly bytes: Uint8Array; readonly play: Partial<RoomPlay> }) {
  const { game } = loadDefinition(data);
  const outputs: OutputEvent[] = [];
  const host = { onOutput: (event: OutputEvent) => outputs.push(event) };
  const sim =
    resumed === undefined
      ? new Simulation(game!, { dialect: 'moddio', ...host })
      : Simulation.restore(game!, resumed.bytes, host);
  let now = resumed === undefined ? 0 : 100_000;
  const stream = new EntityStream(sim, { timeMs: () => (now += 50), ...resumed?.play });
  const pages = new Map<EntityClient, ModelClient>();
  const served = ServedDefinition.of(JSON.stringify(data), 'game')!;
  const definition = (JSON.parse(served.forModdio('moddio').json) as { data: unknown }).data;
  return {
    sim,
    open(id: string, page = new ModelClient(definition), isBack = false): ModelClient {
      for (const frame of handshakeFrames(id, 0)) page.receive(new TextDecoder().decode(frame));
      pages.set(stream.add(id, isBack), page);
      return page;
    },
    step(count = 1): void {
      for (let i = 0; i < count; i++) {
        outputs.length = 0;
        sim.step();
        const forPlayers = new Map<string, OutputEvent[]>();
        const forAll: OutputEvent[] = [];
        for (const event of outputs) {
          const to = destinationOf(sim, event);
          if (to === 'everyone') forAll.push(event);
          else if (to !== 'host') for (const id of to) forPlayers.set(id, [...(forPlayers.get(id) ?? []), event]);
        }
        for (const [client, bytes] of stream.frames({ forAll, forPlayers })) {
          pages.get(client)!.receive(new TextDecoder().decode(bytes));
        }
      }
    },
  };
}

/** Collects the commands that a page receives from now on. */
function heard(page: ModelClient): (readonly [command: string, data: unknown])[] {
  const all: (readonly [string, unknown])[] = [];
  page.onElement = (command, data) => all.push([command, data]);
  return all;
}

test("a guest has a short name like the original's, always the same for the same page", () => {
  const nameOf = (ticket: string) =>
    moddio.codec.joinOf?.({
      query: new URLSearchParams({ guestUserToken: ticket }),
      offered: [],
      userAgent: '',
    } as never);
  const [first, again, other] = ['a', 'a', 'b'].map((letter) => nameOf(letter.repeat(48)));
  expect(first).toMatchObject({ name: expect.stringMatching(/^user[1-9]\d\d$/) });
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

describe('after a crash of the server', () => {
  test('a page that reconnects keeps what is unchanged, and is sent what differs because of lost ticks', () => {
    const before = room();
    before.sim.join({ clientId: 'ann' });
    before.step();
    before.sim.edit.createItem({ type: 'wand', x: 300, y: 300 });
    const page = before.open('ann');
    before.step();
    const kept = before.sim.snapshot();
    const made = internalsOf(before.sim).world.made.slice();
    before.sim.edit.setAttribute(before.sim.find('u1') as never, 'mana', 7);
    before.sim.edit.createItem({ type: 'wand', x: 500, y: 300 });
    before.step();
    expect([...page.entities.keys()].filter((id) => id.startsWith('i'))).toEqual(['i1', 'i2', 'i3']);

    const after = room(given, { bytes: kept, play: { madeBefore: made } });
    const commands = heard(page);
    after.open('ann', page, true);
    after.step();
    const ended = commands.flatMap(([command, data]) =>
      command === '_taroStreamDestroy' ? [(data as [number, string])[1]] : [],
    );
    expect(ended).not.toContain(',1');
    expect(ended).not.toContain('i1');
    expect(ended).not.toContain('i2');
    for (let i = 1; i <= 10; i++) expect(ended).not.toContain(`c${i}`);
    expect([...page.entities.keys()].filter((id) => id.startsWith('i'))).toEqual(['i1', 'i2']);
    expect(page.entities.get(',1')!.stats).toMatchObject({ attributes: { mana: { value: 500 } } });
  });
});

test.each([
  [0, 0],
  [1, 1],
  [2, 1],
])('with cspMode %i, clients are put where a unit is %i times after it came to rest', (cspMode, times) => {
  const controls = { movementControlScheme: 'wasd', movementMethod: 'velocity', cspMode };
  const { sim, step, open } = room(
    document({
      defaultData: { clientPhysicsEngine: 'planck' },
      unitTypes: { walker: unitType({ controls, bodies: { default: body({ linearDamping: 20 }) } }) },
      scripts: { join: joinAs('walker') },
    }),
  );
  const ann = sim.join({ clientId: 'ann' });
  step();
  const page = open('ann');
  step();
  const [unit] = [...page.entities.values()].filter(({ shownClass }) => shownClass === 'Unit');
  ann.press('d');
  step(20);
  ann.release('d');
  step(10);
  const restsAt = unit!.x;
  expect(unit).toMatchObject({ jumps: 0 });
  step(4 * sim.rate);
  expect(unit).toMatchObject({ x: restsAt, jumps: times });
});

test('the position of a dropped item is resent after the page has applied the drop', () => {
  const { sim, step, open } = room();
  sim.join({ clientId: 'ann' });
  step();
  const page = open('ann');
  step(3);
  const commands = heard(page);
  sim.input({ kind: 'customInput', player: 'ann', text: 'drop' });
  step();
  expect(page.entities.get('i1')!.stats['ownerUnitId']).toBe(0);
  // The client moves it to the unit when it applies the drop.
  Object.assign(page.entities.get('i1')!, { x: 0, y: 0 });
  commands.length = 0;
  step(3);
  const { x, y } = sim.find('i1') as unknown as { x: number; y: number };
  expect(page.entities.get('i1')).toMatchObject({ x: Math.round(x), y: Math.round(y) });
  expect(commands.filter(([command, id]) => command === '_taroStreamData' && id === 'i1')).toHaveLength(1);
});

test('a page that counted a use too many is sent the actual quantity and attributes', () => {
  const { sim, step, open } = room();
  sim.join({ clientId: 'ann' });
  step();
  const page = open('ann');
  step();
  sim.input({ kind: 'customInput', player: 'ann', text: 'use' });
  step(3);
  sim.input({ kind: 'customInput', player: 'ann', text: 'stop' });
  step(2);
  const attributes = page.entities.get(',1')!.stats['attributes'] as { mana: { value: number } };
  const { value } = attributes.mana;
  const quantity = page.entities.get('i1')!.stats['quantity'] as number;
  expect(value).toBeLessThan(500);
  // The client deducts the price by itself.
  attributes.mana.value = value - 35;
  page.entities.get('i1')!.stats['quantity'] = quantity - 1;
  step(4);
  expect(attributes.mana.value).toBe(value);
  expect(page.entities.get('i1')!.stats['quantity']).toBe(quantity);
});

test("a unit that changed its type keeps its first type's attributes on a page, as from the original server, and has its own on a newcomer's", () => {
  const rage = attribute(3, { max: 10 });
  const { sim, step, open } = room(
    document({
      unitTypes: {
        mage: unitType({ attributes: { mana } }),
        wolf: unitType({ attributes: { rage } }),
      },
      scripts: { join: joinAs('mage'), change: on('wolf', { type: 'changeUnitType', entity: own, unitType: 'wolf' }) },
    }),
  );
  sim.join({ clientId: 'ann' });
  step();
  const page = open('ann');
  step();
  sim.input({ kind: 'customInput', player: 'ann', text: 'wolf' });
  step(2);
  sim.edit.setAttribute(sim.find('u1') as never, 'rage', 7);
  step(2);
  const newcomer = open('bob');
  step();
  const [known, fresh] = [page, newcomer].map(({ entities }) => entities.get(',1')!.stats);
  expect([known!['type'], Object.keys(known!['attributes'] as object)]).toEqual(['wolf', ['mana']]);
  expect([fresh!['type'], Object.keys(fresh!['attributes'] as object)]).toEqual(['wolf', ['rage']]);
  expect(fresh!['attributes']).toMatchObject({ rage: { value: 7, max: 10 } });
});

describe('a game that posts the same page event at every tick', () => {
  const every = (...actions: object[]) =>
    document({
      unitTypes: { mage: unitType({ attributes: { mana } }) },
      scripts: { join: joinAs('mage'), every: script('frameTick', actions) },
    });
  const forAll = { function: 'allPlayers' };
  const said = (page: ModelClient) =>
    page.said.filter(([command]) => command === 'ui').map(([, { action, elementId }]) => `${action} ${elementId}`);

  test('sends it once', () => {
    const { sim, step, open } = room(
      every(
        { type: 'updateUiTextForEveryone', target: 'top', value: 'hello' },
        {
          type: 'forAllPlayers',
          playerGroup: forAll,
          actions: [
            {
              type: 'setUIElementHtml',
              elementId: 'menu',
              htmlStr: '<b id="a">x</b>',
              player: { function: 'selectedPlayer' },
            },
            { type: 'setUIElementHtml', elementId: 'a', htmlStr: 'y', player: { function: 'selectedPlayer' } },
            { type: 'showUiElementForPlayer', elementId: 'menu', player: { function: 'selectedPlayer' } },
          ],
        },
      ),
    );
    sim.join({ clientId: 'ann' });
    step();
    const page = open('ann');
    step(40);
    expect(said(page)).toEqual(['setHtml menu', 'setHtml a', 'show menu']);
    // As a newcomer it receives all texts; after that none.
    expect(page.said.filter(([command]) => command === 'updateUiText')).toHaveLength(1);
  });
});
