import { Issues } from '../core/issue.ts';
import type { Ability, KeyBinding } from './ability.ts';
import type { Definition } from './definition.ts';
import type { ItemType } from './item.ts';
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
 * Reports dangling references between parts of a definition. References inside scripts are checked by the script
 * compiler.
 */
export function checkReferences(definition: Definition, document: Json, issues: Issues): void {
  checkAll(definition, new ReferenceReport(issues, document));
}

/**
 * All references between parts of a definition, except for those inside scripts. `document` is the JSON that the
 * definition was read from.
 */
export function definitionReferences(definition: Definition, document: Json): DefinitionReference[] {
  const found: DefinitionReference[] = [];
  const report = new ReferenceReport(new Issues(0), document, (reference) => found.push(reference));
  checkAll(definition, report);
  return found;
}

type EntityType = UnitType | ItemType | ProjectileType;

/** Amounts of attributes, such as a cost, damage or requirement. */
type Amounts = Readonly<Record<'unitAttributes' | 'playerAttributes', ReadonlyMap<string, unknown>>>;

/** An entry that can be in a folder. */
interface Member {
  readonly parent: string | undefined;
  readonly pointer: string;
}

/** Reports dangling references. */
function checkAll(definition: Definition, report: ReferenceReport) {
  /** All attributes that any type declares. */
  const allAttributes = new Set(definition.attributeTypes.keys());
  /** The scripts of all entity types. */
  const entityScripts = new Set<string>();
  const { unitTypes, itemTypes, projectileTypes, playerTypes, factions, shops, dialogues, animationTypes, abilities } =
    definition;
  for (const types of [unitTypes, itemTypes, projectileTypesOf(definition)]) {
    for (const type of types.values()) {
      for (const key of type.attributes.keys()) allAttributes.add(key);
      for (const key of type.scripts.keys()) entityScripts.add(key);
    }
  }
  for (const type of playerTypes.values()) for (const key of type.attributes.keys()) allAttributes.add(key);
  for (const faction of factions.values()) for (const key of faction.attributes.keys()) allAttributes.add(key);
  /**
   * For each data type whose values are keys: the noun for messages, and the collections that may contain the key.
   */
  const keyTypes = new Map<string, readonly [Noun, ...Keys[]]>([
    ['unitType', ['unit type', unitTypes]],
    ['itemType', ['item type', itemTypes]],
    ['projectileType', ['projectile type', projectileTypes, builtInProjectiles]],
    ['playerType', ['player type', playerTypes]],
    ['player', ['player', computerPlayers, playerTypes]],
    ['attributeType', ['attribute', allAttributes]],
    ['shop', ['shop', shops]],
    ['dialogue', ['dialogue', dialogues]],
  ]);
  checkVariables(definition.variables);
  checkVariables(definition.entityTypeVariables);
  checkVariables(definition.playerTypeVariables);
  checkScriptTree(definition.scripts, definition.scriptFolders);
  for (const ability of abilities.values()) checkAbility(ability, [definition.scripts, entityScripts]);
  for (const type of unitTypes.values()) checkUnit(type);
  for (const type of itemTypes.values()) checkItem(type);
  for (const type of projectileTypes.values()) checkEntity(type);
  for (const type of playerTypes.values()) {
    checkVariables(type.variables);
    report.expectAll('player type', type.relationships.keys(), playerTypes, `${type.pointer}/relationships`);
  }
  for (const faction of factions.values()) {
    report.expectAll('faction', faction.relationships.keys(), factions, `${faction.pointer}/relationships`);
  }
  for (const { body, animation, pointer } of definition.states.values()) {
    report.expect('body type', body, [definition.bodyTypes], `${pointer}/body`);
    report.expect('animation type', animation, [animationTypes], `${pointer}/animation`);
  }
  for (const shop of shops.values()) checkShop(shop);
  checkDialogues();
  checkSettings();
  checkFolders(definition.folders);
  checkFolders(definition.views);
  if (definition.map !== undefined) checkTiles(definition.map, report);
  checkRelease();

  function checkAmounts(amounts: ReadonlyMap<string, unknown> | undefined, at: string) {
    if (amounts !== undefined) report.expectAll('attribute', amounts.keys(), allAttributes, at);
  }

  function checkCost(cost: Amounts | undefined, at: string) {
    checkAmounts(cost?.unitAttributes, `${at}/unitAttributes`);
    checkAmounts(cost?.playerAttributes, `${at}/playerAttributes`);
  }

  function checkPrice(price: Price | undefined, at: string) {
    if (price === undefined) return;
    checkAmounts(price.playerAttributes, `${at}/playerAttributes`);
    checkItemTypes(price.requiredItemTypes.keys(), `${at}/requiredItemTypes`);
  }

  function checkItemTypes(keys: Iterable<string>, at: string) {
    report.expectAll('item type', keys, itemTypes, at);
  }

  function checkUnitTypes(keys: Iterable<string>, at: string) {
    report.expectAll('unit type', keys, unitTypes, at);
  }

  /** Checks default values that are keys. */
  function checkVariables(variables: ReadonlyMap<string, VariableDefinition>) {
    for (const { dataType, default: initial, pointer } of variables.values()) {
      if (typeof initial === 'object' && initial !== null) {
        if (dataType === 'unitTypeGroup') checkUnitTypes(Object.keys(initial), `${pointer}/default`);
        if (dataType === 'itemTypeGroup') checkItemTypes(Object.keys(initial), `${pointer}/default`);
      }
      const type = keyTypes.get(dataType);
      if (type === undefined || typeof initial !== 'string' || initial === 'none') continue;
      const [noun, ...targets] = type;
      report.expect(noun, initial, targets, `${pointer}/default`);
    }
  }

  function checkScriptTree(scripts: ReadonlyMap<string, Script>, folders: ReadonlyMap<string, ScriptFolder>) {
    checkFolders(scripts, folders);
    checkFolders(folders);
  }

  /** Checks the field `parent` of all members of a collection: it must name a folder. */
  function checkFolders(members: ReadonlyMap<string, Member>, folders: Keys = members) {
    for (const { parent, pointer } of members.values()) report.expect('folder', parent, [folders], `${pointer}/parent`);
  }

  function checkAbility({ scriptName, eventScripts, cost, pointer }: Ability, scripts: readonly Keys[]) {
    report.expect('script', scriptName, scripts, `${pointer}/scriptName`);
    const { startCasting, stopCasting } = eventScripts;
    report.expect('script', startCasting, scripts, `${pointer}/eventScripts/startCasting`);
    report.expect('script', stopCasting, scripts, `${pointer}/eventScripts/stopCasting`);
    checkCost(cost, `${pointer}/cost`);
  }

  function checkEntity(type: EntityType) {
    checkVariables(type.variables);
    checkScriptTree(type.scripts, type.scriptFolders);
    const animations = [type.animations, animationTypes];
    for (const { body, animation, pointer } of type.states.values()) {
      report.expect('body', body, [type.bodies], `${pointer}/body`);
      report.expect('animation', animation, animations, `${pointer}/animation`);
    }
    const clouds = [type.particles, definition.particleTypes, definition.particles, projectileTypes];
    for (const { runScript, animation, projectileType, pointer } of type.effects.values()) {
      report.expect('script', runScript, [type.scripts, definition.scripts], `${pointer}/runScript`);
      report.expect('animation', animation, animations, `${pointer}/animation`);
      report.expect('particle', projectileType, clouds, `${pointer}/projectileType`);
    }
  }

  function checkUnit(type: UnitType) {
    const { pointer } = type;
    checkEntity(type);
    for (const { key } of type.defaultItems)
      report.expect('item type', key, [itemTypes], `${pointer}/defaultItems/*/key`);
    for (const key of type.canBePurchasedBy) {
      const buyers = [unitTypes, playerTypes];
      report.expect('unit type or player type', key, buyers, `${pointer}/canBePurchasedBy/*`);
    }
    checkPrice(type.price, `${pointer}/price`);
    const scripts = [type.scripts, definition.scripts];
    const unitAbilities = type.controls?.unitAbilities;
    if (unitAbilities) for (const ability of unitAbilities.values()) checkAbility(ability, scripts);
    // The legacy map of key bindings is checked only if there is no `controls`, because it is used only then
    // (reference: units#legacy-abilities).
    const bindings = type.controls === undefined ? type.legacyAbilities : type.controls.abilities;
    const known = unitAbilities === undefined ? [abilities] : [unitAbilities, abilities];
    for (const each of bindings.values()) {
      checkBinding(each, 'keyDown', scripts, known);
      checkBinding(each, 'keyUp', scripts, known);
    }
  }

  /**
   * Accepts both a script and an ability under either name, because documents mix the two. Reports no issues: a check
   * of the whole game reports dangling bindings later, because many types that no player controls have such bindings.
   */
  function checkBinding(
    bound: KeyBinding,
    edge: 'keyDown' | 'keyUp',
    scripts: readonly Keys[],
    known: readonly Keys[],
  ) {
    const { [edge]: binding, pointer } = bound;
    if (binding === undefined) return;
    const expect = (noun: string, name: string, targets: readonly Keys[], below = '') =>
      report.mention(noun, name, targets, `${pointer}/${edge}${below}`);
    if (binding.kind === 'script') {
      expect('script', binding.scriptName, [...scripts, ...known], '/scriptName');
      checkCost(binding.cost, `${pointer}/${edge}/cost`);
    } else if (binding.kind === 'ability') expect('ability', binding.abilityKey, [...known, ...scripts]);
    else expect('ability', binding.abilityId, known, '/abilityId');
  }

  function checkItem(type: ItemType) {
    const { pointer } = type;
    checkEntity(type);
    const projectiles = [projectileTypes, builtInProjectiles];
    report.expect('projectile type', type.projectileType, projectiles, `${pointer}/projectileType`);
    checkUnitTypes(type.carriedBy, `${pointer}/carriedBy`);
    checkUnitTypes(type.canBeUsedBy, `${pointer}/canBeUsedBy`);
    checkUnitTypes(type.canBePurchasedBy, `${pointer}/canBePurchasedBy`);
    report.expectAll('buff', type.buffTypes, definition.buffTypes, `${pointer}/buffTypes`);
    checkCost(type.damage, `${pointer}/damage`);
    for (const use of ['consume', 'passive'] as const) {
      const { unitAttribute, playerAttribute } = type.bonus?.[use] ?? {};
      checkAmounts(unitAttribute, `${pointer}/bonus/${use}/unitAttribute`);
      checkAmounts(playerAttribute, `${pointer}/bonus/${use}/playerAttribute`);
    }
    checkCost(type.cost, `${pointer}/cost`);
    checkPrice(type.price, `${pointer}/price`);
    checkCost(type.controls?.equipRequirement, `${pointer}/controls/equipRequirement`);
    if (type.defaultProjectile !== undefined) checkEntity(type.defaultProjectile);
  }

  function checkShop(shop: Shop) {
    checkItemTypes(shop.itemTypes.keys(), `${shop.pointer}/itemTypes`);
    checkUnitTypes(shop.unitTypes.keys(), `${shop.pointer}/unitTypes`);
    for (const goods of [shop.itemTypes, shop.unitTypes]) {
      for (const { price, requirement, pointer } of goods.values()) {
        checkPrice(price, `${pointer}/price`);
        checkAmounts(requirement.playerAttributes, `${pointer}/requirement/playerAttributes`);
        checkItemTypes(requirement.requiredItemTypes.keys(), `${pointer}/requirement/requiredItemTypes`);
      }
    }
  }

  function checkDialogues() {
    const { scripts } = definition;
    for (const dialogue of dialogues.values()) {
      for (const { scriptName, followUpDialogue, pointer } of dialogue.options) {
        report.expect('script', scriptName, [scripts], `${pointer}/scriptName`);
        report.expect('dialogue', followUpDialogue, [dialogues], `${pointer}/followUpDialogue`);
      }
    }
  }

  function checkSettings() {
    const { settings, defaultData, pointer } = definition;
    for (const field of ['scoreAttributeId', 'persistentScoreAttributeId'] as const)
      report.expect('attribute', settings[field], [allAttributes], `${pointer}/settings/${field}`);
    report.expect('unit type', defaultData.lobbyUnitKey, [unitTypes], `${pointer}/defaultData/lobbyUnitKey`);
  }

  function checkRelease() {
    const { releaseId, defaultData, pointer } = definition;
    const releases = new Set(defaultData.releases.flatMap(({ release }) => release ?? []));
    report.expect('release', releaseId, [releases], `${pointer}/releaseId`);
  }
}
