import type { Simulation } from '../../engine/index.ts';
import { actionsOfTick } from '../../engine/tools.ts';
import { coded, lengthOfValue } from '../run/index.ts';

/** The maximum size of a game's state, in bytes of a snapshot. In memory it may take thirty times as much. */
const stateBytesMax = 16 * 1024 * 1024;
/**
 * The state is measured after this many actions, so that quiet games are rarely measured: an action adds at most some
 * hundred bytes.
 */
const actionsBetween = 50_000;
/** From this many bytes on, the user is warned. */
const largeBytes = stateBytesMax / 8;

/** Thrown when the state of a game has become too large for a page. */
export class StateTooLarge extends Error {
  override readonly name = 'StateTooLarge';
}

/**
 * Ends a game before it takes all memory of the page. In some browsers, a worker that runs out of memory ends the whole
 * tab, and no browser tells a page how much memory is left.
 */
export class StateLimit {
  private actions = 0;
  /** The warning about a state that has become large; `''` if it has not. */
  warning = '';

  /**
   * Measures the state if enough actions have run since it was last measured. Call it after each tick. Throws
   * `StateTooLarge`.
   */
  afterTick(sim: Simulation) {
    this.actions += actionsOfTick(sim);
    if (this.actions < actionsBetween) return;
    this.actions = 0;
    const bytes = sim.snapshot().length;
    if (bytes > stateBytesMax) throw new StateTooLarge(messageOf(sim, bytes));
    this.warning =
      bytes < largeBytes
        ? ''
        : `The state of the game has ${megabytes(bytes)}; the playground ends games that have more than ${megabytes(stateBytesMax)}.`;
  }
}

function messageOf(sim: Simulation, bytes: number) {
  const [largest] = [...sim.definition.variables.keys()]
    .map((name) => ({ name, length: lengthOfValue(sim.variable(name)) }))
    .sort((a, b) => b.length - a.length);
  const most = largest === undefined ? '' : ` The largest global variable is "${largest.name}".`;
  const counts = `${sim.units().length} units, ${sim.items().length} items, ${sim.projectiles().length} projectiles`;
  return coded(
    'state-too-large',
    `at tick ${sim.tick} the state of the game had ${megabytes(bytes)}; the playground ends games that have more than ${megabytes(stateBytesMax)}.${most} There were ${counts}.`,
  );
}

function megabytes(bytes: number) {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
