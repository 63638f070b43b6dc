import type { Entity, Simulation } from '../../engine/index.ts';
import { drawnHeight, drawnWidth, internalsOf, mapOf, noEntity, rowOf, typeOf } from '../../engine/internal.ts';
import { personName } from '../picture/label.ts';
import type { FigureKind } from '../picture/type-looks.ts';
import { Looks, shareOf } from './looks.ts';
import { type Bar, type Circle, type Figure, type Ground, type Scene, wallLayerOf } from './scene.ts';

/** Builds the scene of a simulation between two ticks. */
export class SimulationScene {
  private ground: { readonly tiles: readonly number[]; readonly value: Ground } | undefined;
  private looks: Looks | undefined;

  of(sim: Simulation): Scene {
    this.looks ??= new Looks(sim.definition);
    const { looks } = this;
    const units = sim.units();
    const held = new Set<string>();
    for (const unit of units) {
      const item = unit.holding;
      if (item !== undefined) held.add(item.id);
    }
    const figures: Figure[] = [];
    for (const { entity, id } of sim.debris()) {
      figures.push(this.figure(sim, entity, { kind: 'debris', id, name: '' }));
    }
    for (const { entity, id, slot } of sim.items()) {
      // Of the items that a unit carries, only the one in its hand has a position.
      if (slot !== undefined && !held.has(id)) continue;
      figures.push(this.figure(sim, entity, { kind: 'item', id, name: '' }));
    }
    for (const { entity, id } of sim.projectiles()) {
      figures.push(this.figure(sim, entity, { kind: 'projectile', id, name: '' }));
    }
    for (const unit of units) {
      const { entity, id } = unit;
      const owner = unit.owner;
      const side = looks.types.side(owner?.exists === true ? owner.type : undefined);
      figures.push(
        this.figure(sim, entity, {
          kind: 'unit',
          id,
          name: personName(unit),
          side,
          bars: barsOf(sim, entity, looks),
        }),
      );
    }
    const regions = sim.regions().map(({ name, x, y, width, height }) => ({ name, x, y, width, height }));
    return { ground: this.groundOf(sim), regions, sensors: sensorsOf(sim), figures, texts: [] };
  }

  private figure(
    sim: Simulation,
    entity: Entity,
    known: {
      readonly kind: FigureKind;
      readonly id: string;
      readonly name: string;
      readonly side?: Figure['side'];
      readonly bars?: readonly Bar[];
    },
  ): Figure {
    const { world } = internalsOf(sim);
    const { transform, identity, visibility } = world.components;
    const row = rowOf(entity);
    const type = typeOf(world, entity);
    const state = type?.states[identity.state[row]!];
    return {
      bars: [],
      side: undefined,
      ...known,
      typeName: this.looks!.types.nameOf(known.kind, type?.key),
      ...this.looks!.appearance(known.kind, type?.key, state?.key),
      x: transform.x[row]!,
      y: transform.y[row]!,
      angle: transform.angle[row]!,
      width: drawnWidth(world, row),
      height: drawnHeight(world, row),
      isTranslucent: visibility.hidden[row] === 1,
    };
  }

  private groundOf(sim: Simulation): Ground {
    const map = mapOf(sim);
    const tiles = map.layers[wallLayerOf(map.layers)]?.tiles ?? [];
    // Scripts change tiles in place, so only comparing the values shows whether the map changed.
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

function sensorsOf(sim: Simulation): Circle[] {
  const { transform, sensing } = internalsOf(sim).world.components;
  return sim.units().flatMap(({ entity }) => {
    const row = rowOf(entity);
    const radius = sensing.radius[row]!;
    const hasSensor = sensing.sensor[row] !== noEntity && radius > 0;
    return hasSensor ? [{ x: transform.x[row]!, y: transform.y[row]!, radius }] : [];
  });
}

function barsOf(sim: Simulation, entity: Entity, looks: Looks): Bar[] {
  const { world } = internalsOf(sim);
  const type = typeOf(world, entity);
  if (type === undefined) return [];
  const start = world.components.attributes.start[rowOf(entity)]!;
  const { value, min, max } = world.attributes;
  return looks.barsOf(type.key).flatMap(({ key, color }) => {
    const offset = type.attributes.keys.indexOf(key);
    if (offset < 0) return [];
    const at = start + offset;
    return [{ key, share: shareOf(value[at]!, min[at]!, max[at]!), color }];
  });
}
