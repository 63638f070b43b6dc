import type { LoadedGame } from '../../engine/index.ts';
import { scriptsOf, typesByKind } from '../../engine/tools.ts';
import { type GameModel, isPlain, mayHold, modelOf, type Plain, type Use } from '../model/index.ts';

/** A change of a switch by a script. */
export interface Transition {
  /** The value before the change; undefined if any other value is possible. */
  readonly from: Plain | undefined;
  readonly to: Plain;
  /** The path of the script, and its name. */
  readonly script: string;
  readonly name: string;
  /** The path of the action that sets the value: `scripts/<key>/2/then/0`. */
  readonly action: string;
  /** The comparisons of other variables that must hold. */
  readonly conditions: readonly string[];
}

/** A variable that scripts only set to literals and constants. A constant is a variable that no script sets. */
interface Switch {
  readonly variable: string;
  readonly values: readonly {
    readonly value: Plain;
    readonly isInitial: boolean;
    /** The constants by which scripts set this value. */
    readonly constants: readonly string[];
  }[];
  readonly transitions: readonly Transition[];
}

interface Script {
  /** The path of the script, such as `scripts/<key>`. */
  readonly script: string;
  readonly name: string;
  /** Everything that starts the script, except other scripts: `secondTick`, `key e`. */
  readonly starts: readonly string[];
  /** The paths of the scripts that this one starts. */
  readonly runs: readonly string[];
  /** The keys of the global variables that the script sets. */
  readonly writes: readonly string[];
}

export interface GameGraph {
  readonly switches: readonly Switch[];
  readonly scripts: readonly Script[];
}

export function graphOf({ definition }: LoadedGame): GameGraph {
  const model = modelOf(definition);
  const types = typesByKind(definition);
  const scripts = scriptsOf(definition).scripts.map(({ place, owner, name }) => {
    const uses = model.usesIn(place).filter(({ isOff }) => !isOff);
    const [, type = ''] = place.split('/');
    return {
      script: place,
      name: owner.kind === 'game' ? name : `${name} (${types[owner.kind].get(type)?.name || type})`,
      starts: distinct(
        model.starts(place).flatMap((start) => {
          return start.by === 'script' ? [] : start.by === 'trigger' ? start.name : `${start.by} ${start.name}`;
        }),
      ),
      runs: distinct(uses.flatMap((use) => (use.role === 'starts' ? model.startedBy(use) : []))),
      writes: distinct(
        uses.flatMap(({ kind, role, key = [] }) => (kind === 'variable' && role === 'changes' ? key : [])),
      ),
    };
  });
  const names = new Map(scripts.map(({ script, name }) => [script, name]));
  const switches = model.switches.flatMap((key) => switchOf(model, key, names) ?? []);
  return {
    switches,
    // Folders of the editor, which are scripts without content, are left out.
    scripts: scripts.filter(({ script, starts }) => starts.length > 0 || model.usesIn(script).length > 0),
  };
}

/**
 * A part of the graph: the states of the variable called `name`, or the scripts called `name` with what they start and
 * what starts them.
 */
export function partOf({ switches, scripts }: GameGraph, name: string): GameGraph {
  const own = scripts.filter((each) => each.name === name || `/${each.script}`.endsWith(`/${name}`));
  const isOwn = (place: string) => own.some(({ script }) => script === place);
  return {
    switches: switches.filter(({ variable, transitions }) => {
      return variable === name || transitions.some(({ script }) => isOwn(script));
    }),
    scripts: scripts.filter(({ script, runs, writes }) => {
      return (
        isOwn(script) || runs.some(isOwn) || writes.includes(name) || own.some((each) => each.runs.includes(script))
      );
    }),
  };
}

/** The states of a variable; undefined if no script changes it. */
function switchOf(model: GameModel, variable: string, scriptNames: ReadonlyMap<string, string>): Switch | undefined {
  const changes = model.transitions(variable);
  const initial = model.definition.variables.get(variable)!.default;
  const all = distinct([...(isPlain(initial) ? [initial] : []), ...changes.map(({ to }) => to)]);
  const names = distinct(model.changes('variable', variable).flatMap(({ source }) => source ?? []));
  if (all.length < 2) return undefined;
  return {
    variable,
    values: all.map((value) => ({
      value,
      isInitial: value === initial,
      constants: names.filter((name) => model.constants.get(name) === value),
    })),
    transitions: changes.flatMap(({ to, use }) => {
      const before = valuesBefore(model, variable, all, use).filter((value) => value !== to);
      const isAny = all.length > 2 && before.length >= all.length - 1;
      const conditions = conditionsOf(use, variable);
      return (isAny ? [undefined] : before).map((from) => ({
        from,
        to,
        script: use.place,
        name: scriptNames.get(use.place)!,
        action: `${use.place}/${use.path}`,
        conditions,
      }));
    }),
  };
}

/**
 * The values that a variable can have when an action runs, as far as conditions on the variable tell. The conditions
 * under which other scripts start the action's script count, too.
 */
function valuesBefore(
  model: GameModel,
  variable: string,
  all: readonly Plain[],
  use: Use,
  callees: readonly string[] = [],
): readonly Plain[] {
  const { place, after, guards } = use;
  const tests = guards.flatMap((guard) => guard.tests.filter((test) => test.variable === variable));
  const own = all.filter((value) => tests.every((test) => mayHold(test, value)));
  // What holds when the script starts still holds here only if nothing in the script could change it before.
  const first = model.usesIn(place).find(({ role, kind, key }) => {
    return role === 'starts' || (role === 'changes' && kind === 'variable' && (key ?? variable) === variable);
  });
  const starts = model.starts(place);
  const isCalledOnly = starts.length > 0 && starts.every(({ by }) => by === 'script') && !startsAnyScript(model);
  if (first !== use || after !== undefined || !isCalledOnly || callees.includes(place)) return own;
  const callers = starts.flatMap((start) => start.use ?? []).filter(({ isOff }) => !isOff);
  const atStart = callers.flatMap((caller) => valuesBefore(model, variable, all, caller, [...callees, place]));
  return own.filter((value) => atStart.includes(value));
}

function startsAnyScript(model: GameModel) {
  return model.uses('script').some(({ role, key }) => role === 'starts' && key === undefined);
}

/** The comparisons of other variables under which an action runs; `…` stands for other conditions. */
function conditionsOf({ guards }: Use, variable: string) {
  return distinct(
    guards.flatMap(({ asked }) => {
      const others = asked.filter((test) => test.variable !== variable);
      return asked.length === 0 ? '…' : others.map((test) => `${test.variable} ${test.operator} ${test.value}`);
    }),
  );
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
