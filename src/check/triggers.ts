import type { Issues } from '../../engine/core/issue.ts';
import { type Definition, type TriggerType, triggerTypes } from '../../engine/index.ts';
import {
  type BodyType,
  type CompiledScript,
  type Program,
  projectileTypesOf,
  triggers,
} from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/**
 * Reports scripts that misunderstand their trigger: they act whichever attribute, region or entity it is about, although there are several; or they wait for
 * a contact that bodies never have.
 */
export function checkTriggers(
  definition: Definition,
  program: Program,
  scripts: readonly WalkedScript[],
  issues: Issues,
): void {
  new TriggerCheck(definition, program, scripts, issues).check();
}

const attributeTrigger = /AttributeBecomes(Zero|Full)$/;
const regionTrigger = /(Enters|Leaves)Region$/;
const touchTrigger = /^(unit|item|projectile|entity)Touches(Unit|Item|Projectile)$/;

/** Functions of one entity's attributes. A script that reads them decides by the values. */
const readsAttributes = /^(get(Entity|Player|Projectile)Attribute|entityAttribute|playerAttribute)/;

/** Triggers of one entity that correspond to triggers about any entity, by the trigger of an entity's own script. */
const ownTriggers: ReadonlyMap<string, TriggerType> = new Map<string, TriggerType>([
  ['unitAttributeBecomesZero', 'entityAttributeBecomesZero'],
  ['unitAttributeBecomesFull', 'entityAttributeBecomesFull'],
  ['itemAttributeBecomesZero', 'entityAttributeBecomesZero'],
  ['itemAttributeBecomesFull', 'entityAttributeBecomesFull'],
  ['projectileAttributeBecomesZero', 'entityAttributeBecomesZero'],
  ['projectileAttributeBecomesFull', 'entityAttributeBecomesFull'],
]);

const ofUse: ReadonlySet<TriggerType> = new Set<TriggerType>([
  'unitUsesItem',
  'thisUnitUsesItem',
  'itemIsUsed',
  'unitStartsUsingAnItem',
]);
const using = /^(startUsingItem|useItemOnce)$/;
const asking = /Modal/;

const counting: ReadonlySet<string> = new Set(['setVariable', 'increaseVariableByNumber', 'decreaseVariableByNumber']);

class TriggerCheck {
  private readonly definition: Definition;
  private readonly program: Program;
  private readonly issues: Issues;
  /** The operations that each script uses, by its index. */
  private readonly operations: readonly ReadonlySet<string>[];
  private readonly byKey = new Map<string, CompiledScript[]>();

  constructor(definition: Definition, program: Program, scripts: readonly WalkedScript[], issues: Issues) {
    this.definition = definition;
    this.program = program;
    this.issues = issues;
    this.operations = scripts.map(
      ({ actions, calls }) => new Set([...actions, ...calls].map(({ operation }) => operation)),
    );
    for (const script of program.scripts) {
      const same = this.byKey.get(script.key);
      if (same === undefined) this.byKey.set(script.key, [script]);
      else same.push(script);
    }
  }

  check(): void {
    for (const script of this.program.scripts) {
      // A script with several triggers serves several purposes; one that does nothing needs to ask nothing.
      const [trigger, ...more] = script.triggers;
      if (trigger === undefined || script.node.actions.actions.length === 0) continue;
      const name = triggerTypes[trigger]!;
      this.contact(script, name);
      this.cause(script, name);
      if (more.length > 0) continue;
      const { kind } = script.node.owner;
      if (!triggers[name].scopes.includes(kind === 'game' ? 'g' : kind.slice(0, 1))) continue;
      if (kind !== 'game' && ownTriggers.has(name)) this.anyEntity(script, name);
      else if (attributeTrigger.test(name)) this.anyAttribute(script, name);
      else if (regionTrigger.test(name)) this.anyRegion(script, name);
      else if (kind !== 'game' && (name === 'secondTick' || name === 'frameTick')) this.eachEntity(script, name);
    }
  }

  /** The script and all scripts that it runs. */
  private reached(script: CompiledScript): readonly CompiledScript[] {
    const all = new Set([script]);
    for (const each of all)
      for (const { key } of each.code.uses.calls)
        for (const callee of key === undefined ? [] : (this.byKey.get(key) ?? [])) all.add(callee);
    return [...all];
  }

  private asks(script: CompiledScript, payload: string, asksOtherwise: (operation: string) => boolean): boolean {
    return this.reached(script).some(
      ({ code, index }) =>
        code.uses.payloadKeys.some(({ key }) => key === payload) || [...this.operations[index]!].some(asksOtherwise),
    );
  }

  private add(script: CompiledScript, message: string, expected: string, found: string, suggestion?: string): void {
    this.issues.add('unasked-trigger', `${script.pointer}/triggers/0`, message, {
      expected,
      found,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  private anyAttribute(script: CompiledScript, trigger: TriggerType): void {
    const attributes = this.attributesOf(script, trigger);
    if (attributes.length < 2) return;
    if (this.asks(script, 'attribute', (operation) => readsAttributes.test(operation))) return;
    const some = attributes.slice(0, 3).map((key) => `"${key}"`);
    const message = `"${script.name}" runs for every attribute (${some.join(', ')}${attributes.length > 3 ? ' …' : ''}) and never asks which one: compare \`getTriggeringAttribute\`.`;
    this.add(script, message, 'getTriggeringAttribute', trigger);
  }

  /** The attributes for which the trigger of a script can fire. */
  private attributesOf({ node }: CompiledScript, trigger: TriggerType): readonly string[] {
    const { unitTypes, itemTypes, playerTypes } = this.definition;
    const projectileTypes = projectileTypesOf(this.definition);
    const byKind = { unit: unitTypes, item: itemTypes, projectile: projectileTypes, game: unitTypes };
    const isFull = trigger.endsWith('Full');
    const own = trigger.startsWith('entity');
    const all = own
      ? [[...byKind[node.owner.kind].values()][node.owner.type]!]
      : trigger.startsWith('unit')
        ? [...unitTypes.values()]
        : trigger.startsWith('item')
          ? [...itemTypes.values()]
          : trigger.startsWith('player')
            ? [...playerTypes.values()]
            : [...projectileTypes.values()];
    const keys = all.flatMap(({ attributes }) =>
      [...attributes.values()].flatMap(({ key, min, max, value }) => {
        // An attribute that nothing can take to its end is a constant, like `speed` of most units.
        const can = isFull ? max !== undefined : (min ?? 0) <= 0;
        return can && value !== undefined && key !== 'speed' ? key : [];
      }),
    );
    return [...new Set(keys)];
  }

  private anyRegion(script: CompiledScript, trigger: TriggerType): void {
    const regions = [...this.definition.variables.values()].filter(({ dataType }) => dataType === 'region');
    if (regions.length < 2) return;
    if (this.asks(script, 'region', (operation) => /region/i.test(operation))) return;
    const message = `"${script.name}" runs for each of ${regions.length} regions and never asks which one: compare \`getTriggeringRegion\`.`;
    this.add(script, message, 'getTriggeringRegion', trigger);
  }

  /** Reports an own script of an entity that runs when something happens to any entity, and acts on its own. */
  private anyEntity(script: CompiledScript, trigger: TriggerType): void {
    const payload = /^(unit|item|projectile)/.exec(trigger)![0];
    if (!this.operations[script.index]!.has('thisEntity') || this.asks(script, payload, () => false)) return;
    const own = ownTriggers.get(trigger)!;
    const message = `"${script.name}" runs for this entity when an attribute of any ${payload} reaches its end. \`${own}\` fires only for its own.`;
    this.add(script, message, own, trigger, own);
  }

  /** Reports a script that each unit runs, but that only counts for the game: the count goes as much faster as there are units. */
  private eachEntity(script: CompiledScript, trigger: TriggerType): void {
    const { node } = script;
    if (!node.conditions.isEmpty && !node.conditions.isDefaultGuard) return;
    if (this.asks(script, node.owner.kind, (operation) => /entity|unit|item|projectile/i.test(operation))) return;
    if (!node.actions.actions.some(({ operation }) => counting.has(operation))) return;
    const message = `"${script.name}" runs once for each ${node.owner.kind} of its type, and only changes variables of the game: it belongs to the game's scripts.`;
    this.add(script, message, 'a global script', trigger);
  }

  /** Reports a trigger for a contact of two kinds of bodies none of which collide. */
  private contact(script: CompiledScript, trigger: TriggerType): void {
    const kinds = touchTrigger.exec(trigger);
    if (kinds === null) return;
    const { owner } = script.node;
    const isOwn = kinds[1] === 'entity';
    if (isOwn && owner.kind === 'game') return;
    const one = (isOwn ? owner.kind : kinds[1]) as Kind;
    const other = kinds[2]!.toLowerCase() as Kind;
    const [a, b] = [isOwn ? physicalBodies(this.typesOf(one)[owner.type]) : this.bodiesOf(one), this.bodiesOf(other)];
    if (a.length === 0 || b.length === 0 || a.some((x) => b.some((y) => collide(x, one, y, other)))) return;
    const message = `No ${isOwn ? `${one} of this type` : one} ever touches ${article(other)} ${other}: no two of their bodies name each other in \`collidesWith\`.`;
    const expected = `\`collidesWith.${other}s\` in a body of ${article(one)} ${one}, and \`collidesWith.${one}s\` in one of ${article(other)} ${other}`;
    const at = script.triggers.findIndex((each) => triggerTypes[each] === trigger);
    this.issues.add('never-touches', `${script.pointer}/triggers/${at}`, message, { expected, found: trigger });
  }

  /**
   * Reports a trigger that can never fire in this game: no item is ever used, no player is ever prompted, nothing is
   * for sale.
   */
  private cause(script: CompiledScript, trigger: TriggerType): void {
    const { shops } = this.definition;
    const missing = ofUse.has(trigger)
      ? this.usesItems
        ? undefined
        : 'nothing in the game uses an item'
      : trigger === 'playerCustomInput' && !this.calls(asking)
        ? 'no script asks a player for anything'
        : trigger.startsWith('playerPurchases') && shops.size === 0
          ? 'the game has no shop'
          : undefined;
    if (missing === undefined) return;
    const at = script.triggers.findIndex((each) => triggerTypes[each] === trigger);
    const message = `\`${trigger}\` never fires: ${missing}.`;
    this.issues.add('no-emitted-trigger', `${script.pointer}/triggers/${at}`, message, { found: trigger });
  }

  private calls(operations: RegExp): boolean {
    return this.operations.some((each) => [...each].some((operation) => operations.test(operation)));
  }

  /** Whether units use items: by scripts, abilities or AI, or as soon as they pick them up. */
  private get usesItems(): boolean {
    const { abilities, itemTypes, unitTypes } = this.definition;
    const isUsed = [...itemTypes.values()].some(
      ({ isUsedOnPickup, bonus }) => isUsedOnPickup || bonus?.isConsumedImmediately,
    );
    if (isUsed || abilities.size > 0 || this.calls(using)) return true;
    return [...unitTypes.values()].some(
      ({ ai, controls, legacyAbilities }) =>
        ai?.enabled ||
        [...(controls?.abilities.values() ?? []), ...legacyAbilities.values()].some(({ keyDown, keyUp }) =>
          [keyDown, keyUp].some((binding) => binding !== undefined && binding.kind !== 'script'),
        ),
    );
  }

  private bodiesOf(kind: Kind): readonly BodyType[] {
    return this.typesOf(kind).flatMap(physicalBodies);
  }

  private typesOf(kind: Kind): readonly WithBodies[] {
    const { unitTypes, itemTypes } = this.definition;
    return [...{ unit: unitTypes, item: itemTypes, projectile: projectileTypesOf(this.definition) }[kind].values()];
  }
}

interface WithBodies {
  readonly bodies: ReadonlyMap<string, BodyType>;
}

function physicalBodies(of: WithBodies | undefined): readonly BodyType[] {
  return [...(of?.bodies.values() ?? [])].filter(({ type }) => type !== 'none' && type !== 'spriteOnly');
}

type Kind = 'unit' | 'item' | 'projectile';

function collide(a: BodyType, kindOfA: Kind, b: BodyType, kindOfB: Kind): boolean {
  return a.collidesWith[`${kindOfB}s`] && b.collidesWith[`${kindOfA}s`] && (isDynamic(a) || isDynamic(b));
}

function isDynamic({ type }: BodyType): boolean {
  return type === 'dynamic';
}

function article(noun: string): 'a' | 'an' {
  return noun === 'item' ? 'an' : 'a';
}
