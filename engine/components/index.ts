import type { Tag } from '../ecs/component.ts';
import { ComponentSet, type StoresOf } from '../ecs/component-set.ts';
import { Rows } from '../ecs/entities.ts';
import type { Mask } from '../ecs/mask.ts';
import { Account } from './account.ts';
import { Ai, AiPaused } from './ai.ts';
import { Attributes } from './attributes.ts';
import { Body } from './body.ts';
import { BodyType } from './body-type.ts';
import { Buffs } from './buffs.ts';
import { Camera } from './camera.ts';
import { Carried } from './carried.ts';
import { Abilities, Casting } from './casting.ts';
import { Chat } from './chat.ts';
import { ClientData } from './client-data.ts';
import { Controls } from './controls.ts';
import { DelayedUses } from './delayed-uses.ts';
import { Facing } from './facing.ts';
import { Handle } from './handle.ts';
import { Hold } from './hold.ts';
import { Hunted } from './hunted.ts';
import { Identity } from './identity.ts';
import { Inventory } from './inventory.ts';
import { ItemUse } from './item-use.ts';
import { KeptVariables } from './kept-variables.ts';
import { kindTags } from './kinds.ts';
import { Lifespan } from './lifespan.ts';
import { Movement } from './movement.ts';
import { Name } from './name.ts';
import { OwnedUnits } from './owned-units.ts';
import { Page } from './page.ts';
import { PassiveBonus } from './passive-bonus.ts';
import { PersistenceLoaded } from './persistence.ts';
import { Quests } from './quests.ts';
import { RayPoint } from './ray-point.ts';
import { RolledBuffs } from './rolled-buffs.ts';
import { Score } from './score.ts';
import { Seen } from './seen.ts';
import { Sensing } from './sensing.ts';
import { ShownTexts } from './shown-texts.ts';
import { Stack } from './stack.ts';
import { StatusEffects } from './status-effects.ts';
import { Trade } from './trade.ts';
import { Trail } from './trail.ts';
import { Transform } from './transform.ts';
import { UnknownType } from './unknown-type.ts';
import { Unmounted } from './unmounted.ts';
import { Unnamed } from './unnamed.ts';
import { Variables } from './variables.ts';
import { Velocity } from './velocity.ts';
import { Visibility } from './visibility.ts';
import { Wallet } from './wallet.ts';

/**
 * All components. Storage, hash, snapshots and differences are derived from this list. Its order determines the bit of
 * each component in the masks of rows.
 */
export const components = new ComponentSet({
  rows: Rows,
  identity: Identity,
  handle: Handle,
  transform: Transform,
  body: Body,
  bodyType: BodyType,
  visibility: Visibility,
  lifespan: Lifespan,
  attributes: Attributes,
  variables: Variables,
  movement: Movement,
  velocity: Velocity,
  facing: Facing,
  name: Name,
  inventory: Inventory,
  persistenceLoaded: PersistenceLoaded,
  ai: Ai,
  aiPaused: AiPaused,
  hunted: Hunted,
  sensing: Sensing,
  stack: Stack,
  carried: Carried,
  hold: Hold,
  itemUse: ItemUse,
  delayedUses: DelayedUses,
  rolledBuffs: RolledBuffs,
  passiveBonus: PassiveBonus,
  shownTexts: ShownTexts,
  account: Account,
  ownedUnits: OwnedUnits,
  camera: Camera,
  wallet: Wallet,
  score: Score,
  page: Page,
  clientData: ClientData,
  controls: Controls,
  chat: Chat,
  trade: Trade,
  quests: Quests,
  casting: Casting,
  abilities: Abilities,
  buffs: Buffs,
  statusEffects: StatusEffects,
  rayPoint: RayPoint,
  unmounted: Unmounted,
  ...kindTags,
  seen: Seen,
  trail: Trail,
  keptVariables: KeptVariables,
  unnamed: Unnamed,
  unknownType: UnknownType,
});

export type Components = StoresOf<typeof components.all>;

/**
 * The components that entities of every kind have. Players have no life span, but the pass over all entities reads the
 * column for every kind.
 */
const anything = [Identity, Handle, Lifespan];
const everything = [...anything, Transform];
const typed = [...everything, Body, BodyType, Visibility, Attributes, Variables];

/** The components that an entity of each kind has from its creation, as a bit mask. */
export const archetypes = {
  unit: of(kindTags.unit, ...typed, Movement, Velocity, Facing, Sensing, Name, Inventory),
  item: of(kindTags.item, ...typed, Facing, Stack, Carried, Hold, ItemUse, Name),
  projectile: of(kindTags.projectile, ...typed),
  player: of(kindTags.player, ...anything, Attributes, Name, Account, OwnedUnits, Camera, Wallet, Score),
  region: of(kindTags.region, ...everything, Body),
  sensor: of(kindTags.sensor, ...everything, Body),
  wall: of(kindTags.wall, ...everything),
  debris: of(kindTags.debris, ...everything, Body, Visibility),
} as const;

function of(...all: readonly Tag[]): Mask {
  return components.maskOf(...all);
}
