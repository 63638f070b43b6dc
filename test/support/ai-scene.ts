import { rowOf } from '../../engine/world/entity.ts';
import { createUnitAt, delayed, setVariable } from './actions.ts';
import { attribute, body, type Play, type PlayOptions, play, script, unitType } from './play.ts';

export type Json = Record<string, unknown>;

export const me = { function: 'getVariable', variableName: 'me' };
export const foe = { function: 'getVariable', variableName: 'foe' };
export const computer = (number: number) => ({ function: 'computerPlayer', number });

export const remember = (variableName: string) => setVariable(variableName, { function: 'getLastCreatedUnit' });
export const create = (unit: string, owner: unknown, x: number, y: number) => createUnitAt(unit, owner, { x, y });

/** An AI that follows no unit unless a test says so. */
export function thinker(ai: Json = {}, more: Json = {}): Json {
  return unitType({
    attributes: { health: attribute(100, { max: 100 }), speed: attribute(3) },
    bodies: { default: body({ linearDamping: 6 }) },
    ai: {
      enabled: true,
      pathFindingMethod: 'simple',
      idleBehaviour: 'stay',
      sensorResponse: 'none',
      attackResponse: 'none',
      sensorRadius: 0,
      maxAttackRange: 60,
      ...ai,
    },
    ...more,
  });
}

export interface Scene {
  readonly ai?: Json;
  readonly aiType?: Json;
  readonly prey?: Json;
  readonly walls?: readonly string[];
  readonly at?: { x: number; y: number };
  readonly preyAt?: { x: number; y: number };
  readonly relationships?: Json;
  /** Additional player types. */
  readonly playerTypes?: Json;
  readonly scripts?: Json;
  readonly items?: Json;
}

/**
 * `me`, a unit with AI of computer player 1, and `foe`, one without AI of computer player 2; player 1 considers player
 * 2 hostile.
 */
export function scene(of: Scene = {}, options: PlayOptions = {}): Play {
  const at = of.at ?? { x: 640, y: 640 };
  const preyAt = of.preyAt ?? { x: 1100, y: 640 };
  const walls = of.walls ?? Array.from({ length: 20 }, () => '.'.repeat(20));
  const data = walls.flatMap((row) => [...row].map((cell) => (cell === '#' ? 1 : 0)));
  return play(
    {
      map: {
        width: walls[0]!.length,
        height: walls.length,
        tilewidth: 64,
        tileheight: 64,
        layers: [{ name: 'walls', type: 'tilelayer', width: walls[0]!.length, height: walls.length, data }],
        tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
      },
      playerTypes: {
        wolves: {
          name: 'wolves',
          relationships: of.relationships ?? { sheep: 'hostile' },
          attributes: {},
          variables: {},
        },
        sheep: { name: 'sheep', relationships: {}, attributes: {}, variables: {} },
        ...of.playerTypes,
      },
      unitTypes: { thinker: thinker(of.ai, of.aiType), prey: unitType({ ...of.prey }) },
      itemTypes: of.items ?? {},
      variables: { me: { dataType: 'unit' }, foe: { dataType: 'unit' }, log: { dataType: 'string', default: '' } },
      scripts: {
        start: script('gameStart', [
          { type: 'assignPlayerType', entity: computer(1), playerType: 'wolves' },
          { type: 'assignPlayerType', entity: computer(2), playerType: 'sheep' },
          create('thinker', computer(1), at.x, at.y),
          remember('me'),
          create('prey', computer(2), preyAt.x, preyAt.y),
          remember('foe'),
        ]),
        ...of.scripts,
      },
    },
    { dialect: 'moddio', ...options },
  );
}

/** Runs actions once the scene's clock reaches a time, in simulated ms. */
export function later(ms: number, actions: readonly unknown[]): Json {
  return script('gameStart', [delayed(ms, ...actions)]);
}

export const teleport = (unit: unknown, x: number, y: number) => ({
  type: 'teleportEntity',
  entity: unit,
  position: { x, y },
});

export function mind(game: Play, id = 'u1') {
  const { world } = game;
  const row = rowOf(game.entity(id));
  const { components: c } = world;
  const ai = c.ai[row]!;
  return {
    mode: ai.mode,
    target: world.ref(ai.target)?.id,
    walks: c.movement.moving[row] === 1,
    x: c.transform.x[row]!,
    y: c.transform.y[row]!,
    facing: c.facing.angle[row]!,
    isOn: ai.enabled,
  };
}
