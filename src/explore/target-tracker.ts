import { EntityReader, type OutputEvent, type RegionHandle, type Simulation } from '../../engine/index.ts';
import { globalValue, rememberedType, statesOf } from '../../engine/internal.ts';
import { isInside } from '../expression/source.ts';
import { enumeratedTexts, targetKey } from './targets.ts';

const looksPerSecond = 4;

/** Notes which targets a play has seen. Call `look` after each step. */
export class TargetTracker {
  readonly seen = new Set<string>();
  private readonly sim: Simulation;
  private readonly reader: EntityReader;
  private readonly lookTicks: number;
  private readonly texts: ReturnType<typeof enumeratedTexts>;
  /** Known combinations of kind, type and state, encoded as numbers so that `look` allocates nothing. */
  private readonly states = new Set<number>();

  constructor(sim: Simulation) {
    this.sim = sim;
    this.reader = new EntityReader(sim);
    this.lookTicks = Math.max(1, Math.round(sim.rate / looksPerSecond));
    this.texts = enumeratedTexts(sim.definition);
    sim.on('output', (event) => this.receive(event));
  }

  look(): void {
    if (this.sim.tick % this.lookTicks !== 0) return;
    this.lookAtStates();
    this.lookAtRegions();
    for (const [name, texts] of this.texts) {
      const value = globalValue(this.sim, name);
      if (typeof value === 'string' && texts.has(value)) this.seen.add(targetKey.text(name, value));
    }
  }

  private receive(event: OutputEvent): void {
    const { kind } = event;
    if (event['op'] !== 'open') return;
    if (kind === 'ui.dialogue') this.seen.add(targetKey.dialogue(String(event['dialogueId'])));
    if (kind === 'ui.shop') this.seen.add(targetKey.shop(String(event['shopId'])));
  }

  private lookAtStates(): void {
    const { sim, reader, states } = this;
    for (const [number, kind] of (['unit', 'item', 'projectile'] as const).entries()) {
      for (const entity of reader.all(kind)) {
        if (!reader.exists(entity)) continue;
        const state = reader.stateIndex(entity);
        const id = (number * 0x10000 + reader.typeIndex(entity) + 1) * 0x10000 + state + 1;
        if (states.has(id)) continue;
        states.add(id);
        const owner = rememberedType(sim, entity);
        const current = statesOf(sim, entity)[state];
        if (owner !== undefined && current !== undefined) this.seen.add(targetKey.state(kind, owner.key, current.key));
      }
    }
  }

  private lookAtRegions(): void {
    const { sim, reader, seen } = this;
    const unseen = sim.regions().filter(({ name }: RegionHandle) => !seen.has(targetKey.region(name)));
    if (unseen.length === 0) return;
    for (const player of reader.all('player')) {
      if (!reader.exists(player) || !reader.isHuman(player)) continue;
      const unit = reader.selectedUnit(player);
      if (!reader.is(unit, 'unit')) continue;
      for (const { name, entity } of unseen) {
        const region = reader.region(entity);
        if (region !== undefined && isInside(region, reader.x(unit), reader.y(unit))) seen.add(targetKey.region(name));
      }
    }
  }
}
