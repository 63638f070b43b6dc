import { describe, expect, test } from 'vitest';
import { type LoadedGame, Simulation } from '../../engine/index.ts';
import { Space } from '../../engine/physics/flat/space.ts';
import { saveSpace } from '../../engine/physics/space-save.ts';
import { WallBodies } from '../../engine/physics/wall-bodies.ts';
import { stunUnit } from '../../engine/rules/combat/status-effect.ts';
import { internalsOf } from '../../engine/tools.ts';
import { Bots } from '../../src/bots/bots.ts';
import { intricate } from '../support/intricate.ts';
import { leaves, unequalPaths } from '../support/leaves.ts';
import { sampleGame } from '../support/samples.ts';

/**
 * Everything mutable in the memory of a simulation, found by walking its objects, must affect the hash and be restored
 * from a snapshot. Exceptions are listed here with reasons. A new member anywhere (physics, queues, timers, runtime)
 * fails these tests until it is saved or listed.
 */
const notState: readonly [members: RegExp, why: string][] = [
  [/^(Simulation|Listeners)\/(phaseListener|recorder|emitter|failures)($|\/)/, 'observers'],
  [
    /^Simulation\/(seed|dialect)$|^Simulation\/inside\/rates\/|^World\/(dialect|limits)\/|^EntityTable\/capacity$/,
    'options, stored in the header of a snapshot',
  ],
  [/^(Simulation|Listeners)\/(phase|isPlaying)$/, 'progress within a tick, set when it starts'],
  [/^Simulation\/joined$/, 'the number of the next client, stored in snapshots'],
  [/^(Runtime\/(counts|runs)|Triggers\/counts|Outbox\/counts)\//, 'statistics'],
  [/^(FaultLog|EventEmitter|Outbox)\//, 'reports'],
  [/^Runtime\/(budget|depth|location|script|observer)$/, 'progress of scripts within a tick, set when it starts'],
  [
    /^World\/betweenTicks$|^Triggers\/(observer|queueObserver|queuedMax)$|\/game\/turnBegins$/,
    'observers, and progress within a tick',
  ],
  [/^TypeTable\/|^Runtime\/subscribed\//, 'the definition'],
  [/^GlobalVariables\/layout\/|^World\/components\/variables\/#\/layout\//, 'the definition'],
  [/^World\/map\/layers\/#\/tiles\//, 'the map of the definition'],
  [/^World\/components\/\w+\/#$/, 'rows of other kinds of entities'],
  [/^EntityRef\/kind$/, 'stored in a column'],
  [/^TriggerQueue\/(triggers|payloads)\//, 'unused slots'],
  [/^Physics\/(bodiesAwake|contacts|delivering|delivered)$/, 'statistics, and progress within an update'],
  [/^IndexSet\//, 'scratch'],
  [
    /^Physics\/(roundTripsTransforms|buildsDuplicateRequests|gravityMovesSensors|keepsFirstPlacement)$/,
    'derived from the dialect, which is stored in the header of a snapshot',
  ],
  [/^Physics\/byRow\/(body|teleport(X|Y|Angle))\/#$/, 'rows that nothing was teleported to, or without a body'],
  [/^(AreaQuery|RayCaster|RayHits|PathSearch|Scratch)\//, 'scratch memory of a query'],
  [/^ContactLog\//, 'empty between ticks'],
  [/^(ComponentSet|StoresType)\/|^Query\/mask\//, 'the declared components'],
  [/^(Query|EntityList)\/(entries|tombstones)/, 'derived from the order and the components of each entity'],
  [
    /^AwakeList\/(positions|words|blocks|untilMs)\/#$|^AwakeList\/(dueMs|firstTombstone)$/,
    'awake entities, determined anew after a snapshot',
  ],
  [/^CommandQueues\/commands\//, 'former contents of a row'],
  [/^CommandQueues\/placement$/, 'derived from the dialect, which is stored in the header of a snapshot'],
];

/**
 * Exceptions in the space: what is derived from the rest, or cannot be changed alone without making the state invalid.
 */
const notSpaceState: readonly [members: RegExp, why: string][] = [
  [
    /^Space\/(options|hasRefusedContacts|area|transform)($|\/)|^BroadPhase\/(grid|pairsLeft)$/,
    'options, scratch memory, or set when a step starts',
  ],
  [/^BodyStore\/shapes\/#$/, 'free rows'],
  [
    /^(RayPath|Islands|ImpactSolver|Constraints|TOIInput|TOIOutput|DistanceProxy|ExactSweep|LeafList)\//,
    'scratch memory of a step',
  ],
  [/^Step\/(gravityX|gravityY|velocityIterations|positionIterations|warmStarting)$/, 'parameters'],
  [/^BodyStore\/(stamp|sineCosineCache)\//, 'scratch memory of a step'],
  [
    /^BodyStore\/(mobile|contactCount|firstEdge|leaf|rank|rowByRank|rankCount|rowCount|capacity|free|outlines)/,
    'derived from the bodies',
  ],
  [/^ContactStore\/(stamps|impact\w+)\//, 'scratch memory of a step'],
  [
    /^ContactStore\/(kinds|nextEdges|formerEdges|friction|restitution|places|free|rowCount|orderCount|ended|capacity)|^PairTable\//,
    'derived from the contacts',
  ],
  [
    /^BoxTree\/(links|ids|root|freeNode|capacity|stack)|^BroadPhase\/(rows|moved|target|area)/,
    'the structure of the tree, or derived from it',
  ],
  [/^Box\/m_(type|radius|count|vertices|normals)|^CircleShape\/m_type/, 'derived from the size of the box'],
];

const listed = [...notState, ...notSpaceState];
/**
 * Not every one of these affects the hash, but some must: static bodies, contacts without points, rows where nothing
 * waits, columns without entities, an unchanged map.
 */
const sometimes =
  /^(World\/components\/|Step|BodyStore|ContactStore|BroadPhase|BoxTree|CommandQueues\/counts|WallBodies\/cells)/;

const skipped = new Set(['definition', 'loaded', 'program', 'recorder', 'emitter']);
/** Higher rows behave like these, so they are not tried. */
const rowsTried = 60;

const games: [string, LoadedGame][] = [
  ['outbreak', sampleGame('outbreak.json')],
  ['a game with state that is easily forgotten', intricate],
];

const ticks = 160;

function busy(game: LoadedGame): Simulation {
  const sim = new Simulation(game, { seed: 'live', dialect: 'standard except contactsInCreationOrder' });
  const bots = new Bots(sim, { count: 6, seed: 'live' });
  for (let i = 0; i < ticks; i++) {
    bots.beforeStep();
    sim.step();
  }
  // Unused columns are not part of the hash.
  for (const unit of sim.entities('unit')) stunUnit(internalsOf(sim).game, unit, Number.POSITIVE_INFINITY);
  return sim;
}

/** Including what is not a member of the simulation. */
function whole(sim: Simulation): object {
  return { sim, inside: internalsOf(sim) };
}

function generalised(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, '/#');
}

describe('everything in the memory of a simulation', () => {
  test('affects the hash', () => {
    const counted = new Set<string>();
    const missed = new Set<string>();
    const met = new Set<RegExp>();
    for (const [, game] of games) {
      const sim = busy(game);
      const before = sim.hash();
      const rows = Math.min(internalsOf(sim).world.entities.rowsUsed, rowsTried);
      const isSkipped = (key: string, owner: object): boolean =>
        skipped.has(key) || (ArrayBuffer.isView(owner) && Number(key) >= rows);
      const tries = new Map<string, number>();
      for (const leaf of leaves(whole(sim), 'Simulation', isSkipped)) {
        const path = generalised(leaf.path);
        const listing = listed.find(([members]) => members.test(path));
        if (listing !== undefined) {
          met.add(listing[0]);
          continue;
        }
        const tried = tries.get(path) ?? 0;
        tries.set(path, tried + 1);
        if (tried > 30 || (tried > 4 && counted.has(path))) continue;
        const undo = leaf.change();
        const isCounted = differs(sim, before);
        undo();
        if (isCounted) counted.add(path);
        else missed.add(path);
      }
      expect([sim.hash(), sim.hash()]).toEqual([before, before]);
    }
    expect([...missed].filter((path) => !(sometimes.test(path) && counted.has(path)))).toEqual([]);
    expect(counted.size).toBeGreaterThan(200);
    // An exception that matches nothing is out of date.
    expect(listed.filter(([members]) => !met.has(members)).map(([members]) => String(members))).toEqual([]);
  });

  test.each(games)('is restored from a snapshot: %s', (_name, game) => {
    const sim = busy(game);
    const copy = sim.fork();
    const savedOf = (of: Simulation): object => {
      const { places: _places, ...saved } = saveSpace(internalsOf(of).game.physics.parts.space);
      return saved;
    };
    // Rows and nodes may be elsewhere in the memory of physics; test/physics/snapshot.test.ts looks at it closely.
    expect(savedOf(copy)).toEqual(savedOf(sim));
    const isSkipped = (key: string, owner: object): boolean => {
      const value = (owner as Record<string, unknown>)[key];
      return skipped.has(key) || key === 'byRow' || owner instanceof WallBodies || value instanceof Space;
    };
    const unequal = unequalPaths(whole(sim), whole(copy), 'Simulation', isSkipped);
    const unlisted = [...new Set([...unequal].map(generalised))].filter(
      (path) => !listed.some(([members]) => members.test(path)),
    );
    expect(unlisted).toEqual([]);
  });
});

/** A state that can no longer be hashed counts as different. */
function differs(sim: Simulation, before: string): boolean {
  try {
    return sim.hash() !== before;
  } catch {
    return true;
  }
}
