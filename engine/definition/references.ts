import { Issues } from '../core/issue.ts';
import type { Ability, Cost, KeyBinding } from './ability.ts';
import type { AttributeDefinition } from './attribute.ts';
import type { Definition } from './definition.ts';
import type { ItemType } from './item.ts';
import { checkPlausibility } from './plausibility.ts';
import type { Price } from './price.ts';
import type { ProjectileType } from './projectile.ts';
import { projectileTypesOf } from './projectile-types.ts';
import { type DefinitionReference, type Keys, type Noun, ReferenceReport } from './reference-report.ts';
import type { Json } from './schema.ts';
import type { Script, ScriptFolder } from './script.ts';
import type { Shop } from './shop.ts';
import { checkTiles } from './tile-references.ts';
import type { UnitType } from './unit.ts';
import type { VariableDefinition } from './variable.ts';

/** Projectile types that are built into clients (specification, Item type, `projectileType`). */
const builtInProjectiles: Keys = new Set([
  'rope',
  'raycast',
  'constantSpeed',
  'constantSpeed +DestroyedOnCollisionWithWall/unit',
  'bulletDestroyedOnCollisionWithWall/unit',
  'destroyedOnCollisionWithWall/unit',
]);

/** The players that exist in every game (reference: players#kinds). */
const computerPlayers: Keys = new Set(Array.from({ length: 10 }, (_, index) => `computer${index + 1}`));

/**
 * Reports dangling references between parts of a definition, and implausible data (see `checkPlausibility`). References inside scripts are checked
 * by the script compiler.
 */
export function checkReferences(definition: Definition, document: Json, issues: Issues): void {
  const report = new ReferenceReport(issues, document);
  new References(definition, report).check();
  checkPlausibility(definition, report);
}

/** All references between parts of a definition, except for those inside scripts. `document` is the JSON that the definition was read from. */
export function definitionReferences(definition: Definition, document: Json): DefinitionReference[] {
  const found: DefinitionReference[] = [];
  const report = new ReferenceReport(new Issues(0), document, (reference) => found.push(reference));
  new References(definition, report).check();
  return found;
}

type EntityType = UnitType | ItemType | ProjectileType;

/** Something that can be in a folder. */
interface Member {
  readonly parent: string | undefined;
  readonly pointer: string;
}

class References {
  private readonly definition: Definition;
  private readonly report: ReferenceReport;
  /** All attributes that any type declares. */
  private readonly attributes: ReadonlySet<string>;
  /** The scripts of all entity types. */
  private readonly entityScripts: ReadonlySet<string>;
  /** For data types whose values are keys: what they refer to. */
  private readonly keyTypes: ReadonlyMap<string, readonly [Noun, ...Keys[]]>;

  constructor(definition: Definition, report: ReferenceReport) {
    this.definition = definition;
    this.report = report;
    const attributes = new Set(definition.attributeTypes.keys());
    const entityScripts = new Set<string>();
    const { unitTypes, itemTypes, projectileTypes, playerTypes, factions, shops, dialogues } = definition;
    for (const types of [unitTypes, itemTypes, projectileTypesOf(definition)]) {
      for (const type of types.values()) {
        for (const key of type.attributes.keys()) attributes.add(key);
        for (const key of type.scripts.keys()) entityScripts.add(key);
      }
    }
    for (const type of playerTypes.values()) for (const key of type.attributes.keys()) attributes.add(key);
    for (const faction of factions.values()) for (const key of faction.attributes.keys()) attributes.add(key);
    this.attributes = attributes;
    this.entityScripts = entityScripts;
    this.keyTypes = new Map<string, readonly [Noun, ...Keys[]]>([
      ['unitType', ['unit type', unitTypes]],
      ['itemType', ['item type', itemTypes]],
      ['projectileType', ['projectile type', projectileTypes, builtInProjectiles]],
      ['playerType', ['player type', playerTypes]],
      ['player', ['player', computerPlayers, playerTypes]],
      ['attributeType', ['attribute', attributes]],
      ['shop', ['shop', shops]],
      ['dialogue', ['dialogue', dialogues]],
    ]);
  }

  check(): void {
    const { definition, report } = this;
    this.attributeBounds(definition.attributeTypes);
    this.variables(definition.variables);
    this.variables(definition.entityTypeVariables);
    this.variables(definition.playerTypeVariables);
    this.scriptTree(definition.scripts, definition.scriptFolders);
    for (const ability of definition.abilities.values())
      this.ability(ability, [definition.scripts, this.entityScripts]);
    for (const type of definition.unitTypes.values()) this.unit(type);
    for (const type of definition.itemTypes.values()) this.item(type);
    for (const type of definition.projectileTypes.values()) this.entity(type);
    const { playerTypes, factions } = definition;
    for (const type of playerTypes.values()) {
      this.attributeBounds(type.attributes);
      this.variables(type.variables);
      report.expectAll('player type', type.relationships.keys(), playerTypes, type.pointer, 'relationships');
    }
    for (const faction of factions.values()) {
      this.attributeBounds(faction.attributes);
      report.expectAll('faction', faction.relationships.keys(), factions, faction.pointer, 'relationships');
    }
    for (const { body, animation, pointer } of definition.states.values()) {
      report.expect('body type', body, [definition.bodyTypes], pointer, 'body');
      report.expect('animation type', animation, [definition.animationTypes], pointer, 'animation');
    }
    for (const shop of definition.shops.values()) this.shop(shop);
    this.dialogues();
    this.settings();
    this.folders(definition.folders);
    this.folders(definition.views);
    if (definition.map !== undefined) checkTiles(definition.map, report);
    this.release();
  }

  private amounts(amounts: ReadonlyMap<string, unknown> | undefined, base: string, ...below: string[]): void {
    if (amounts !== undefined) this.report.expectAll('attribute', amounts.keys(), this.attributes, base, ...below);
  }

  private cost(cost: Cost, base: string, ...below: string[]): void {
    this.amounts(cost.unitAttributes, base, ...below, 'unitAttributes');
    this.amounts(cost.playerAttributes, base, ...below, 'playerAttributes');
  }

  private price(price: Price | undefined, base: string, ...below: string[]): void {
    if (price === undefined) return;
    this.amounts(price.playerAttributes, base, ...below, 'playerAttributes');
    this.itemTypes(price.requiredItemTypes.keys(), base, ...below, 'requiredItemTypes');
  }

  private itemTypes(keys: Iterable<string>, base: string, ...below: string[]): void {
    this.report.expectAll('item type', keys, this.definition.itemTypes, base, ...below);
  }

  private unitTypes(keys: Iterable<string>, base: string, ...below: string[]): void {
    this.report.expectAll('unit type', keys, this.definition.unitTypes, base, ...below);
  }

  private attributeBounds(attributes: ReadonlyMap<string, AttributeDefinition>): void {
    for (const { pointer, name, min, max, value } of attributes.values()) {
      const expected = `${min ?? 'anything'}..${max ?? 'anything'}`;
      if (min !== undefined && max !== undefined && min > max) {
        const message = `The minimum of attribute "${name}", ${min}, is greater than its maximum, ${max}.`;
        const details = { expected: 'min <= max', found: expected };
        this.report.add('attribute-bounds-crossed', message, details, pointer);
      } else if (value !== undefined && ((min !== undefined && value < min) || (max !== undefined && value > max))) {
        const message = `Attribute "${name}" starts at ${value}, outside ${expected}.`;
        this.report.add('attribute-out-of-bounds', message, { expected, found: String(value) }, pointer, 'value');
      }
    }
  }

  /** Checks default values that are keys. */
  private variables(variables: ReadonlyMap<string, VariableDefinition>): void {
    for (const { dataType, default: initial, pointer } of variables.values()) {
      if (typeof initial === 'object' && initial !== null) {
        if (dataType === 'unitTypeGroup') this.unitTypes(Object.keys(initial), pointer, 'default');
        if (dataType === 'itemTypeGroup') this.itemTypes(Object.keys(initial), pointer, 'default');
      }
      const type = this.keyTypes.get(dataType);
      if (type === undefined || typeof initial !== 'string' || initial === 'none') continue;
      const [noun, ...targets] = type;
      this.report.expect(noun, initial, targets, pointer, 'default');
    }
  }

  private scriptTree(scripts: ReadonlyMap<string, Script>, folders: ReadonlyMap<string, ScriptFolder>): void {
    this.folders(scripts, folders);
    this.folders(folders);
  }

  /** Checks `parent` of all members. */
  private folders(members: ReadonlyMap<string, Member>, folders: Keys = members): void {
    for (const { parent, pointer } of members.values())
      this.report.expect('folder', parent, [folders], pointer, 'parent');
  }

  private ability({ scriptName, eventScripts, cost, pointer }: Ability, scripts: readonly Keys[]): void {
    this.report.expect('script', scriptName, scripts, pointer, 'scriptName');
    const { startCasting, stopCasting } = eventScripts;
    this.report.expect('script', startCasting, scripts, pointer, 'eventScripts', 'startCasting');
    this.report.expect('script', stopCasting, scripts, pointer, 'eventScripts', 'stopCasting');
    this.cost(cost, pointer, 'cost');
  }

  private entity(type: EntityType): void {
    const { definition, report } = this;
    this.attributeBounds(type.attributes);
    this.variables(type.variables);
    this.scriptTree(type.scripts, type.scriptFolders);
    const animations = [type.animations, definition.animationTypes];
    for (const { body, animation, pointer } of type.states.values()) {
      report.expect('body', body, [type.bodies], pointer, 'body');
      report.expect('animation', animation, animations, pointer, 'animation');
    }
    const clouds = [type.particles, definition.particleTypes, definition.particles, definition.projectileTypes];
    for (const { runScript, animation, projectileType, pointer } of type.effects.values()) {
      report.expect('script', runScript, [type.scripts, definition.scripts], pointer, 'runScript');
      report.expect('animation', animation, animations, pointer, 'animation');
      report.expect('particle', projectileType, clouds, pointer, 'projectileType');
    }
  }

  private unit(type: UnitType): void {
    const { definition, report } = this;
    const { pointer } = type;
    this.entity(type);
    const { itemTypes, unitTypes, playerTypes } = definition;
    for (const { key } of type.defaultItems)
      report.expect('item type', key, [itemTypes], pointer, 'defaultItems', '*', 'key');
    for (const key of type.canBePurchasedBy) {
      const buyers = [unitTypes, playerTypes];
      report.expect('unit type or player type', key, buyers, pointer, 'canBePurchasedBy', '*');
    }
    this.price(type.price, pointer, 'price');
    const scripts = [type.scripts, definition.scripts];
    const unitAbilities = type.controls?.unitAbilities;
    if (unitAbilities) for (const ability of unitAbilities.values()) this.ability(ability, scripts);
    // The legacy map is used only if there is no `controls` (reference: units#legacy-abilities), so it is checked only then.
    const bindings = type.controls === undefined ? type.legacyAbilities : type.controls.abilities;
    const abilities = unitAbilities === undefined ? [definition.abilities] : [unitAbilities, definition.abilities];
    for (const each of bindings.values()) {
      this.binding(each, 'keyDown', scripts, abilities);
      this.binding(each, 'keyUp', scripts, abilities);
    }
  }

  /** Accepts scripts and abilities under either name, because documents mix the two. */
  private binding(
    bound: KeyBinding,
    edge: 'keyDown' | 'keyUp',
    scripts: readonly Keys[],
    abilities: readonly Keys[],
  ): void {
    const { [edge]: binding, pointer } = bound;
    if (binding === undefined) return;
    const expect = (noun: string, name: string, targets: readonly Keys[], ...below: string[]): void =>
      this.report.expectAs('dangling-binding', noun, name, targets, pointer, edge, ...below);
    if (binding.kind === 'script') {
      expect('script', binding.scriptName, [...scripts, ...abilities], 'scriptName');
      this.cost(binding.cost, pointer, edge, 'cost');
    } else if (binding.kind === 'ability') expect('ability', binding.abilityKey, [...abilities, ...scripts]);
    else expect('ability', binding.abilityId, abilities, 'abilityId');
  }

  private item(type: ItemType): void {
    const { definition, report } = this;
    const { pointer } = type;
    this.entity(type);
    const projectiles = [definition.projectileTypes, builtInProjectiles];
    report.expect('projectile type', type.projectileType, projectiles, pointer, 'projectileType');
    this.unitTypes(type.carriedBy, pointer, 'carriedBy');
    this.unitTypes(type.canBeUsedBy, pointer, 'canBeUsedBy');
    this.unitTypes(type.canBePurchasedBy, pointer, 'canBePurchasedBy');
    report.expectAll('buff', type.buffTypes, definition.buffTypes, pointer, 'buffTypes');
    this.amounts(type.damage?.unitAttributes, pointer, 'damage', 'unitAttributes');
    this.amounts(type.damage?.playerAttributes, pointer, 'damage', 'playerAttributes');
    const { consume, passive } = type.bonus ?? {};
    this.amounts(consume?.unitAttribute, pointer, 'bonus', 'consume', 'unitAttribute');
    this.amounts(consume?.playerAttribute, pointer, 'bonus', 'consume', 'playerAttribute');
    this.amounts(passive?.unitAttribute, pointer, 'bonus', 'passive', 'unitAttribute');
    this.amounts(passive?.playerAttribute, pointer, 'bonus', 'passive', 'playerAttribute');
    this.cost(type.cost, pointer, 'cost');
    this.price(type.price, pointer, 'price');
    const equip = type.controls?.equipRequirement;
    this.amounts(equip?.unitAttributes, pointer, 'controls', 'equipRequirement', 'unitAttributes');
    this.amounts(equip?.playerAttributes, pointer, 'controls', 'equipRequirement', 'playerAttributes');
    if (type.defaultProjectile !== undefined) this.entity(type.defaultProjectile);
  }

  private shop(shop: Shop): void {
    this.itemTypes(shop.itemTypes.keys(), shop.pointer, 'itemTypes');
    this.unitTypes(shop.unitTypes.keys(), shop.pointer, 'unitTypes');
    for (const goods of [shop.itemTypes, shop.unitTypes]) {
      for (const { price, requirement, pointer } of goods.values()) {
        this.price(price, pointer, 'price');
        this.amounts(requirement.playerAttributes, pointer, 'requirement', 'playerAttributes');
        this.itemTypes(requirement.requiredItemTypes.keys(), pointer, 'requirement', 'requiredItemTypes');
      }
    }
  }

  private dialogues(): void {
    const { dialogues, scripts } = this.definition;
    for (const dialogue of dialogues.values()) {
      for (const { scriptName, followUpDialogue, pointer } of dialogue.options) {
        this.report.expect('script', scriptName, [scripts], pointer, 'scriptName');
        this.report.expect('dialogue', followUpDialogue, [dialogues], pointer, 'followUpDialogue');
      }
    }
  }

  private settings(): void {
    const { settings, defaultData, unitTypes, pointer } = this.definition;
    for (const field of ['scoreAttributeId', 'persistentScoreAttributeId'] as const)
      this.report.expect('attribute', settings[field], [this.attributes], `${pointer}/settings`, field);
    const metadata = this.report.metadata(this.definition, 'lobbyUnitKey');
    this.report.expect('unit type', defaultData.lobbyUnitKey, [unitTypes], metadata, 'lobbyUnitKey');
  }

  private release(): void {
    const { releaseId, defaultData, pointer } = this.definition;
    const releases = new Set(defaultData.releases.flatMap(({ release }) => release ?? []));
    this.report.expect('release', releaseId, [releases], pointer, 'releaseId');
  }
}
