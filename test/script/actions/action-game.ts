import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { readGlobal, writeGlobal } from '../../../engine/rules/entities/variable.ts';
import { createItem } from '../../../engine/rules/items/item.ts';
import { giveItem } from '../../../engine/rules/items/pick-up.ts';
import { createUnit } from '../../../engine/rules/lifecycle/create-unit.ts';
import { assignPlayerType, joinPlayer } from '../../../engine/rules/players/player.ts';
import { type Entity, Kind } from '../../../engine/world/entity.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { attribute, body, held, itemType, projectileType, script, unitType } from '../../support/play.ts';
import { Scene, type SceneOptions } from '../values/harness.ts';

const turning = body({ width: 20, height: 20, fixedRotation: false, collidesWith: { walls: true } });

export type Json = Record<string, unknown>;

/** An operand that reads a variable; the variables of the game are listed in `people`. */
export function the(variableName: string): Json {
  return { function: 'getVariable', variableName };
}

/** The entities of the running game, by the variable that holds them. */
export const people = {
  /**
   * A citizen of `human`, selected, with a stone in the hand (`held`) and bread in the second of three slots (`bread`).
   */
  me: 'unit',
  /** A citizen of the computer player `robot`. */
  rival: 'unit',
  held: 'item',
  bread: 'item',
  /** A stone on the ground. */
  lying: 'item',
  bullet: 'projectile',
  human: 'player',
  robot: 'player',
} as const;

const type = (dataType: string): Json => ({ dataType });

export const actionGameData: Json = {
  map: {
    width: 20,
    height: 20,
    tilewidth: 64,
    tileheight: 64,
    layers: [
      { name: 'floor', type: 'tilelayer', width: 20, height: 20, data: new Array(400).fill(1) },
      { name: 'walls', type: 'tilelayer', width: 20, height: 20, data: new Array(400).fill(0) },
      {
        name: 'debris',
        type: 'objectgroup',
        objects: [{ id: 1, name: 'crate', x: 100, y: 120, width: 30, height: 30, rotation: 90, type: 'dynamic' }],
      },
    ],
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
  },
  variables: {
    ...Object.fromEntries(Object.entries(people).map(([name, dataType]) => [name, type(dataType)])),
    n: { dataType: 'number', default: 0 },
    m: { dataType: 'number', default: 0 },
    count: { dataType: 'number', default: 0 },
    word: { dataType: 'string', default: 'abc' },
    trail: { dataType: 'string', default: '' },
    thing: { dataType: 'object', default: { a: 1, b: 2 } },
    friends: { dataType: 'playerGroup' },
    team: { dataType: 'unitGroup' },
    yard: { dataType: 'region', default: { x: 100, y: 200, width: 60, height: 40 } },
    meadow: { dataType: 'region', default: { x: 1000, y: 1000, width: 64, height: 64 } },
  },
  playerTypes: {
    human: {
      name: 'human',
      attributes: { gold: attribute(30, { min: 0, max: 99, regenerateSpeed: 0, decimalPlaces: 1 }) },
      variables: { rank: { dataType: 'number', default: 5 } },
      relationships: { foe: 'hostile' },
    },
    foe: { name: 'foe', attributes: { anger: attribute(1) }, variables: {}, relationships: { human: 'hostile' } },
  },
  abilities: { shout: { name: 'Shout', scriptName: 'shouted', cost: { unitAttributes: { mana: 3 } } } },
  unitTypes: {
    citizen: unitType({
      attributes: { health: attribute(50, { max: 100 }), mana: attribute(10), speed: attribute(10) },
      variables: { mood: { dataType: 'string', default: 'calm' }, kills: { dataType: 'number', default: 0 } },
      states: { default: { name: 'default', body: 'default' }, small: { name: 'small', body: 'small' } },
      bodies: { default: body({ rotationSpeed: 3 }), small: body({ width: 10, height: 10 }) },
      ai: { enabled: false, pathFindingMethod: 'simple', sensorRadius: 0, maxAttackRange: 100 },
      defaultItems: [],
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        mouseBehaviour: {},
        unitAbilities: {
          sing: {
            name: 'Sing',
            cost: { unitAttributes: { mana: 2 } },
            eventScripts: { startCasting: 'sings', stopCasting: 'rests' },
          },
        },
      },
      scripts: {
        own: script([], [{ type: 'setVariable', variableName: 'trail', value: idOf({ function: 'thisEntity' }) }]),
      },
    }),
    giant: unitType({ name: 'giant', attributes: { health: attribute(500, { max: 500 }) } }),
  },
  itemTypes: {
    bread: itemType({ name: 'Bread', type: 'consumable', quantity: 1, removeWhenEmpty: true }),
    stone: itemType({ name: 'Stone', quantity: 3, maxQuantity: 10, controls: { canMerge: false } }),
    gun: itemType({
      name: 'Gun',
      type: 'weapon',
      quantity: 5,
      maxQuantity: -1,
      bodies: { dropped: turning, selected: held() },
    }),
  },
  projectileTypes: { bullet: projectileType({ lifeSpan: 60_000 }) },
  shops: {
    market: {
      name: 'Market',
      itemTypes: { bread: { isPurchasable: true, price: { playerAttributes: { gold: 1 } } } },
      unitTypes: {},
    },
  },
  dialogues: { hello: { name: 'hello', message: 'Hi', options: [] } },
  sound: { bang: { name: 'bang', file: 'bang.mp3' } },
  music: { theme: { name: 'theme', file: 'theme.mp3' } },
};

/**
 * An event without its time and cause. In events that run a script in the client, `scriptId` is that script, so it
 * stays.
 */
export function withoutOrigin({ tick: _tick, time: _time, actionType: _action, scriptId, ...event }: OutputEvent) {
  return event.kind === 'client.script' ? { ...event, scriptId } : event;
}

export function idOf(entity: unknown): Json {
  return { function: 'getEntityId', entity };
}

/** A game with a little of everything, in which lists of actions run, and the results. */
export class ActionGame extends Scene {
  /** Output events since `people` were created. `to` is the name of a player in `people`, or `everyone`. */
  readonly outputs: Json[] = [];
  /** Triggers that fired since then. */
  readonly fired: string[] = [];
  private readonly named = new Map<Entity, string>();

  constructor(scripts: Readonly<Record<string, readonly unknown[]>>, data: Json = {}, options: SceneOptions = {}) {
    const own = Object.fromEntries(Object.entries(scripts).map(([name, actions]) => [name, script([], actions)]));
    super(
      { ...actionGameData, ...data, scripts: { ...own, ...((data['scripts'] as Json | undefined) ?? {}) } },
      options,
    );
    const { game, world } = this;
    const human = joinPlayer(game, { name: 'Ann', clientId: 'p1', userId: 'account' });
    const robot = world.lists[Kind.player]!.entries[0]!;
    assignPlayerType(game, human, 'human');
    assignPlayerType(game, robot, 'foe');
    const citizen = world.types.unit.get('citizen')!;
    const me = createUnit(game, { type: citizen, owner: human, x: 640, y: 640, angle: 0 });
    const rival = createUnit(game, { type: citizen, owner: robot, x: 900, y: 640, angle: 0 });
    giveItem(game, me, { type: world.types.item.get('stone')!, quantity: undefined });
    giveItem(game, me, { type: world.types.item.get('bread')!, quantity: undefined });
    const [held, bread] = world.lists[Kind.item]!.entries;
    const lying = createItem(game, { type: 'stone', x: 300, y: 300, angle: 0 });
    const bullet = createProjectile(game, { type: 'bullet', x: 1000, y: 100, angle: 0 });
    for (const [name, entity] of Object.entries({ me, rival, held, bread, lying, bullet, human, robot })) {
      this.named.set(entity!, name);
      writeGlobal(world, name, world.ref(entity!));
    }
    // The first read of a variable would change the state.
    for (const name of Object.keys(actionGameData['variables'] as Json))
      writeGlobal(world, name, readGlobal(world, name));
    // Twice, because bodies are created in the first step.
    this.sim.run({ ticks: 2 });
    this.sim.on('output', (event: OutputEvent) => {
      const { to, ...rest } = withoutOrigin(event);
      if (to === undefined) this.outputs.push(rest);
      else this.outputs.push({ ...rest, to: to === 'everyone' ? to : this.named.get(to.player) });
    });
    this.sim.observe((name) => this.fired.push(name));
  }

  entity(name: string): Entity {
    for (const [entity, called] of this.named) if (called === name) return entity;
    throw new Error(`The played has no ${name}.`);
  }

  /** Runs a global script as if `me` and `human` had triggered it. */
  run(name: string): void {
    this.world.triggers.runScript(name, 0, { unit: this.entity('me'), player: this.entity('human') });
  }

  /** Codes of the faults and skips so far, in order of first occurrence. */
  complaints(): string[] {
    return [...this.world.faults.list(), ...this.world.skips.list()].map(({ code }) => code);
  }
}
