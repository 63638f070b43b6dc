import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DialectName, type LoadedGame, loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/index.ts';

/**
 * The hashes that every supported machine must produce: of the sample games with bots in both dialects, and of
 * physics-only scenes. `node dist/bench/golden.js [games]` prints them. `test/derived` compares them with
 * `test/determinism/golden.json`, and `test/determinism` with the output of other Node versions and without the JIT
 * compiler. They change whenever rules change; `npm run update` renews them.
 */

export type Golden = { readonly [scene: string]: string };

const gameTicks = 300;
const sceneTicks = 300;
const bots = 4;
const cellPx = 64;
const cells = 16;

/** The hashes of all games of a folder and of scenes of physics, or of one game only (`outbreak.json`). */
export function goldenHashes(gamesFolder: string, only?: string): Golden {
  const hashes: Record<string, string> = {};
  for (const file of readdirSync(gamesFolder).sort()) {
    if (!file.endsWith('.json') || (only ?? file) !== file) continue;
    const game = gameOf(JSON.parse(readFileSync(`${gamesFolder}/${file}`, 'utf8')), file);
    for (const dialect of ['standard', 'moddio'] as const) {
      hashes[`${file} ${dialect}`] = played(game, dialect);
    }
  }
  if (only !== undefined) return hashes;
  for (const [name, document] of Object.entries(physicsScenes())) hashes[name] = watched(gameOf(document, name));
  return hashes;
}

function gameOf(document: unknown, name: string): LoadedGame {
  const { game } = loadDefinition(document);
  if (game === undefined) throw new Error(`${name} is no definition.`);
  return game;
}

function played(game: LoadedGame, dialect: DialectName, ticks = gameTicks): string {
  const sim = new Simulation(game, { seed: 'golden', dialect });
  const players = new Bots(sim, { count: bots, seed: 'golden' });
  while (sim.tick < ticks && !sim.ended) {
    players.beforeStep();
    sim.step();
  }
  return sim.hash();
}

function watched(game: LoadedGame): string {
  const sim = new Simulation(game, { seed: 'golden' });
  sim.run({ ticks: sceneTicks });
  return sim.hash();
}

/** Bodies only: stacks that settle, bodies that roll and spin, bullets against walls, and a crowd that pushes. */
function physicsScenes(): Record<string, unknown> {
  return {
    'scene: boxes that fall on each other': scene({ y: 12 }, 30, { fixtures: [solid('rectangle', 0.4, 0.1)] }),
    'scene: circles that roll and come to rest': scene({ x: 3, y: 9 }, 30, {
      fixtures: [solid('circle', 0.8, 0.6)],
      angularDamping: 0.4,
      allowSleep: true,
    }),
    'scene: bullets that bounce': scene({}, 24, { fixtures: [solid('circle', 0, 1)], bullet: true }, 80),
    'scene: a crowd that spins': scene({}, 60, { fixtures: [solid('rectangle', 0.5, 0.5)], linearDamping: 0.3 }, 12),
  };
}

function solid(type: 'rectangle' | 'circle', friction: number, restitution: number): object {
  return { density: 1, friction, restitution, shape: { type } };
}

function scene(gravity: { x?: number; y?: number }, count: number, body: object, speed = 4): object {
  const border = (x: number, y: number): boolean => x === 0 || y === 0 || x === cells - 1 || y === cells - 1;
  const tiles = Array.from({ length: cells * cells }, (_, i) => (border(i % cells, Math.floor(i / cells)) ? 1 : 0));
  const create = (i: number): object[] => [
    {
      type: 'createUnitAtPosition',
      unitType: 'thing',
      entity: { function: 'getVariable', variableName: 'computer1' },
      position: { x: 130 + (i % 8) * 90 + i, y: 130 + Math.floor(i / 8) * 80 },
      angle: i * 0.37,
    },
    {
      type: 'setVelocityOfEntityXY',
      entity: { function: 'getLastCreatedUnit' },
      velocity: { x: Math.round(speed * ((i % 5) - 2)), y: Math.round(speed * ((i % 7) - 3)) },
    },
  ];
  return {
    data: {
      defaultData: { frameRate: 60 },
      settings: { gravity: { x: 0, y: 0, ...gravity }, continuousPhysics: true },
      map: {
        width: cells,
        height: cells,
        tilewidth: cellPx,
        tileheight: cellPx,
        layers: [{ name: 'walls', type: 'tilelayer', width: cells, height: cells, data: tiles }],
        tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 1 }],
      },
      playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
      unitTypes: {
        thing: {
          name: 'thing',
          attributes: {},
          states: { default: { name: 'default', body: 'default' } },
          bodies: {
            default: {
              type: 'dynamic',
              width: 40,
              height: 30,
              fixedRotation: false,
              affectedByGravity: true,
              collidesWith: { walls: true, units: true },
              ...body,
            },
          },
        },
      },
      scripts: {
        start: {
          name: 'start',
          triggers: [{ type: 'gameStart' }],
          conditions: [],
          actions: Array.from({ length: count }, (_, i) => create(i)).flat(),
        },
      },
      variables: { computer1: { dataType: 'player', default: 'computer1' } },
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(goldenHashes(process.argv[2] ?? 'scenarios/games', process.argv[3]), null, 2));
}
