import type { Entity, Simulation } from '../../engine/index.ts';
import { insideOf, rowOf, typeOf } from '../../engine/internal.ts';
import type { Bar, Figure, FigureKind, Ground, Scene } from './scene.ts';

/** They can be told apart on light and on dark, for types whose definition names no colour. */
const palette = ['#3b82f6', '#e5484d', '#2f9e62', '#d18700', '#9866dd', '#1299ac', '#dd5596', '#a0643c'];
const itemColor = '#d1a000';
const projectileColor = '#f0772b';
const debrisColor = '#7d8896';
const colorPattern = /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/]+\))$/i;
/** Attributes shown at one of these places are bars above a unit. */
const isBarPlace = (place: string): boolean => place === 'everywhere' || place.startsWith('unitBar');

/** Gives the scene of a simulation as it is between two ticks. */
export class SimulationScene {
  private ground: { readonly tiles: readonly number[]; readonly value: Ground } | undefined;
  private readonly colors = new Map<string, string>();

  of(sim: Simulation): Scene {
    const units = sim.units();
    const held = new Set<string>();
    for (const unit of units) {
      const item = unit.holding;
      if (item !== undefined) held.add(item.id);
    }
    const figures: Figure[] = [];
    for (const { entity, id, name } of sim.debris()) {
      figures.push(this.figure(sim, entity, { kind: 'debris', id, name, color: debrisColor }));
    }
    for (const { entity, id, slot } of sim.items()) {
      // Of the things that a unit carries only the one in its hand is somewhere.
      if (slot !== undefined && !held.has(id)) continue;
      figures.push(this.figure(sim, entity, { kind: 'item', id, name: '', color: itemColor }));
    }
    for (const { entity, id } of sim.projectiles()) {
      figures.push(this.figure(sim, entity, { kind: 'projectile', id, name: '', color: projectileColor }));
    }
    for (const unit of units) {
      const { entity, id } = unit;
      const owner = unit.owner;
      const isPerson = owner?.exists === true && owner.controlledBy === 'human';
      const color = this.colorOf(sim, owner?.exists === true ? owner.type : undefined, unit.type);
      figures.push(
        this.figure(sim, entity, {
          kind: 'unit',
          id,
          name: isPerson ? unit.name : '',
          color,
          bars: barsOf(sim, entity),
        }),
      );
    }
    const regions = sim.regions().map(({ name, x, y, width, height }) => ({ name, x, y, width, height }));
    return { ground: this.groundOf(sim), regions, figures };
  }

  private figure(
    sim: Simulation,
    entity: Entity,
    known: {
      readonly kind: FigureKind;
      readonly id: string;
      readonly name: string;
      readonly color: string;
      readonly bars?: readonly Bar[];
    },
  ): Figure {
    const { world } = insideOf(sim);
    const { transform, identity, visibility } = world.components;
    const row = rowOf(entity);
    const state = typeOf(world, entity)?.states[identity.state[row]!];
    const width = transform.width[row]!;
    return {
      bars: [],
      ...known,
      x: transform.x[row]!,
      y: transform.y[row]!,
      angle: transform.angle[row]!,
      width,
      height: transform.height[row]!,
      isRound: state?.body?.fixtures[0]?.shape.type === 'circle',
      isFaint: visibility.hidden[row] === 1,
    };
  }

  /** The colour of a player type is that of its units; without an owner, each type of unit has its own. */
  private colorOf({ definition }: Simulation, playerType: string | undefined, unitType: string | undefined): string {
    const key = playerType === undefined ? `unit ${unitType}` : `player ${playerType}`;
    const known = this.colors.get(key);
    if (known !== undefined) return known;
    const given = playerType === undefined ? undefined : definition.playerTypes.get(playerType)?.color;
    const color = given !== undefined && colorPattern.test(given) ? given : palette[this.colors.size % palette.length]!;
    this.colors.set(key, color);
    return color;
  }

  private groundOf(sim: Simulation): Ground {
    const { map } = insideOf(sim).world;
    const tiles = map.layers.find(({ name }) => name === 'walls')?.tiles ?? [];
    // Scripts change tiles in place, so that only their values say whether the ground is still the same.
    const known = this.ground;
    const isSame = known?.value.columns === map.width && known.value.rows === map.height && equal(known.tiles, tiles);
    if (known !== undefined && isSame) return known.value;
    const { width, height } = sim.definition.cellSize;
    const value = {
      columns: map.width,
      rows: map.height,
      cellWidth: width,
      cellHeight: height,
      walls: Array.from({ length: map.width * map.height }, (_, cell) => (tiles[cell] ?? 0) !== 0),
    };
    this.ground = { tiles: [...tiles], value };
    return value;
  }
}

function equal(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, i) => value === right[i]);
}

function barsOf(sim: Simulation, entity: Entity): Bar[] {
  const { world } = insideOf(sim);
  const type = typeOf(world, entity);
  if (type === undefined) return [];
  const start = world.components.attributes.start[rowOf(entity)]!;
  const { value, min, max } = world.attributes;
  const bars: Bar[] = [];
  type.attributes.keys.forEach((key, offset) => {
    const definition = type.definition.attributes.get(key);
    if (definition?.isVisible.some(isBarPlace) !== true) return;
    const at = start + offset;
    const range = max[at]! - min[at]!;
    const share = range > 0 && Number.isFinite(range) ? (value[at]! - min[at]!) / range : 0;
    const color = definition.color !== undefined && colorPattern.test(definition.color) ? definition.color : '#2f9e62';
    bars.push({ key, share: Math.min(1, Math.max(0, share)), color });
  });
  return bars;
}
