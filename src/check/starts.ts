import { triggerTypes } from '../../engine/index.ts';
import {
  type Ability,
  type Binding,
  type CompiledScript,
  type PayloadKey,
  projectileTypesOf,
  type ScriptSet,
  triggers,
  type UnitType,
} from '../../engine/internal.ts';
import type { GameContext } from './context.ts';

/** The owner of a script: the game, or types of one kind. The letters match the scopes in `world/triggers.ts`. */
type Scope = 'g' | 'u' | 'i' | 'p';

interface Home {
  readonly scope: Scope;
  readonly set: ScriptSet;
}

/** How scripts start. */
interface ScriptStarts {
  readonly homes: ReadonlyMap<CompiledScript, Home>;
  /** By script index: the payload members that any start of the script can provide, as bits; undefined if nothing starts it. */
  readonly carried: readonly (number | undefined)[];
}

/** How messages name the scripts of an owner. */
export const kindNames: Readonly<Record<Scope, string>> = {
  g: 'a global script',
  u: 'a script of a unit type',
  i: 'a script of an item type',
  p: 'a script of a projectile type',
};

/** Effects whose scripts run in the simulation. Scripts of other effects (`use`, `reload` …) run on clients (reference: units#effects). */
const playedEffects: Readonly<Record<Exclude<Scope, 'g'>, ReadonlySet<string>>> = {
  u: new Set(['create', 'destroy', 'attacked', 'move', 'idle']),
  i: new Set(['create', 'destroy']),
  p: new Set(['create', 'destroy']),
};

const bits = new Map<PayloadKey, number>();
export function bitOf(key: PayloadKey): number {
  let bit = bits.get(key);
  if (bit === undefined) {
    bit = 1 << bits.size;
    bits.set(key, bit);
  }
  return bit;
}

/** The payload members that each trigger can have, as bits, by trigger number. */
const payloads = triggerTypes.map((type) => {
  const { required, optional }: { readonly required: readonly PayloadKey[]; readonly optional: readonly PayloadKey[] } =
    triggers[type];
  return [...required, ...optional].reduce((mask, key) => mask | bitOf(key), 0);
});

/** Whether a trigger ever fires for the scripts of a scope. */
function fires(trigger: number, scope: Scope): boolean {
  const { delivery, scopes } = triggers[triggerTypes[trigger]!];
  return delivery !== 'never' && scopes.includes(scope);
}

/** Whether a script has triggers, none of which ever fires for its kind of script. */
export function isDeaf(script: CompiledScript, scope: Scope): boolean {
  return script.triggers.length > 0 && !script.triggers.some((trigger) => fires(trigger, scope));
}

/** Whether a script has a trigger that only clients fire: it is meant for them. */
export function isForClients(script: CompiledScript): boolean {
  return script.triggers.some((trigger) => triggers[triggerTypes[trigger]!].delivery === 'never');
}

/** The triggers of a script, for messages. */
export function namesOf(script: CompiledScript): string {
  return script.triggers.map((trigger) => triggerTypes[trigger]!).join(', ');
}

export function startsOf({ definition, program }: GameContext): ScriptStarts {
  const homes = new Map<CompiledScript, Home>();
  /** The scripts of entity types, by key. */
  const ofEntities = new Map<string, CompiledScript[]>();
  const carried: (number | undefined)[] = [];
  /** Work list: started scripts whose calls must be followed. A script is added again when its payload mask grows. */
  const open: CompiledScript[] = [];

  function settle(scope: Scope, sets: readonly ScriptSet[]): void {
    for (const set of sets) {
      for (const script of set.byKey.values()) {
        homes.set(script, { scope, set });
        if (scope === 'g') continue;
        const same = ofEntities.get(script.key);
        if (same === undefined) ofEntities.set(script.key, [script]);
        else same.push(script);
      }
    }
  }

  function start(script: CompiledScript | undefined, mask: number): void {
    if (script === undefined) return;
    const before = carried[script.index];
    if (before !== undefined && (before | mask) === before) return;
    carried[script.index] = (before ?? 0) | mask;
    open.push(script);
  }

  /** Starts a script by name on an entity: the script of its type, otherwise the game's (reference: scripts#lookup-by-name). */
  function startOn(set: ScriptSet | undefined, key: string | undefined, mask: number): void {
    if (key !== undefined) start(set?.byKey.get(key) ?? program.global.byKey.get(key), mask);
  }

  /** Any unit can be made to cast any global ability; key bindings and the newer abilities belong to one type. */
  function startByAbilities(): void {
    [...definition.unitTypes.values()].forEach((type, index) => {
      const set = program.unit[index];
      const run = (key: string | undefined): void => startOn(set, key, bitOf('unit'));
      for (const ability of definition.abilities.values()) run(ability.scriptName);
      for (const ability of type.controls?.unitAbilities.values() ?? []) for (const key of scriptsOf(ability)) run(key);
      for (const binding of bindingsOf(type)) if (binding.kind === 'script') run(binding.scriptName);
    });
  }

  function startByEffects(
    scope: Exclude<Scope, 'g'>,
    types: ReadonlyMap<string, { readonly effects: ReadonlyMap<string, { readonly runScript: string | undefined }> }>,
    sets: readonly ScriptSet[],
    own: PayloadKey,
  ): void {
    [...types.values()].forEach(({ effects }, index) => {
      for (const [name, { runScript }] of effects)
        if (playedEffects[scope].has(name)) startOn(sets[index], runScript, bitOf(own));
    });
  }

  /** Starts the scripts that a script calls: they inherit its payload. */
  function follow(script: CompiledScript): void {
    const mask = carried[script.index]!;
    for (const { key, onEntity } of script.code.uses.calls) {
      if (!onEntity) {
        startOn(homes.get(script)?.set, key, mask);
        continue;
      }
      for (const each of ofEntities.get(key) ?? []) start(each, mask);
      // Regions, walls and the other types have no script of that name.
      startOn(undefined, key, mask);
    }
  }

  settle('g', [program.global]);
  settle('u', program.unit);
  settle('i', program.item);
  settle('p', program.projectile);
  for (const [script, { scope }] of homes)
    for (const trigger of script.triggers) if (fires(trigger, scope)) start(script, payloads[trigger]!);
  startByAbilities();
  startByEffects('u', definition.unitTypes, program.unit, 'unit');
  startByEffects('i', definition.itemTypes, program.item, 'item');
  startByEffects('p', projectileTypesOf(definition), program.projectile, 'projectile');
  for (const { options } of definition.dialogues.values())
    for (const { scriptName } of options) startOn(undefined, scriptName, 0);
  for (let script = open.pop(); script !== undefined; script = open.pop()) follow(script);
  return { homes, carried };
}

function scriptsOf({ scriptName, eventScripts }: Ability): (string | undefined)[] {
  return [scriptName, eventScripts.startCasting, eventScripts.stopCasting];
}

function* bindingsOf(type: UnitType): Iterable<Binding> {
  for (const bindings of [type.controls?.abilities, type.legacyAbilities]) {
    for (const { keyDown, keyUp } of bindings?.values() ?? []) {
      if (keyDown !== undefined) yield keyDown;
      if (keyUp !== undefined) yield keyUp;
    }
  }
}
