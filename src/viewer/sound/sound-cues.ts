import type { Definition } from '../../../engine/index.ts';
import { TypeLooks } from '../../picture/index.ts';
import { isFileAllowed } from '../drawing/images.ts';
import { shareOf } from '../drawing/looks.ts';
import type { Figure } from '../drawing/scene.ts';
import type { PlayerEvent } from '../play/player-input.ts';

/** A sound or a piece of music that begins or ends. */
export interface Cue {
  readonly kind: 'sound' | 'music';
  /** The key of a sound or a piece of music in the definition. */
  readonly id: string;
  /** The URL of the file; undefined if the sound ends instead. */
  readonly url: string | undefined;
  /** The volume, from 0 to 1. */
  readonly volume: number;
  /** The position from which the sound is heard, in world pixels; undefined if it is heard everywhere. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
  readonly isLooped?: boolean;
  readonly startSeconds?: number;
}

/** Determines which sounds begin in a scene: those of states and effects of entities, and those that scripts play. */
export class SoundCues {
  private before: ReadonlyMap<string, Figure> | undefined;
  private readonly types: TypeLooks;

  constructor(private readonly definition: Definition) {
    this.types = new TypeLooks(definition);
  }

  /** The sounds that begin with a scene. `events`: the events since the last call. */
  of(figures: readonly Figure[], events: readonly PlayerEvent[]): Cue[] {
    const { before } = this;
    const now = new Map(figures.map((figure) => [figure.id, figure]));
    this.before = now;
    const cues: Cue[] = [];
    for (const figure of before === undefined ? [] : figures) {
      if (before!.get(figure.id)?.state === figure.state) continue;
      const state = this.types.typeOf(figure.kind, figure.typeKey)?.states.get(figure.state);
      cues.push(...this.heard(Object.entries(state?.sound ?? {}), figure));
    }
    for (const event of events) {
      const { kind, entityId, effect } = event;
      // An entity that was destroyed is no longer in the scene, but in the one before.
      const figure = now.get(String(entityId)) ?? before?.get(String(entityId));
      if (kind === 'sound' || kind === 'music') cues.push(...this.played(kind, event));
      if (kind !== 'effect' || figure === undefined) continue;
      const type = this.types.typeOf(figure.kind, figure.typeKey);
      cues.push(...this.heard(type?.effects.get(String(effect))?.sound ?? [], figure));
    }
    return cues;
  }

  /** The sounds of an entity, by id. If a slot has no file, the type's file is used, or else the game's. */
  private heard(slots: Iterable<readonly [string, unknown]>, { kind, typeKey, x, y }: Figure): Cue[] {
    const type = this.types.typeOf(kind, typeKey);
    return [...slots].flatMap(([id, slot]) =>
      cueOf('sound', id, [slot, type?.sound.get(id), this.definition.sound.get(id)], { at: { x, y } }),
    );
  }

  /** The cue for a sound or music that a script starts or stops. */
  private played(kind: Cue['kind'], { op, soundId, musicId, position, startSeconds }: PlayerEvent): Cue[] {
    const id = String(soundId ?? musicId ?? '');
    if (op === 'stop') return [{ kind, id, url: undefined, volume: 0 }];
    return cueOf(kind, id, [this.definition[kind].get(id)], {
      at: position as Cue['at'],
      isLooped: op === 'playLoop',
      startSeconds: Number(startSeconds) || 0,
    });
  }
}

/** A cue with the first slot whose file the page may load; empty if there is none. */
function cueOf(
  kind: Cue['kind'],
  id: string,
  slots: readonly unknown[],
  how: Pick<Cue, 'at' | 'isLooped' | 'startSeconds'>,
): Cue[] {
  for (const slot of slots) {
    const { file = '', volume = 100 } = (slot ?? {}) as { readonly file?: unknown; readonly volume?: unknown };
    if (!isFileAllowed('audio', String(file))) continue;
    return [{ kind, id, url: String(file), volume: shareOf(Number(volume), 0, 100), ...how }];
  }
  return [];
}
