import { EntityReader, type Simulation } from '../../engine/index.ts';
import { mapOf } from '../../engine/internal.ts';

const looksPerSecond = 4;

/** How often the units of players were in each cell of the map, by the index of the cell. */
export type Places = Record<number, number>;

/** Counts where the units of players are in a play. Call `look` after each step. */
export class Footprints {
  readonly places: Places = {};
  private readonly sim: Simulation;
  private readonly reader: EntityReader;
  private readonly lookTicks: number;

  constructor(sim: Simulation) {
    this.sim = sim;
    this.reader = new EntityReader(sim);
    this.lookTicks = Math.max(1, Math.round(sim.rate / looksPerSecond));
  }

  look(): void {
    const { sim, reader, places } = this;
    if (sim.tick % this.lookTicks !== 0) return;
    const { width, height } = mapOf(sim);
    const { width: cellWidth, height: cellHeight } = sim.definition.cellSize;
    for (const player of reader.all('player')) {
      if (!reader.exists(player) || !reader.isHuman(player)) continue;
      const unit = reader.selectedUnit(player);
      if (!reader.is(unit, 'unit') || reader.isHidden(unit)) continue;
      const column = Math.floor(reader.x(unit) / cellWidth);
      const row = Math.floor(reader.y(unit) / cellHeight);
      if (!(column >= 0 && column < width && row >= 0 && row < height)) continue;
      const cell = row * width + column;
      places[cell] = (places[cell] ?? 0) + 1;
    }
  }
}

export function mergePlaces(into: Places, from: Places): void {
  for (const [cell, count] of Object.entries(from)) into[Number(cell)] = (into[Number(cell)] ?? 0) + count;
}
