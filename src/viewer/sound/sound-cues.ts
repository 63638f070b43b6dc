import type { Definition } from '../../../engine/index.ts';
import { isFileAllowed } from '../drawing/images.ts';
import type { Figure } from '../drawing/scene.ts';
import type { PlayerEvent } from '../play/player-input.ts';

/** A sound or a piece of music to start. */
export interface Cue {
  readonly kind: 'sound' | 'music';
  /** The id of a sound of the definition. */
  readonly id: string;
  /** Undefined if this kind, with this id, must stop instead. */
  readonly url: string | undefined;
  /** 0 to 1. */
  readonly volume: number;
  /** Where it is heard, in world pixels; undefined if everywhere. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
  readonly isLooped: boolean;
  readonly startSeconds: number;
}

/** Sounds by id; a slot without a file of its own has that of the type or of the game. */
type Slots = Iterable<readonly [id: string, slot: unknown]>;

/** Finds out what a game lets its players hear: sounds of states and effects, and those that scripts play. */
export class SoundCues {
  private before: ReadonlyMap<string, Figure> | undefined;

  constructor(private readonly definition: Definition) {}

  /** What begins with a scene. `events`: those since the last call. */
  of(figures: readonly Figure[], events: readonly PlayerEvent[]): Cue[] {
    const { before } = this;
    const now = new Map(figures.map((figure) => [figure.id, figure]));
    this.before = now;
    const cues: Cue[] = [];
    for (const figure of before === undefined ? [] : figures) {
      if (before!.get(figure.id)?.state === figure.state) continue;
      const { sound = {} } = this.typeOf(figure)?.states.get(figure.state) ?? {};
      cues.push(...this.heard(Object.entries(sound), figure));
    }
    for (const event of events) {
      // An entity that is destroyed is not in the scene any more.
      const figure = now.get(String(event['entityId'])) ?? before?.get(String(event['entityId']));
      if (event.kind === 'effect' && figure !== undefined)
        cues.push(...this.heard(this.typeOf(figure)?.effects.get(String(event['effect']))?.sound ?? [], figure));
      else if (event.kind === 'sound' || event.kind === 'music') cues.push(...this.played(event.kind, event));
    }
    return cues;
  }

  private typeOf({ kind, typeKey }: Figure) {
    const { unitTypes, itemTypes, projectileTypes } = this.definition;
    if (kind === 'debris') return undefined;
    return (kind === 'unit' ? unitTypes : kind === 'item' ? itemTypes : projectileTypes).get(typeKey);
  }

  private heard(slots: Slots, figure: Figure): Cue[] {
    const { definition } = this;
    const { x, y } = figure;
    return [...slots].flatMap(([id, slot]) => {
      const choices = [slot, this.typeOf(figure)?.sound.get(id), definition.sound.get(id)];
      return cueOf('sound', id, choices, { at: { x, y } });
    });
  }

  /** What a script plays or stops. */
  private played(kind: Cue['kind'], { op, soundId, musicId, position, startSeconds }: PlayerEvent): Cue[] {
    const id = String(soundId ?? musicId ?? '');
    if (op === 'stop') return [{ kind, id, url: undefined, volume: 0, ...everywhere }];
    return cueOf(kind, id, [this.definition[kind].get(id)], {
      at: position as Cue['at'],
      isLooped: op === 'playLoop',
      startSeconds: Math.max(0, Number(startSeconds ?? 0)),
    });
  }
}

const everywhere = { at: undefined, isLooped: false, startSeconds: 0 };

/** The first slot with a file that the page may load. */
function cueOf(kind: Cue['kind'], id: string, slots: readonly unknown[], how: Partial<Cue>): Cue[] {
  for (const slot of slots) {
    const { file, volume } = (slot ?? {}) as { readonly file?: unknown; readonly volume?: unknown };
    if (typeof file !== 'string' || !isFileAllowed('audio', file)) continue;
    const percent = typeof volume === 'number' ? Math.min(100, Math.max(0, volume)) : 100;
    return [{ kind, id, url: file, volume: percent / 100, ...everywhere, ...how }];
  }
  return [];
}
