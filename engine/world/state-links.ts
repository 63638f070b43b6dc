import type { Components } from '../components/index.ts';
import { demand } from '../core/shape.ts';
import { type Entity, generationOf, Kind, Life, noEntity, rowOf } from './entity.ts';
import type { ItemState, PlayerState, ProjectileState, UnitState } from './state.ts';

type Entities<T> = {
  [K in keyof T]-?: Exclude<T[K], undefined> extends Entity | readonly Entity[] ? K : never;
}[keyof T];
type Links<T> = { readonly [K in Entities<T>]?: number };

/** Of which kind the entities are that state objects name. Rules take this for granted; so it has to hold of what comes from outside. */
const unitLinks: Links<UnitState> = { slots: Kind.item, heldItem: Kind.item, sensor: Kind.sensor };
const itemLinks: Links<ItemState> = { bonusPlayer: Kind.player };
const projectileLinks: Links<ProjectileState> = { sourceItem: Kind.item, hurtUnit: Kind.unit };
const playerLinks: Links<PlayerState> = {
  units: Kind.unit,
  selectedUnit: Kind.unit,
  cameraUnit: Kind.unit,
  tradePartner: Kind.player,
  tradeAskedBy: Kind.player,
  tradeTerms: Kind.item,
};
const owners: Readonly<Record<number, number>> = {
  [Kind.unit]: Kind.player,
  [Kind.item]: Kind.unit,
  [Kind.projectile]: Kind.unit,
  [Kind.sensor]: Kind.unit,
};

export interface LinkedStates {
  readonly units: readonly (UnitState | undefined)[];
  readonly items: readonly (ItemState | undefined)[];
  readonly projectiles: readonly (ProjectileState | undefined)[];
  readonly players: readonly (PlayerState | undefined)[];
}

/** None, or one that is gone, or of the kind. */
export function isNoneOrOf(columns: Components, entity: Entity, kind: number): boolean {
  const row = rowOf(entity);
  const isGone = columns.rows.generation[row] !== generationOf(entity) || columns.rows.life[row] === Life.free;
  return entity === noEntity || isGone || columns.identity.kind[row] === kind;
}

/** Throws `MalformedBytes` where an entity is not what it is named as. */
export function checkLinks(columns: Components, { units, items, projectiles, players }: LinkedStates): void {
  const check = <T extends object>(states: readonly (T | undefined)[], links: Links<T>): void => {
    states.forEach((state, row) => {
      if (state === undefined) return;
      for (const [member, kind] of Object.entries(links) as [keyof T, number][]) {
        const named = [state[member]].flat() as unknown as readonly (Entity | undefined)[];
        const isRight = named.every((entity) => entity === undefined || isNoneOrOf(columns, entity, kind));
        demand(() => isRight, named, `${String(member)} of row ${row}`);
      }
    });
  };
  check(units, unitLinks);
  check(items, itemLinks);
  check(projectiles, projectileLinks);
  check(players, playerLinks);
  columns.identity.owner.forEach((owner, row) => {
    const kind = owners[columns.identity.kind[row]!];
    demand(() => kind === undefined || isNoneOrOf(columns, owner, kind), owner, `owner of row ${row}`);
  });
}
