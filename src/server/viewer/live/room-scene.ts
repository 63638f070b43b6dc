import type { Definition } from '../../../../engine/index.ts';
import {
  type ClientEvent,
  fillTiles,
  type GhostShot,
  type Replica,
  type RoomClient,
  type TileEdit,
} from '../../../net/index.ts';
import { colorOr, type FigureKind, type TiledMap } from '../../../picture/index.ts';
import {
  type Bar,
  type Figure,
  type FloatingText,
  type Ground,
  groundOf,
  Looks,
  type Scene,
  type SceneArea,
  shareOf,
} from '../../../viewer/index.ts';

const noteMs = 1400;
const notesMax = 60;
/** Entities with less opacity than this are drawn faintly. */
const faintOpacity = 0.5;

interface TimedNote extends Omit<FloatingText, 'strength'> {
  readonly sinceMs: number;
  readonly forMs: number;
  /** The unit above which the text is shown; undefined for a fixed position. */
  readonly unit: string | undefined;
}

/** Converts the state of a room, as this client receives it, into a scene to draw. */
export class RoomScene {
  private readonly looks: Looks;
  /** The map in the form in which it is drawn; undefined after a change, until the next frame. */
  private ground: Ground | undefined;
  private map: TiledMap;
  private timedNotes: TimedNote[] = [];

  constructor(private readonly definition: Definition) {
    this.looks = new Looks(definition);
    this.map = tiledMap(definition.map);
  }

  /** Resets the map to that of the definition. Call it for each new connection. */
  begin() {
    this.take(tiledMap(this.definition.map));
  }

  /**
   * The scene to draw now. Entities lag a little behind the newest frame, except for a predicted unit. `shots`:
   * projectiles that the server has not sent yet.
   */
  of(client: RoomClient, nowMs: number, shots: readonly GhostShot[] = []): Scene {
    const figures: Figure[] = shots.map(({ type, state, ...place }) => ({
      ...this.looks.appearance('projectile', type, state),
      ...place,
    }));
    // Of the items that a unit carries, only the held one is drawn, on top of its unit.
    const held: Figure[] = [];
    for (const kind of ['debris', 'item', 'projectile', 'unit'] as const) {
      for (const replica of client.state.all(kind)) {
        if (kind !== 'item' || replica.isPlaced) figures.push(this.figure(client, kind, replica));
        else if (replica.isHeld) held.push(inHand(this.figure(client, kind, replica)));
      }
    }
    figures.push(...held);
    const regions = Array.from(
      client.state.all('region'),
      ({ name, x, y, width, height }): SceneArea => ({ name, x, y, width, height }),
    );
    this.ground ??= groundOf(this.map, this.definition.cellSize);
    return { ground: this.ground, regions, sensors: [], figures, texts: this.notes(client, nowMs), lines: [] };
  }

  /** Handles events that change the map or show floating texts. */
  receive(event: ClientEvent, nowMs: number) {
    if (event.kind === 'map.tiles') this.edit(event as unknown as Edit);
    else if (event.kind === 'map.replace') this.replace(event['map']);
    else if (event.kind === 'ui.floatingText') {
      const { text, color, position, unitId: unit, durationMs = 0 } = event;
      const { x, y } = position ?? { x: 0, y: 0 };
      const forMs = durationMs > 0 ? Math.min(durationMs, 10_000) : noteMs;
      this.timedNotes.push({
        x,
        y,
        unit,
        text: String(text).slice(0, 80),
        color: colorOr(color, 'white'),
        sinceMs: nowMs,
        forMs,
      });
      if (this.timedNotes.length > notesMax) this.timedNotes.shift();
    }
  }

  private figure(client: RoomClient, kind: FigureKind, replica: Replica): Figure {
    const { id, width, height, type, state } = replica;
    const owner = kind === 'unit' ? replica.owner : undefined;
    const { x, y, angle } = client.placeOf(replica);
    return {
      ...this.looks.appearance(kind, type?.key, state),
      id,
      x,
      y,
      angle,
      width,
      height,
      side: this.looks.types.side(owner?.type?.key),
      name: owner?.isHuman !== true ? '' : id === client.player?.selectedUnit?.id ? 'You' : replica.name,
      isTranslucent: replica.opacity < faintOpacity,
      isMirrored: replica.isMirrored,
      health: replica.attribute('health')?.value,
      bars: kind === 'unit' ? this.barsOf(replica) : [],
    };
  }

  private barsOf(unit: Replica): Bar[] {
    return this.looks.barsOf(unit.type?.key).flatMap(({ key, color }) => {
      const shown = unit.attribute(key);
      return shown === undefined ? [] : [{ key, share: shareOf(shown.value, shown.min, shown.max), color }];
    });
  }

  private notes(client: RoomClient, nowMs: number): FloatingText[] {
    this.timedNotes = this.timedNotes.filter(({ sinceMs, forMs }) => nowMs - sinceMs < forMs);
    return this.timedNotes.flatMap(({ unit, sinceMs, forMs, ...note }) => {
      const replica = unit === undefined ? undefined : client.state.find(unit);
      if (unit !== undefined && replica === undefined) return [];
      const place = replica === undefined ? note : client.placeOf(replica);
      return [{ ...note, x: place.x, y: place.y, strength: 1 - (nowMs - sinceMs) / forMs }];
    });
  }

  private edit({ layer, ...edit }: Edit) {
    const { width, layers } = this.map;
    const tiles = [...(layers[layer]?.tiles ?? [])];
    fillTiles(tiles, width, edit);
    this.take({ ...this.map, layers: layers.map((each, i) => (i === layer ? { ...each, tiles } : each)) });
  }

  private replace(map: unknown) {
    this.take(tiledMap({ ...(map as NonNullable<TiledMap['source']>), tilesets: this.map.source?.tilesets ?? [] }));
  }

  private take(map: TiledMap) {
    this.map = map;
    this.ground = undefined;
  }
}

/** Moves a held item from the centre of its unit to the anchor of its body (specification, `unitAnchor`). */
function inHand(figure: Figure): Figure {
  const { x, y, rotation = 0 } = figure.look.anchor ?? { x: 0, y: 0 };
  const [cos, sin] = [Math.cos(figure.angle), Math.sin(figure.angle)];
  return {
    ...figure,
    x: figure.x + x * cos + y * sin,
    y: figure.y + x * sin - y * cos,
    angle: figure.angle + (rotation * Math.PI) / 180,
  };
}

interface Edit extends TileEdit {
  readonly layer: number;
}

function tiledMap(source: TiledMap['source']): TiledMap {
  const { width = 0, height = 0, layers = [] } = source ?? {};
  return { source, width, height, layers: layers.map(({ name, type, data }) => ({ name, type, tiles: data })) };
}
