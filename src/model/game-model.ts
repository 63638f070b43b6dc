import { cached, lazy } from '../../engine/core/index.ts';
import { type Action, type Definition, everyNode, type ScriptNode } from '../../engine/index.ts';
import { buffEnd, nodeAt, type PayloadKey, scriptsOf } from '../../engine/tools.ts';
import { type AttributeRule, attributeRulesIn } from './attribute-rules.ts';
import { type NameUse, namesIn } from './script-names.ts';
import {
  type Guard,
  isPlain,
  mayHold,
  type Plain,
  type Use,
  type UsedKind,
  usesIn,
  withConstants,
} from './script-uses.ts';
import { type Start, startsIn, triggersStarting } from './starts.ts';
import { ValueTypes } from './value-types.ts';

/** The values that a global variable can have. */
interface Values {
  readonly initial: unknown;
  /** The literals that scripts assign to the variable. */
  readonly assigned: ReadonlySet<Plain>;
  /** The literals that conditions compare with the variable. */
  readonly compared: ReadonlySet<Plain>;
  /** Whether scripts also assign computed values. Scripts that compute the name of the variable do not count. */
  readonly isComputed: boolean;
}

/** An action that sets a variable from one of its few values to another. */
interface Transition {
  /** The values that the variable can have before the action, according to the guards of the action. */
  readonly from: readonly Plain[];
  readonly to: Plain;
  readonly use: Use;
}

/**
 * The model of a game: what its scripts use and do, and what starts them. Each script is analysed when a question first
 * concerns it.
 */
export class GameModel {
  private readonly scripts: ReadonlyMap<string, ScriptNode>;
  /** The types of operands. */
  readonly types: ValueTypes;
  private readonly byKind = lazy(() => groupedBy(this.allUses, (use) => [[use.kind, use]]));
  private readonly byKey = new Map<UsedKind, ReadonlyMap<string, readonly Use[]>>();
  private readonly usesByPlace = new Map<string, readonly Use[]>();
  private readonly constantValues = lazy(() => {
    const changed = new Set(this.writes().map(({ key }) => key));
    return new Map(
      [...this.definition.variables.values()].flatMap(({ key, dataType, default: value }): [string, Plain][] => {
        const isConstant = isPlain(value) && typeof value === dataType && !this.setsAnyVariable && !changed.has(key);
        return isConstant ? [[key, value]] : [];
      }),
    );
  });
  /** The actions that set a global variable. */
  private readonly writes = lazy(() =>
    [...this.scripts.values()]
      .flatMap((script) => usesIn(script))
      .filter(({ kind, role, isWhole, isOff }) => kind === 'variable' && role === 'changes' && !isWhole && !isOff),
  );
  private readonly known = new Map<string, Values>();
  private switchKeys: readonly string[] | undefined;
  private readonly startsByPlace = lazy(() => {
    const started = startsIn(this.definition);
    const calls = this.uses('script').filter(({ role }) => role === 'starts');
    const called = groupedBy(calls, (use) => {
      const start: Start = { by: 'script', name: use.place, provides: [], use };
      return this.startedBy(use).map((place) => [place, start]);
    });
    const places = new Set([...started.keys(), ...called.keys()]);
    return new Map([...places].map((place) => [place, [...(started.get(place) ?? []), ...(called.get(place) ?? [])]]));
  });
  private readonly providedKeys = lazy(() => this.allProvided());
  private readonly placesByKey = lazy(() =>
    groupedBy(this.scripts.values(), ({ source, place }) => [[source.key, place]]),
  );
  private readonly deferrals = lazy(
    () =>
      new Map(
        [...this.scripts.values()].flatMap(({ actions, place }) =>
          [...everyNode(actions)].flatMap((node): [number, string][] =>
            node.kind === 'block' && node.isDeferred ? [[node.job, `${place} ${(node.parent as Action).path}`]] : [],
          ),
        ),
      ),
  );
  private readonly ruled = lazy(() => [...attributeRulesIn(this.definition)]);

  constructor(readonly definition: Definition) {
    this.types = new ValueTypes(definition);
    this.scripts = new Map(scriptsOf(definition).scripts.map((script) => [script.place, script]));
  }

  /** The names that literals in a script refer to. */
  names(place: string): readonly NameUse[] {
    return namesIn(this.scripts.get(place)!, this.types);
  }

  /** Everything that a script uses. */
  usesIn(place: string): readonly Use[] {
    return cached(this.usesByPlace, place, () => withConstants(usesIn(this.scripts.get(place)!), this.constants));
  }

  /** The values of the global numbers, strings and booleans that no script changes. */
  get constants(): ReadonlyMap<string, Plain> {
    return this.constantValues();
  }

  /** The paths of all scripts, such as `scripts/<key>`. */
  get places(): readonly string[] {
    return [...this.scripts.keys()];
  }

  get allUses(): readonly Use[] {
    return this.places.flatMap((place) => this.usesIn(place));
  }

  /** All uses of a thing, in document order; without a key, of all things of a kind. */
  uses(kind: UsedKind, key?: string): readonly Use[] {
    return (key === undefined ? this.byKind().get(kind) : this.usesByKey(kind).get(key)) ?? [];
  }

  /** The uses that change a thing. */
  changes(kind: UsedKind, key?: string): readonly Use[] {
    return this.uses(kind, key).filter(({ role }) => role === 'changes');
  }

  /**
   * The action that a use belongs to, or the action whose condition is a guard. Undefined for the script's own
   * condition.
   */
  action(place: string, { path }: Use | Guard): Action | undefined {
    const node = path === '' ? undefined : nodeAt(this.scripts.get(place)!.actions, path.split('/'));
    return node as Action | undefined;
  }

  /**
   * The path of the action whose list a timer or an answer runs, such as `scripts/a 2/then/0`, by the job number of the
   * list. Undefined for an unknown number.
   */
  deferral(job: number): string | undefined {
    return this.deferrals().get(job);
  }

  /**
   * The causes that start a script: triggers that fire for it, keys, abilities, dialogues, effects and other scripts.
   */
  starts(place: string): readonly Start[] {
    return [...triggersStarting(this.scripts.get(place)!, this.definition), ...(this.startsByPlace().get(place) ?? [])];
  }

  /** The paths of the scripts that a use of the role `starts` can start. */
  startedBy({ key, scope, place }: Use): readonly string[] {
    if (key === undefined) return [];
    if (scope !== 'game') return this.pathsWithKey(key);
    const called = this.called(place, key);
    return called === undefined ? [] : [called];
  }

  /**
   * The path of the script that a script starts by its key: a script of its own owner, or else of the game. Undefined
   * if there is none.
   */
  called(from: string, key: string): string | undefined {
    const own = `${from.slice(0, from.lastIndexOf('/') + 1)}${key}`;
    return [own, `scripts/${key}`].find((place) => this.scripts.has(place));
  }

  /** The paths of all scripts with this key. */
  pathsWithKey(key: string): readonly string[] {
    return this.placesByKey().get(key) ?? [];
  }

  /**
   * The payload members that a script can read with `getTriggering…`, from all triggers and scripts that start it.
   * Undefined if nothing starts it.
   */
  provided(place: string): ReadonlySet<PayloadKey> | undefined {
    return this.providedKeys().get(place);
  }

  /** All changes of attributes that happen without a script. */
  get attributeRules(): readonly AttributeRule[] {
    return this.ruled();
  }

  /** The names of the built-in rules that change an attribute. */
  rulesChanging(attribute: string): readonly string[] {
    const isBuffed = this.changes('attribute', attribute).some(({ aspect }) => aspect === 'buffs');
    const found = this.attributeRules.flatMap(({ key, by }) => (key === attribute ? by : []));
    return [...new Set([...found, ...(isBuffed ? [buffEnd.name] : [])])];
  }

  /** The values that a declared global variable can have; undefined if no variable has this key. */
  values(variable: string): Values | undefined {
    const declared = this.definition.variables.get(variable);
    return (
      declared &&
      cached(this.known, variable, () => {
        const [assigned, compared] = [new Set<Plain>(), new Set<Plain>()];
        let isComputed = false;
        for (const { role, value, by, isOff } of this.uses('variable', variable)) {
          if (isOff) continue;
          if (role === 'reads') {
            if (value !== undefined) compared.add(value);
          } else if (value === undefined || by !== undefined) isComputed = true;
          else assigned.add(value);
        }
        return { initial: declared.default, assigned, compared, isComputed };
      })
    );
  }

  /**
   * The global variables that act as switches between few values: booleans, and strings and numbers that scripts only
   * set to literals and compare with literals.
   */
  get switches(): readonly string[] {
    this.switchKeys ??= [...this.definition.variables.values()].flatMap(({ key, dataType }) => {
      const { initial, assigned, compared, isComputed } = this.values(key)!;
      const isNumber = (value: unknown) => typeof value === 'number';
      const texts = [initial, ...assigned, ...compared].filter((each) => typeof each === 'string');
      const isSwitch =
        dataType === 'boolean' ||
        (dataType === 'string' && !isComputed && new Set(texts).size > 1) ||
        (dataType === 'number' &&
          !isComputed &&
          assigned.size > 1 &&
          [...assigned].every(isNumber) &&
          [...compared].some(isNumber));
      return isSwitch ? key : [];
    });
    return this.switchKeys;
  }

  /**
   * The actions that change a switch, each with the values that it can have before and the value after. Empty if
   * scripts can set the variable to any value.
   */
  transitions(variable: string): readonly Transition[] {
    const values = this.values(variable);
    if (values === undefined || values.isComputed) return [];
    if (this.setsAnyVariable) return [];
    const { initial } = values;
    const all = new Set([...(isPlain(initial) ? [initial] : []), ...values.assigned]);
    return this.changes('variable', variable).flatMap((use) => {
      const tests = use.guards.flatMap((guard) => guard.tests).filter((test) => test.variable === variable);
      const from = [...all].filter((value) => tests.every((test) => mayHold(test, value)));
      return use.isOff || from.length === 0 ? [] : { from, to: use.value!, use };
    });
  }

  /** Whether a script sets a global variable whose name is computed. */
  get setsAnyVariable(): boolean {
    return this.writes().some(({ key }) => key === undefined);
  }

  /** The payload members that each script may find. A script that is called gets the payload of its caller. */
  private allProvided(): ReadonlyMap<string, ReadonlySet<PayloadKey>> {
    const provided = new Map<string, Set<PayloadKey>>();
    const waiting: string[] = [];
    const start = (place: string, keys: Iterable<PayloadKey>) => {
      const before = provided.get(place);
      const all = new Set([...(before ?? []), ...keys]);
      if (before?.size === all.size) return;
      provided.set(place, all);
      waiting.push(place);
    };
    const called = new Map<string, string[]>();
    for (const place of this.scripts.keys()) {
      for (const { by, name, provides, use } of this.starts(place)) {
        if (by !== 'script') start(place, provides);
        else if (use?.isOff === false) cached(called, name, () => []).push(place);
      }
    }
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
      for (const next of called.get(place) ?? []) start(next, provided.get(place)!);
    return provided;
  }

  private usesByKey(kind: UsedKind): ReadonlyMap<string, readonly Use[]> {
    return cached(this.byKey, kind, () =>
      groupedBy(this.uses(kind), (use) => (use.key === undefined ? [] : [[use.key, use]])),
    );
  }
}

/** Groups values into lists by key, keeping their order. */
function groupedBy<T, V>(all: Iterable<T>, entries: (each: T) => readonly (readonly [string, V])[]): Map<string, V[]> {
  const found = new Map<string, V[]>();
  for (const each of all) {
    for (const [key, value] of entries(each)) {
      cached(found, key, () => []).push(value);
    }
  }
  return found;
}

const models = new WeakMap<Definition, GameModel>();

/**
 * The model of a game. It is built once per definition. The uses and names in a script are cached by the script's node.
 */
export function modelOf(definition: Definition): GameModel {
  return cached(models, definition, () => new GameModel(definition));
}
