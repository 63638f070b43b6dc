import { assert } from '../core/assert.ts';
import { cached } from '../core/cached.ts';
import type { Dialect } from '../definition/dialect.ts';
import { Physics } from '../physics/physics.ts';
import { rulesOfDialect } from '../rules/dialect/choose.ts';
import { type DialectRules, type Game, Running, Scratch } from '../rules/game.ts';
import { createComputerPlayers } from '../rules/players/player.ts';
import { beginContact, endContact, leaveMap } from '../rules/world/contact.ts';
import { createDebris } from '../rules/world/debris.ts';
import { listeners } from '../rules/world/listeners.ts';
import { createRegions } from '../rules/world/region.ts';
import type { Program } from '../script/program.ts';
import { Runtime } from '../script/running/runtime.ts';
import { World, type WorldSetup } from '../world/world.ts';

/**
 * The rules of each dialect, cached because choosing them took a tenth of the time of forking a small world. Rules have
 * no state, so simulations can share them.
 */
const chosen = new WeakMap<Dialect, DialectRules>();

/**
 * Creates a game without entities. World, physics and script runtime refer to each other, so each is passed to the next
 * when it is created. An event that occurs before all three exist throws, because it would otherwise be lost silently.
 */
export function connectGame(
  setup: Omit<WorldSetup, 'connect'>,
  dialect: Dialect,
  program: Program,
): { readonly game: Game; readonly runtime: Runtime } {
  let runtime!: Runtime;
  const connected = new World({
    ...setup,
    connect(world) {
      const physics = new Physics(
        world,
        {
          outside: (entity) => leaveMap(game, entity),
          begin: (first, second) => beginContact(game, first, second),
          end: (first, second) => endContact(game, first, second),
        },
        {
          pairs: dialect.contactsInCreationOrder ? 'age' : 'tree',
          areas: dialect.areaQueriesTestShapes ? 'shapes' : 'boxes',
          queuedPlacement: dialect.lastTeleportWins ? 'last' : 'first',
          roundTripsTransforms: !dialect.bodiesKeepPrecision,
          buildsDuplicateRequests: !dialect.bodiesAreBuiltOnce,
          gravityMovesSensors: !dialect.sensorsIgnoreGravity,
        },
      );
      const game: Game = {
        definition: setup.definition,
        world,
        physics,
        rules: cached(chosen, dialect, rulesOfDialect),
        listeners,
        turnBegins: undefined,
        running: new Running(),
        scratch: new Scratch(),
      };
      runtime = new Runtime(game, program);
      return runtime;
    },
  });
  assert(connected.triggers.port === runtime, 'the triggers of a world are connected to its scripts');
  return { game: runtime.game, runtime };
}

/** Creates the entities that exist before the first script runs; see `Triggers.open`. */
export function buildWorld(game: Game, dialect: Dialect): void {
  game.physics.buildWalls();
  if (dialect.debris) createDebris(game);
  createRegions(game);
  createComputerPlayers(game);
}
