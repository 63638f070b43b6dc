import { type Entity, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { createBody, wallSpec } from './body.ts';
import type { Space } from './flat/space.ts';
import { mergeWalls, type WallCells, wallCellsOf } from './walls.ts';

/** The walls of the map: the cells, which scripts and paths read, and the bodies and entities made from them. */
export class WallBodies {
  cells: WallCells;
  /** Whether the cells are still those of the definition. False once a script has replaced the map or its walls. */
  areOriginal = true;
  readonly bodies: number[] = [];
  readonly entities: Entity[] = [];

  constructor(
    private readonly world: World,
    private readonly space: Space,
  ) {
    const { map } = world.definition;
    this.cells = wallCellsOf(map);
  }

  /** Replaces the map, possibly by one of another size. */
  replace(cells: WallCells): void {
    this.areOriginal = false;
    this.cells = cells;
  }

  /** Whether the cell at a position (px) is a wall; false outside the map. */
  isWall(x: number, y: number): boolean {
    const { width, height } = this.world.definition.cellSize;
    const { columns, rows, blocked } = this.cells;
    const column = Math.floor(x / width);
    const row = Math.floor(y / height);
    if (!(column >= 0 && column < columns && row >= 0 && row < rows)) return false;
    return blocked[row * columns + column] === 1;
  }

  /**
   * Creates one entity and one body per rectangle, in reverse order of discovery as the reference does. If the limit of
   * entities is reached, the body is created without an entity.
   */
  build(): void {
    const { width: cellWidth, height: cellHeight } = this.world.definition.cellSize;
    const { components: c } = this.world;
    const { solid, columns, rows } = this.cells;
    const rectangles = mergeWalls(solid, columns, rows);
    for (let i = rectangles.length - 1; i >= 0; i--) {
      const { column, row, width, height } = rectangles[i]!;
      const pixelWidth = width * cellWidth;
      const pixelHeight = height * cellHeight;
      const x = column * cellWidth + pixelWidth / 2;
      const y = row * cellHeight + pixelHeight / 2;
      const entity = this.world.allocate('wall');
      if (entity !== noEntity) {
        const wall = rowOf(entity);
        c.transform.x[wall] = x;
        c.transform.y[wall] = y;
        c.transform.width[wall] = pixelWidth;
        c.transform.height[wall] = pixelHeight;
        this.entities.push(entity);
      }
      this.bodies.push(createBody(this.space, wallSpec(pixelWidth, pixelHeight), entity, x, y, 0));
    }
  }

  clear(): void {
    for (const body of this.bodies) this.space.destroyBody(body);
    for (const entity of this.entities) {
      if (this.world.exists(entity)) this.world.release(entity);
    }
    this.bodies.length = 0;
    this.entities.length = 0;
  }

  /** Restores the bodies and entities of a snapshot. */
  restore(bodies: readonly number[], entities: readonly Entity[]): void {
    // The bodies are pushed one by one, because a map can have more walls than a call can take arguments.
    for (const body of bodies) this.bodies.push(body);
    for (const entity of entities) this.entities.push(entity);
  }
}
