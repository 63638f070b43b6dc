import { type Issue, Issues } from '../../engine/core/issue.ts';
import { type Definition, type Dialect, triggerTypes } from '../../engine/index.ts';
import {
  type Ability,
  type Binding,
  type CompiledScript,
  type PayloadKey,
  type Program,
  projectileTypesOf,
  References,
  type ScriptSet,
  triggerIndex,
  triggers,
  type UnitType,
  ValueTypes,
  type Vocabulary,
} from '../../engine/internal.ts';
import { checkAi } from './ai.ts';
import { AttributeBounds } from './attribute-bounds.ts';
import { checkAttributes } from './attributes.ts';
import { checkCopies } from './copies.ts';
import { checkEconomy } from './economy.ts';
import { checkFlow } from './flow.ts';
import { checkItems } from './items.ts';
import { checkKinds } from './kinds.ts';
import { checkLiterals } from './literals.ts';
import { checkOperands } from './operands.ts';
import { checkPlay } from './play.ts';
import { checkRecursion } from './recursion.ts';
import { checkTriggers } from './triggers.ts';
import { checkUnused } from './unused.ts';
import { walked } from './walk.ts';

/** Checks that need all scripts: reports scripts that nothing starts, and reads of payload members that no start of the script provides. */
export function checkScripts(
  definition: Definition,
  program: Program,
  vocabulary: Vocabulary,
  dialect: Dialect,
): readonly Issue[] {
  return new ScriptCheck(definition, program, vocabulary, dialect).check();
}

/** The owner of a script: the game, or types of one kind. The letters match the scopes in `world/triggers.ts`. */
type Scope = 'g' | 'u' | 'i' | 'p';

interface Home {
  readonly scope: Scope;
  readonly set: ScriptSet;
}

const kindNames: Readonly<Record<Scope, string>> = {
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
function bitOf(key: PayloadKey): number {
  let bit = bits.get(key);
  if (bit === undefined) {
    bit = 1 << bits.size;
    bits.set(key, bit);
  }
  return bit;
}

const ownBit: Readonly<Record<Exclude<Scope, 'g'>, number>> = {
  u: bitOf('unit'),
  i: bitOf('item'),
  p: bitOf('projectile'),
};

/** The payload members that each trigger can have, as bits, by trigger number. */
const payloads = triggerTypes.map((type) => {
  let mask = 0;
  const row: { readonly required: readonly PayloadKey[]; readonly optional: readonly PayloadKey[] } = triggers[type];
  for (const key of row.required) mask |= bitOf(key);
  for (const key of row.optional) mask |= bitOf(key);
  return mask;
});

class ScriptCheck {
  private readonly definition: Definition;
  private readonly program: Program;
  private readonly vocabulary: Vocabulary;
  private readonly dialect: Dialect;
  private readonly issues = new Issues();
  private readonly homes = new Map<CompiledScript, Home>();
  /** The scripts of entity types, by key. */
  private readonly ofEntities = new Map<string, CompiledScript[]>();
  /** By script index: the payload members that any start of the script can provide, as bits; undefined if no start has been found yet. */
  private readonly carried: (number | undefined)[] = [];
  /** Work list: started scripts whose calls must be followed. A script is added again when its payload mask grows. */
  private readonly open: CompiledScript[] = [];

  constructor(definition: Definition, program: Program, vocabulary: Vocabulary, dialect: Dialect) {
    this.dialect = dialect;
    this.vocabulary = vocabulary;
    this.definition = definition;
    this.program = program;
  }

  check(): readonly Issue[] {
    const { program } = this;
    this.settle('g', [program.global]);
    this.settle('u', program.unit);
    this.settle('i', program.item);
    this.settle('p', program.projectile);
    this.startByTriggers();
    this.startByAbilities();
    this.startByEffects();
    for (const dialogue of this.definition.dialogues.values()) {
      for (const { scriptName } of dialogue.options) {
        if (scriptName !== undefined) this.start(program.global.byKey.get(scriptName), 0);
      }
    }
    for (let script = this.open.pop(); script !== undefined; script = this.open.pop()) this.follow(script);
    for (const script of program.scripts) this.report(script);
    checkRecursion(program, (script) => this.homes.get(script)?.set, this.issues);
    const scripts = program.scripts.map(({ node }) => walked(node));
    const types = new ValueTypes(this.definition);
    const bounds = new AttributeBounds(this.definition, scripts);
    checkKinds(types, bounds, scripts, this.dialect, this.issues);
    checkFlow(scripts, this.issues);
    checkCopies(scripts, this.issues);
    checkTriggers(this.definition, program, scripts, this.issues);
    checkEconomy(this.definition, bounds, this.dialect, this.issues);
    checkAi(this.definition, scripts, types, this.issues);
    checkLiterals(this.definition, scripts, types, new References(this.definition, this.dialect), this.issues);
    checkOperands(this.definition, scripts, this.vocabulary, types, this.issues);
    checkItems(this.definition, scripts, this.dialect, this.issues);
    checkPlay(this.definition, scripts, this.issues);
    checkUnused(this.definition, scripts, this.issues);
    checkAttributes(this.definition, scripts, this.issues);
    return this.issues.list;
  }

  private settle(scope: Scope, sets: readonly ScriptSet[]): void {
    for (const set of sets) {
      for (const script of set.byKey.values()) {
        this.homes.set(script, { scope, set });
        if (scope === 'g') continue;
        const same = this.ofEntities.get(script.key);
        if (same === undefined) this.ofEntities.set(script.key, [script]);
        else same.push(script);
      }
    }
  }

  private start(script: CompiledScript | undefined, mask: number): void {
    if (script === undefined) return;
    const before = this.carried[script.index];
    if (before !== undefined && (before | mask) === before) return;
    this.carried[script.index] = (before ?? 0) | mask;
    this.open.push(script);
  }

  /** Starts a script by name on an entity: the script of its type, otherwise the game's (reference: scripts#lookup-by-name). */
  private startOn(set: ScriptSet | undefined, key: string | undefined, mask: number): void {
    if (key !== undefined) this.start(set?.byKey.get(key) ?? this.program.global.byKey.get(key), mask);
  }

  private startByTriggers(): void {
    for (const [script, { scope }] of this.homes) {
      for (const trigger of script.triggers) if (fires(trigger, scope)) this.start(script, payloads[trigger]!);
    }
  }

  /** Any unit can be made to cast any global ability; key bindings and the newer abilities belong to one type. */
  private startByAbilities(): void {
    const { definition, program } = this;
    [...definition.unitTypes.values()].forEach((type, index) => {
      const set = program.unit[index];
      const run = (key: string | undefined): void => this.startOn(set, key, ownBit.u);
      for (const ability of definition.abilities.values()) run(ability.scriptName);
      for (const ability of type.controls?.unitAbilities.values() ?? []) for (const key of scriptsOf(ability)) run(key);
      for (const binding of bindingsOf(type)) if (binding.kind === 'script') run(binding.scriptName);
    });
  }

  private startByEffects(): void {
    const { definition, program } = this;
    const play = (
      scope: Exclude<Scope, 'g'>,
      types: ReadonlyMap<string, { readonly effects: ReadonlyMap<string, { readonly runScript: string | undefined }> }>,
      sets: readonly ScriptSet[],
    ): void => {
      [...types.values()].forEach(({ effects }, index) => {
        for (const [name, { runScript }] of effects) {
          if (playedEffects[scope].has(name)) this.startOn(sets[index], runScript, ownBit[scope]);
        }
      });
    };
    play('u', definition.unitTypes, program.unit);
    play('i', definition.itemTypes, program.item);
    play('p', projectileTypesOf(definition), program.projectile);
  }

  /** Starts the scripts that a script calls: they inherit its payload. */
  private follow(script: CompiledScript): void {
    const mask = this.carried[script.index]!;
    const home = this.homes.get(script);
    for (const { key, onEntity } of script.code.uses.calls) {
      if (!onEntity) {
        this.startOn(home?.set, key, mask);
        continue;
      }
      for (const each of this.ofEntities.get(key) ?? []) this.start(each, mask);
      // Regions, walls and the other types have no script of that name.
      this.startOn(undefined, key, mask);
    }
  }

  /** Reports calls of a script that exists but is not visible to the caller. The compiler reports scripts that do not exist at all. */
  private reportCalls({ global }: Program, script: CompiledScript, { set }: Home): void {
    for (const { key, onEntity, pointer } of script.code.uses.calls) {
      if (onEntity || set.byKey.has(key) || global.byKey.has(key)) continue;
      const elsewhere = this.program.scripts.find((each) => each.key === key);
      if (elsewhere === undefined) continue;
      const found = elsewhere.place;
      this.issues.add(
        'dangling-script',
        pointer,
        `"${key}" is a script of another entity type; this call does nothing.`,
        {
          found,
        },
      );
    }
  }

  /** Ignores triggers that need a client: scripts that run on both sides list them on purpose. */
  private reportWrongScope({ node, name, pointer }: CompiledScript, scope: Scope): void {
    node.source.triggers.forEach((type, i) => {
      const trigger = triggerIndex(type);
      if (trigger < 0) return;
      const { delivery, scopes } = triggers[triggerTypes[trigger]!];
      if (delivery === 'never' || scopes.includes(scope)) return;
      const expected = [...scopes].map((letter) => kindNames[letter as Scope]).join(', ');
      const message = `"${name}" is ${kindNames[scope]}, for which ${type} never fires.`;
      this.issues.add('unheard-trigger', `${pointer}/triggers/${i}`, message, { expected, found: kindNames[scope] });
    });
  }

  private report(script: CompiledScript): void {
    const home = this.homes.get(script);
    if (home === undefined) return;
    const { scope } = home;
    this.reportCalls(this.program, script, home);
    const names = script.triggers.map((trigger) => triggerTypes[trigger]!);
    const isDeaf = names.length > 0 && !script.triggers.some((trigger) => fires(trigger, scope));
    // A script that needs a client is meant for one.
    const isForClients = script.triggers.some((trigger) => triggers[triggerTypes[trigger]!].delivery === 'never');
    if (isDeaf) {
      this.issues.add(
        isForClients ? 'unheard-trigger' : 'no-emitted-trigger',
        `${script.pointer}/triggers`,
        `"${script.name}" is ${kindNames[scope]}, for which none of its triggers ever fires.`,
        { found: names.join(', ') },
      );
    }
    if (!isDeaf) this.reportWrongScope(script, scope);
    const mask = this.carried[script.index];
    if (mask === undefined) {
      if (!isDeaf) this.issues.add('unreachable-script', script.pointer, `Nothing starts the script "${script.name}".`);
      return;
    }
    for (const { key, pointer, operation } of script.code.uses.payloadKeys) {
      if ((mask & bitOf(key)) !== 0) continue;
      this.issues.add(
        'trigger-function-unavailable',
        pointer,
        `${operation} is undefined in "${script.name}": nothing that starts the script provides a \`${key}\`.`,
        { expected: `a trigger that provides a \`${key}\``, found: names.length > 0 ? names.join(', ') : 'no trigger' },
      );
    }
  }
}

function fires(trigger: number, scope: Scope): boolean {
  const row = triggers[triggerTypes[trigger]!];
  return row.delivery !== 'never' && row.scopes.includes(scope);
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
