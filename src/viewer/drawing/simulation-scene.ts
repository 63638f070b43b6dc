import type { DebrisHandle, ItemHandle, ProjectileHandle, Simulation, UnitHandle } from '../../../engine/index.ts';
import { internalsOf, mapOf, noEntity, pixelsPerMetre, rowOf, type World } from '../../../engine/tools.ts';
import { personName } from '../../picture/index.ts';
import { groundOf } from './ground.ts';
import { Looks, shareOf } from './looks.ts';
import type { Bar, Figure, Ground, Line, Scene } from './scene.ts';

/** Builds the scene that shows the current state of a simulation. */
export class SimulationScene {
  private ground: { readonly tiles: readonly (readonly number[])[]; readonly value: Ground } | undefined;
  private looks: Looks | undefined;

  of(sim: Simulation): Scene {
    this.looks ??= new Looks(sim.definition);
    const { looks } = this;
    const units = sim.units();
    const lying = sim.items().filter(({ slot }) => slot === undefined);
    const figures = [...sim.debris(), ...lying, ...sim.projectiles()].map((handle) => this.figure(handle));
    for (const unit of units) {
      const { owner } = unit;
      const side = looks.types.side(owner?.exists === true ? owner.type : undefined);
      figures.push({ ...this.figure(unit), name: personName(unit), tag: unit.id, side, bars: barsOf(unit, looks) });
    }
    // Of the items that a unit carries, only the held one has a position. It is drawn above the unit.
    for (const { holding } of units) {
      if (holding === undefined) continue;
      const figure = this.figure(holding);
      const { rotation = 0 } = figure.look.anchor ?? {};
      figures.push({ ...figure, angle: figure.angle + (rotation * Math.PI) / 180 });
    }
    const regions = sim.regions().map(({ name, x, y, width, height }) => ({ name, x, y, width, height }));
    const sensors = units
      .filter(({ sensorRadius }) => sensorRadius > 0)
      .map(({ x, y, sensorRadius: radius }) => ({ x, y, radius }));
    const ground = this.groundOf(sim);
    return { ground, regions, sensors, figures, texts: [], lines: linesOf(sim, ground) };
  }

  private figure(handle: UnitHandle | ItemHandle | ProjectileHandle | DebrisHandle): Figure {
    const { kind, type } = handle;
    return {
      id: handle.id,
      ...this.looks!.appearance(kind, type, handle.kind === 'debris' ? undefined : handle.state),
      x: handle.x,
      y: handle.y,
      angle: handle.angle,
      width: handle.drawnWidth,
      height: handle.drawnHeight,
      isTranslucent: handle.isHidden,
    };
  }

  private groundOf(sim: Simulation): Ground {
    const map = mapOf(sim);
    // Scripts change tiles in place, so the tiles themselves are compared to find out whether the map has changed.
    const { ground } = this;
    const isSame =
      ground?.value.columns === map.width &&
      ground.value.rows === map.height &&
      ground.tiles.length === map.layers.length &&
      map.layers.every(({ tiles }, i) => equal(ground.tiles[i]!, tiles));
    if (ground !== undefined && isSame) return ground.value;
    const value = groundOf(map, sim.definition.cellSize);
    // Copies the layers that scripts have changed; other layers cannot change.
    this.ground = { tiles: map.layers.map(({ tiles, isEdited }) => (isEdited ? [...tiles] : tiles)), value };
    return value;
  }
}

function equal(left: readonly number[], right: readonly number[]) {
  return left === right || (left.length === right.length && left.every((value, i) => value === right[i]));
}

/** The line behind a shot covers its path of the last `shotSeconds`, and a ray is shown for `rayMs`. */
const shotSeconds = 0.12;
const rayMs = 100;

/** The lines behind shots, rays that were just cast, and the paths of units with AI. */
function linesOf(sim: Simulation, ground: Ground): Line[] {
  const { world, game } = internalsOf(sim);
  const { physics } = game;
  const { ai, transform } = world.components;
  const lines: Line[] = [];
  for (const { entity, x, y } of sim.projectiles()) {
    if (!physics.hasBody(entity)) continue;
    const back = shotSeconds * pixelsPerMetre;
    const points = [x - physics.velocityX(entity) * back, y - physics.velocityY(entity) * back, x, y];
    lines.push({ layer: 'shots', points });
  }
  for (const unit of sim.units()) {
    const row = rowOf(unit.entity);
    const ray = rayOf(sim, world, unit, ground);
    if (ray !== undefined) lines.push({ layer: 'shots', points: ray });
    const mind = ai[row];
    if (mind?.enabled !== true || mind.mode === 'idle') continue;
    const points = [unit.x, unit.y];
    const { width, height } = sim.definition.cellSize;
    // A path is stored backwards, with its goal first.
    for (let i = mind.path.length - 2; i >= 0; i -= 2)
      points.push((mind.path[i]! + 0.5) * width, (mind.path[i + 1]! + 0.5) * height);
    if (mind.target !== noEntity && world.exists(mind.target)) {
      const target = rowOf(mind.target);
      points.push(transform.x[target]!, transform.y[target]!);
    } else if (mind.path.length === 0 && mind.destination !== undefined)
      points.push(mind.destination.x, mind.destination.y);
    if (points.length > 2) lines.push({ layer: 'ai', points });
  }
  return lines;
}

/**
 * The line of the ray that a unit's item has just cast; undefined if there is none. The line ends at a wall or, if the
 * game still has the points that this ray hit, at the nearest of these points.
 */
function rayOf(sim: Simulation, world: World, unit: UnitHandle, ground: Ground): number[] | undefined {
  const { itemUse, transform, rayPoint } = world.components;
  const item = unit.holding;
  if (item === undefined) return undefined;
  const { bulletType, bulletDistance = 0 } = sim.definition.itemTypes.get(item.type ?? '') ?? {};
  if (bulletType !== 'raycast' || sim.nowMs - itemUse.usedAtMs[rowOf(item.entity)]! > rayMs) return undefined;
  const angle = transform.angle[rowOf(unit.entity)]!;
  const [ahead, aside] = [Math.sin(angle), -Math.cos(angle)];
  let reach = bulletDistance;
  for (const met of world.memory.lastRaycast) {
    const point = world.exists(met) ? rayPoint[rowOf(met)] : undefined;
    if (point === undefined) continue;
    const [dx, dy] = [point.x - unit.x, point.y - unit.y];
    const along = dx * ahead + dy * aside;
    // The points may belong to the ray of another unit. Only a point in front of this unit and close to its line is
    // used.
    if (along > 0 && Math.abs(dx * aside - dy * ahead) < unit.width) reach = Math.min(reach, along);
  }
  for (let along = 0; along < reach; along += rayStepPixels)
    if (isWallAt(ground, unit.x + ahead * along, unit.y + aside * along)) reach = along;
  return [unit.x, unit.y, unit.x + ahead * reach, unit.y + aside * reach];
}

const rayStepPixels = 4;

function isWallAt({ columns, rows, cellWidth, cellHeight, walls }: Ground, x: number, y: number) {
  const [column, row] = [Math.floor(x / cellWidth), Math.floor(y / cellHeight)];
  return column >= 0 && column < columns && row >= 0 && row < rows && walls[row * columns + column] === true;
}

function barsOf(unit: UnitHandle, looks: Looks): Bar[] {
  return looks.barsOf(unit.type).map(({ key, color }) => {
    const { min, max } = unit.attributeBounds(key)!;
    return { key, share: shareOf(unit.attribute(key)!, min, max), color };
  });
}
