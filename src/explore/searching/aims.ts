import { cached } from '../../../engine/core/index.ts';
import { type Definition, playCounts, type Simulation } from '../../../engine/index.ts';
import { globalValue } from '../../../engine/tools.ts';
import type { Bots, Interests } from '../../bots/index.ts';
import { type GameModel, mayHold, modelOf, type Plain, type Test, type Use } from '../../model/index.ts';
import { gainsOf } from '../finding/exploits.ts';
import { leadsTo } from './leads.ts';

type Action = Pick<Use, 'place' | 'path' | 'guards' | 'after'>;

/** How long a play tries to run an action, in seconds. */
const trySeconds = 40;
/** How many steps before an action are considered. */
const stepsMax = 60;

const known = new WeakMap<Definition, ReadonlySet<Use>>();

/**
 * What plays are aimed at: first the gains, then one action of each list that runs only under some condition, those
 * with the fewest conditions first.
 */
function aimsOf(definition: Definition): ReadonlySet<Use> {
  return cached(known, definition, () => {
    const lists = new Map<string, Use>();
    for (const use of modelOf(definition).allUses) {
      const { place, path, guards, after, role, isOff } = use;
      if (isOff || role === 'reads' || role === 'tells' || (guards.length === 0 && after === undefined)) continue;
      const list = `${place} ${path.replace(/\d+$/, '')}`;
      if (!lists.has(list)) lists.set(list, use);
    }
    const others = [...lists.values()].sort((a, b) => a.guards.length - b.guards.length);
    return new Set([...gainsOf(definition).map(({ action }) => action), ...others]);
  });
}

/**
 * The actions that have to run next so that an action can run: those on the way to it whose conditions on global
 * variables hold. Goes back from conditions that do not hold to the actions that make them true.
 */
function* openSteps(model: GameModel, sim: Simulation, action: Action, seen: Set<string>): Generator<Action> {
  const name = stepName(action);
  if (seen.has(name) || seen.size > stepsMax) return;
  seen.add(name);
  const { place, guards, after } = action;
  if (after !== undefined) yield* openSteps(model, sim, after, seen);
  for (const { use } of model.starts(place)) if (use?.isOff === false) yield* openSteps(model, sim, use, seen);
  const holds = (test: Test) => mayHold(test, globalValue(sim, test.variable) as Plain);
  const unmet = guards.flatMap(({ asked }) => asked.filter((test) => !holds(test)));
  if (unmet.length === 0 && after === undefined) yield action;
  for (const test of unmet)
    for (const change of model.changes('variable', test.variable))
      if (!change.isOff && (change.by !== undefined || mayHold(test, change.value ?? test.value)))
        yield* openSteps(model, sim, change, seen);
}

function stepName({ place, path }: Pick<Use, 'place' | 'path'>): string {
  return `${place} ${path}`;
}

const leads = new WeakMap<Definition, Map<string, Interests>>();

/** What bots look for so that one of these actions runs; undefined if nothing that bots can do leads there. */
function towards(sim: Simulation, actions: readonly Action[]): Interests | undefined {
  const { definition } = sim;
  const model = modelOf(definition);
  const seen = new Set<string>();
  const steps = actions.flatMap((action) => [...openSteps(model, sim, action, seen)].map(stepName)).sort();
  const known = cached(leads, definition, () => new Map<string, Interests>());
  return steps.length === 0 ? undefined : cached(known, steps.join('\n'), () => leadsTo(definition, steps, true));
}

/** What bots look for to change a global variable. */
export function towardsChange(sim: Simulation, variable: string): Interests | undefined {
  const now = globalValue(sim, variable);
  const changes = modelOf(sim.definition).changes('variable', variable);
  return towards(
    sim,
    changes.filter(({ isOff, value, by }) => !isOff && (value !== now || by !== undefined)),
  );
}

/** Tells bots what to look for, so that actions run that seldom run by chance: one action after the other. */
export class AimedPlay {
  private readonly aims: readonly Use[];
  private aim: Use | undefined;
  private untilTick = 0;

  /** `next`: the number of the action to begin with. */
  constructor(
    private readonly sim: Simulation,
    private readonly bots: Bots,
    private next: number,
  ) {
    this.aims = [...aimsOf(sim.definition)];
  }

  /** Call it once a second. */
  look() {
    const { sim, aims } = this;
    const counts = playCounts(sim).locations;
    const model = modelOf(sim.definition);
    // Gains count only if they happen again and again.
    const wanted = (aim: Use) =>
      aim.kind === 'attribute' || counts[model.action(aim.place, aim)!.location] === 0
        ? towards(sim, [aim])
        : undefined;
    let sought = this.aim !== undefined && sim.tick < this.untilTick ? wanted(this.aim) : undefined;
    for (let i = 0; i < aims.length && sought === undefined; i++) {
      this.aim = aims[this.next++ % aims.length]!;
      this.untilTick = sim.tick + Math.round(trySeconds * sim.rate);
      sought = wanted(this.aim);
    }
    if (sought !== undefined) this.bots.seek(sought);
  }
}
