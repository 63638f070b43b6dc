import type { Issues } from '../core/issue.ts';
import type { Ability, Binding, Cost, KeyBinding } from './ability.ts';
import type { Amounts, AttributeDefinition } from './attribute.ts';
import type { Definition } from './definition.ts';
import type { ItemType } from './item.ts';
import type { Price, Requirements } from './price.ts';
import type { ProjectileType } from './projectile.ts';
import { projectileTypesOf } from './projectile-types.ts';
import { type Keys, ReferenceReport } from './reference-report.ts';
import type { Json } from './schema.ts';
import type { Script, ScriptFolder } from './script.ts';
import { checkSense } from './sense.ts';
import type { Shop } from './shop.ts';
import { checkTiles } from './tile-references.ts';
import type { UnitType } from './unit.ts';
import type { VariableDefinition } from './variable.ts';

/** Kinds of projectile that clients build themselves (specification, Item type, `projectileType`). */
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

/** Reports every reference between parts of a definition that leads nowhere, save those that only the script language can see, and what has no sense. */
export function checkReferences(definition: Definition, document: Json, issues: Issues): void {
  const report = new ReferenceReport(issues, document);
  new References(definition, report).check();
  checkSense(definition, report);
}

type EntityType = UnitType | ItemType | ProjectileType;

class References {
  private readonly definition: Definition;
  private readonly report: ReferenceReport;
  /** Attributes that are declared anywhere. */
  private readonly attributes: ReadonlySet<string>;
  /** Scripts of all entity types together. */
  private readonly entityScripts: ReadonlySet<string>;

  constructor(definition: Definition, report: ReferenceReport) {
    this.definition = definition;
    this.report = report;
    const attributes = new Set(definition.attributeTypes.keys());
    const entityScripts = new Set<string>();
    const { unitTypes, itemTypes, playerTypes, factions } = definition;
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
    for (const type of definition.playerTypes.values()) {
      this.attributeBounds(type.attributes);
      this.variables(type.variables);
      this.keys(
        'dangling-player-type',
        'player type',
        type.relationships.keys(),
        definition.playerTypes,
        type.pointer,
        'relationships',
      );
    }
    for (const faction of definition.factions.values()) {
      this.attributeBounds(faction.attributes);
      this.keys(
        'dangling-player-type',
        'faction',
        faction.relationships.keys(),
        definition.factions,
        faction.pointer,
        'relationships',
      );
    }
    for (const state of definition.states.values()) {
      report.expect('dangling-body', 'body type', state.body, [definition.bodyTypes], state.pointer, 'body');
      report.expect(
        'dangling-animation',
        'animation type',
        state.animation,
        [definition.animationTypes],
        state.pointer,
        'animation',
      );
    }
    for (const shop of definition.shops.values()) this.shop(shop);
    this.dialogues();
    this.settings();
    this.folders();
    if (definition.map !== undefined) checkTiles(definition.map, report);
    this.release();
  }

  private keys(
    code: 'dangling-player-type' | 'dangling-unit-type' | 'dangling-item-type' | 'dangling-attribute' | 'dangling-buff',
    noun: string,
    keys: Iterable<string>,
    target: Keys,
    base: string,
    ...below: string[]
  ): void {
    for (const key of keys) this.report.expect(code, noun, key, [target], base, ...below, '*');
  }

  private amounts(amounts: Amounts | Requirements | undefined, base: string, ...below: string[]): void {
    if (amounts === undefined) return;
    this.keys('dangling-attribute', 'attribute', amounts.keys(), this.attributes, base, ...below);
  }

  private cost(cost: Cost, base: string, ...below: string[]): void {
    this.amounts(cost.unitAttributes, base, ...below, 'unitAttributes');
    this.amounts(cost.playerAttributes, base, ...below, 'playerAttributes');
  }

  private price(price: Price | undefined, base: string, ...below: string[]): void {
    if (price === undefined) return;
    this.amounts(price.playerAttributes, base, ...below, 'playerAttributes');
    const { itemTypes } = this.definition;
    this.keys(
      'dangling-item-type',
      'item type',
      price.requiredItemTypes.keys(),
      itemTypes,
      base,
      ...below,
      'requiredItemTypes',
    );
  }

  private attributeBounds(attributes: ReadonlyMap<string, AttributeDefinition>): void {
    for (const { pointer, name, min, max, value } of attributes.values()) {
      const expected = `${min ?? 'anything'}..${max ?? 'anything'}`;
      if (min !== undefined && max !== undefined && min > max) {
        const details = { expected: 'min up to max', found: expected };
        this.report.add(
          'attribute-bounds-crossed',
          `The min of attribute "${name}", ${min}, is above its max, ${max}.`,
          details,
          pointer,
        );
      } else if (value !== undefined && ((min !== undefined && value < min) || (max !== undefined && value > max))) {
        const details = { expected, found: String(value) };
        this.report.add(
          'attribute-out-of-bounds',
          `Attribute "${name}" starts at ${value}, outside ${expected}.`,
          details,
          pointer,
          'value',
        );
      }
    }
  }

  /** Default values that are keys of something. */
  private variables(variables: ReadonlyMap<string, VariableDefinition>): void {
    const { unitTypes, itemTypes, projectileTypes, playerTypes, shops, dialogues } = this.definition;
    for (const { dataType, default: initial, pointer } of variables.values()) {
      const { report } = this;
      if (typeof initial === 'object' && initial !== null) {
        if (dataType === 'unitTypeGroup')
          this.keys('dangling-unit-type', 'unit type', Object.keys(initial), unitTypes, pointer, 'default');
        if (dataType === 'itemTypeGroup')
          this.keys('dangling-item-type', 'item type', Object.keys(initial), itemTypes, pointer, 'default');
      }
      if (typeof initial !== 'string' || initial === 'none') continue;
      if (dataType === 'unitType')
        report.expect('dangling-unit-type', 'unit type', initial, [unitTypes], pointer, 'default');
      if (dataType === 'itemType')
        report.expect('dangling-item-type', 'item type', initial, [itemTypes], pointer, 'default');
      if (dataType === 'projectileType') {
        report.expect(
          'dangling-projectile-type',
          'projectile type',
          initial,
          [projectileTypes, builtInProjectiles],
          pointer,
          'default',
        );
      }
      if (dataType === 'playerType')
        report.expect('dangling-player-type', 'player type', initial, [playerTypes], pointer, 'default');
      if (dataType === 'player')
        report.expect('dangling-player-type', 'player', initial, [computerPlayers, playerTypes], pointer, 'default');
      if (dataType === 'attributeType')
        report.expect('dangling-attribute', 'attribute', initial, [this.attributes], pointer, 'default');
      if (dataType === 'shop') report.expect('dangling-shop', 'shop', initial, [shops], pointer, 'default');
      if (dataType === 'dialogue')
        report.expect('dangling-dialogue', 'dialogue', initial, [dialogues], pointer, 'default');
    }
  }

  private scriptTree(scripts: ReadonlyMap<string, Script>, folders: ReadonlyMap<string, ScriptFolder>): void {
    for (const { parent, pointer } of scripts.values()) {
      this.report.expect('dangling-folder', 'folder', parent, [folders], pointer, 'parent');
    }
    for (const { parent, pointer } of folders.values()) {
      this.report.expect('dangling-folder', 'folder', parent, [folders], pointer, 'parent');
    }
  }

  private ability({ scriptName, eventScripts, cost, pointer }: Ability, scripts: readonly Keys[]): void {
    this.report.expect('dangling-script', 'script', scriptName, scripts, pointer, 'scriptName');
    const { startCasting, stopCasting } = eventScripts;
    this.report.expect('dangling-script', 'script', startCasting, scripts, pointer, 'eventScripts', 'startCasting');
    this.report.expect('dangling-script', 'script', stopCasting, scripts, pointer, 'eventScripts', 'stopCasting');
    this.cost(cost, pointer, 'cost');
  }

  private entity(type: EntityType): void {
    const { definition, report } = this;
    this.attributeBounds(type.attributes);
    this.variables(type.variables);
    this.scriptTree(type.scripts, type.scriptFolders);
    const animations = [type.animations, definition.animationTypes];
    for (const state of type.states.values()) {
      report.expect('dangling-body', 'body', state.body, [type.bodies], state.pointer, 'body');
      report.expect('dangling-animation', 'animation', state.animation, animations, state.pointer, 'animation');
    }
    const clouds = [type.particles, definition.particleTypes, definition.particles, definition.projectileTypes];
    for (const effect of type.effects.values()) {
      report.expect(
        'dangling-script',
        'script',
        effect.runScript,
        [type.scripts, definition.scripts],
        effect.pointer,
        'runScript',
      );
      report.expect('dangling-animation', 'animation', effect.animation, animations, effect.pointer, 'animation');
      report.expect('dangling-media', 'particle', effect.projectileType, clouds, effect.pointer, 'projectileType');
    }
  }

  private unit(type: UnitType): void {
    const { definition, report } = this;
    this.entity(type);
    const { itemTypes, unitTypes, playerTypes } = definition;
    for (const { key } of type.defaultItems) {
      report.expect('dangling-item-type', 'item type', key, [itemTypes], type.pointer, 'defaultItems', '*', 'key');
    }
    for (const key of type.canBePurchasedBy) {
      report.expect(
        'dangling-unit-type',
        'unit type or player type',
        key,
        [unitTypes, playerTypes],
        type.pointer,
        'canBePurchasedBy',
        '*',
      );
    }
    this.price(type.price, type.pointer, 'price');
    const scripts = [type.scripts, definition.scripts];
    const unitAbilities = type.controls?.unitAbilities;
    if (unitAbilities) for (const ability of unitAbilities.values()) this.ability(ability, scripts);
    // The older map counts only where there is no newer one (reference: units#legacy-abilities), so only there can it be broken.
    const bindings = type.controls === undefined ? type.legacyAbilities : type.controls.abilities;
    const abilities = unitAbilities === undefined ? [definition.abilities] : [unitAbilities, definition.abilities];
    for (const each of bindings.values()) {
      this.binding(each, 'keyDown', scripts, abilities);
      this.binding(each, 'keyUp', scripts, abilities);
    }
  }

  /** A name is looked up among scripts and abilities alike: files of every period mix the two. */
  private binding(
    bound: KeyBinding,
    edge: 'keyDown' | 'keyUp',
    scripts: readonly Keys[],
    abilities: readonly Keys[],
  ): void {
    const binding: Binding | undefined = bound[edge];
    if (binding === undefined) return;
    if (binding.kind === 'script') {
      this.report.expect(
        'dangling-binding',
        'script',
        binding.scriptName,
        [...scripts, ...abilities],
        bound.pointer,
        edge,
        'scriptName',
      );
      this.cost(binding.cost, bound.pointer, edge, 'cost');
    } else if (binding.kind === 'ability') {
      this.report.expect(
        'dangling-binding',
        'ability',
        binding.abilityKey,
        [...abilities, ...scripts],
        bound.pointer,
        edge,
      );
    } else {
      this.report.expect('dangling-binding', 'ability', binding.abilityId, abilities, bound.pointer, edge, 'abilityId');
    }
  }

  private item(type: ItemType): void {
    const { definition, report } = this;
    const { unitTypes, buffTypes } = definition;
    const { pointer } = type;
    this.entity(type);
    const projectiles = [definition.projectileTypes, builtInProjectiles];
    report.expect(
      'dangling-projectile-type',
      'projectile type',
      type.projectileType,
      projectiles,
      pointer,
      'projectileType',
    );
    this.keys('dangling-unit-type', 'unit type', type.carriedBy, unitTypes, pointer, 'carriedBy');
    this.keys('dangling-unit-type', 'unit type', type.canBeUsedBy, unitTypes, pointer, 'canBeUsedBy');
    this.keys('dangling-unit-type', 'unit type', type.canBePurchasedBy, unitTypes, pointer, 'canBePurchasedBy');
    this.keys('dangling-buff', 'buff', type.buffTypes, buffTypes, pointer, 'buffTypes');
    this.amounts(type.damage?.unitAttributes, pointer, 'damage', 'unitAttributes');
    this.amounts(type.damage?.playerAttributes, pointer, 'damage', 'playerAttributes');
    this.amounts(type.bonus?.consume?.unitAttribute, pointer, 'bonus', 'consume', 'unitAttribute');
    this.amounts(type.bonus?.consume?.playerAttribute, pointer, 'bonus', 'consume', 'playerAttribute');
    const passive = type.bonus?.passive;
    if (passive !== undefined) {
      this.keys(
        'dangling-attribute',
        'attribute',
        passive.unitAttribute.keys(),
        this.attributes,
        pointer,
        'bonus',
        'passive',
        'unitAttribute',
      );
      this.keys(
        'dangling-attribute',
        'attribute',
        passive.playerAttribute.keys(),
        this.attributes,
        pointer,
        'bonus',
        'passive',
        'playerAttribute',
      );
    }
    this.cost(type.cost, pointer, 'cost');
    this.price(type.price, pointer, 'price');
    const equip = type.controls?.equipRequirement;
    this.amounts(equip?.unitAttributes, pointer, 'controls', 'equipRequirement', 'unitAttributes');
    this.amounts(equip?.playerAttributes, pointer, 'controls', 'equipRequirement', 'playerAttributes');
    if (type.defaultProjectile !== undefined) this.entity(type.defaultProjectile);
  }

  private shop(shop: Shop): void {
    const { itemTypes, unitTypes } = this.definition;
    this.keys('dangling-item-type', 'item type', shop.itemTypes.keys(), itemTypes, shop.pointer, 'itemTypes');
    this.keys('dangling-unit-type', 'unit type', shop.unitTypes.keys(), unitTypes, shop.pointer, 'unitTypes');
    for (const goods of [shop.itemTypes, shop.unitTypes]) {
      for (const { price, requirement, pointer } of goods.values()) {
        this.price(price, pointer, 'price');
        this.amounts(requirement.playerAttributes, pointer, 'requirement', 'playerAttributes');
        const { requiredItemTypes } = requirement;
        this.keys(
          'dangling-item-type',
          'item type',
          requiredItemTypes.keys(),
          itemTypes,
          pointer,
          'requirement',
          'requiredItemTypes',
        );
      }
    }
  }

  private dialogues(): void {
    const { dialogues, scripts } = this.definition;
    for (const dialogue of dialogues.values()) {
      for (const { scriptName, followUpDialogue, pointer } of dialogue.options) {
        this.report.expect('dangling-script', 'script', scriptName, [scripts], pointer, 'scriptName');
        this.report.expect('dangling-dialogue', 'dialogue', followUpDialogue, [dialogues], pointer, 'followUpDialogue');
      }
    }
  }

  private settings(): void {
    const { settings, defaultData, unitTypes, pointer } = this.definition;
    const base = `${pointer}/settings`;
    const { scoreAttributeId, persistentScoreAttributeId } = settings;
    this.report.expect(
      'dangling-attribute',
      'attribute',
      scoreAttributeId,
      [this.attributes],
      base,
      'scoreAttributeId',
    );
    this.report.expect(
      'dangling-attribute',
      'attribute',
      persistentScoreAttributeId,
      [this.attributes],
      base,
      'persistentScoreAttributeId',
    );
    const lobby = defaultData.lobbyUnitKey;
    this.report.expect(
      'dangling-unit-type',
      'unit type',
      lobby,
      [unitTypes],
      this.report.metadata(this.definition, 'lobbyUnitKey'),
      'lobbyUnitKey',
    );
  }

  private folders(): void {
    const { folders, views } = this.definition;
    for (const { parent, pointer } of folders.values()) {
      this.report.expect('dangling-folder', 'folder', parent, [folders], pointer, 'parent');
    }
    for (const { parent, pointer } of views.values()) {
      this.report.expect('dangling-folder', 'folder', parent, [views], pointer, 'parent');
    }
  }

  private release(): void {
    const { releaseId, defaultData, pointer } = this.definition;
    const releases = new Set(defaultData.releases.flatMap(({ release }) => release ?? []));
    this.report.expect('dangling-release', 'release', releaseId, [releases], pointer, 'releaseId');
  }
}
