import type { Dictionary } from '../../../engine/core/index.ts';
import type { Definition } from '../../../engine/index.ts';
import type { ImageLook } from '../../picture/index.ts';
import type { PlayerEvent } from '../play/player-input.ts';
import { changeText } from './damage.ts';
import { Looks } from './looks.ts';
import type { Figure, FloatingText, Scene } from './scene.ts';

/** A movement of a sprite to its peak, in world pixels ahead and radians clockwise, and back again. */
interface Tween {
  readonly outMs: number;
  readonly backMs: number;
  readonly ahead: number;
  readonly turn: number;
}

/** The tweens of the original client that end by themselves. */
const tweens: Dictionary<Tween> = {
  poke: { outMs: 60, backMs: 180, ahead: 50, turn: 0 },
  recoil: { outMs: 20, backMs: 150, ahead: -10, turn: 0 },
  swingCW: { outMs: 100, backMs: 250, ahead: 0, turn: Math.PI },
  swingCCW: { outMs: 100, backMs: 250, ahead: 0, turn: -Math.PI },
};

/** The effects whose animation lasts until the other begins; that of all others is shown once. */
const lasting: ReadonlySet<unknown> = new Set(['move', 'idle']);
/** The longest time for which a projectile is drawn that only clients see. */
const remainsMaxMs = 10_000;

/** How long a change of health is shown above its unit, and how long a hit marks the unit. */
const changeMs = 1000;
const hitMs = 120;

interface Shown {
  /** By id, in drawing order. */
  readonly figures: Map<string, Figure>;
  /** What lies below the figures. */
  readonly remains: Figure[];
  readonly texts: FloatingText[];
}

/** Something that is shown for a while. */
interface Show {
  /** The latest show of a key replaces the others. */
  readonly key: string;
  readonly forMs: number;
  /** Adds it to what is shown. Returns false if it ends early. */
  readonly add: (shown: Shown, ageMs: number) => boolean;
}

/**
 * Adds to scenes what effects of entities and scripts show for a while: animations, tweens, and projectiles that only
 * clients see.
 */
export class Effects {
  private readonly looks: Looks;
  private before: ReadonlyMap<string, Figure> = new Map();
  private readonly shows = new Map<string, Show & { readonly sinceMs: number }>();

  constructor(private readonly definition: Definition) {
    this.looks = new Looks(definition);
  }

  /** The scene with its effects. `events`: the events since the last call. */
  of(scene: Scene, events: readonly PlayerEvent[], nowMs: number): Scene {
    const figures = new Map(scene.figures.map((figure) => [figure.id, figure]));
    const start = (show: Show) => this.shows.set(show.key, { ...show, sinceMs: nowMs });
    for (const event of events) {
      // An entity that was destroyed is no longer in the scene, but in the one before.
      const id = String(event['entityId']);
      this.started(event, figures.get(id) ?? this.before.get(id)).forEach(start);
    }
    for (const figure of scene.figures) this.changeOf(figure).forEach(start);
    this.before = new Map(figures);
    if (this.shows.size === 0) return scene;
    const shown: Shown = { figures, remains: [], texts: [...scene.texts] };
    for (const [key, { sinceMs, forMs, add }] of this.shows)
      if (nowMs - sinceMs >= forMs || !add(shown, nowMs - sinceMs)) this.shows.delete(key);
    return { ...scene, figures: [...shown.remains, ...figures.values()], texts: shown.texts };
  }

  /** A change of the health of a unit since the last scene. */
  private changeOf({ id, health }: Figure): Show[] {
    const change = changeText('health', this.before.get(id)?.health, health);
    const add = ({ figures, texts }: Shown, ageMs: number) => {
      const now = figures.get(id);
      if (now === undefined || change === undefined) return false;
      figures.set(id, { ...now, isHit: change.isLoss && ageMs < hitMs });
      return texts.push({ ...now, ...change, strength: 1 - ageMs / changeMs }) > 0;
    };
    return change === undefined ? [] : [{ key: `${id} health`, forMs: changeMs, add }];
  }

  /** What an effect of an entity shows, or an animation that a script plays. */
  private started({ kind, effect, animationId }: PlayerEvent, figure: Figure | undefined): Show[] {
    const type = figure && this.looks.types.typeOf(figure.kind, figure.typeKey);
    if (type === undefined) return [];
    const { id, state } = figure!;
    const { animation, tween, projectileType } = (kind === 'effect' && type.effects.get(String(effect))) || {
      animation: kind === 'animation' ? String(animationId) : undefined,
    };
    const shows: Show[] = [];
    if (lasting.has(effect)) this.shows.delete(`${id} animation`);
    const { loopCount = 0 } = type.animations.get(animation ?? '') ?? {};
    const image = this.looks.types.imageOf(type, animation ?? '');
    if (image !== undefined && type.animations.has(animation ?? '')) {
      const times = loopCount > 0 ? loopCount : kind === 'animation' || lasting.has(effect) ? Infinity : 1;
      const add = ({ figures }: Shown, ageMs: number) => {
        const now = figures.get(id);
        // Another state has its own animation.
        if (now?.state !== state) return false;
        figures.set(id, { ...now, look: { ...now.look, image: frameOf(image, ageMs) } });
        return true;
      };
      shows.push({ key: `${id} animation`, forMs: durationMs(image) * times, add });
    }
    const motion = tweens[tween ?? ''];
    if (motion !== undefined) {
      const add = ({ figures }: Shown, ageMs: number) => {
        const now = figures.get(id);
        if (now !== undefined) figures.set(id, { ...now, drawn: tweened(now, motion, ageMs) });
        return now !== undefined;
      };
      shows.push({ key: `${id} tween`, forMs: motion.outMs + motion.backMs, add });
    }
    return [...shows, ...this.remainsOf(figure!, projectileType)];
  }

  /** A projectile that an effect creates, which exists on pages only. */
  private remainsOf(figure: Figure, key: string | undefined): Show[] {
    const type = this.definition.projectileTypes.get(key ?? '');
    const [state = ''] = type?.states.keys() ?? [];
    const appearance = this.looks.appearance('projectile', key, state);
    const { look } = appearance;
    const { image } = look;
    if (type === undefined || image === undefined) return [];
    const { width = 0, height = 0 } = type.bodies.get(type.states.get(state)?.body ?? '') ?? {};
    const remains: Figure = { ...figure, ...appearance, id: `${figure.id} remains`, width, height };
    const add = (shown: Shown, ageMs: number) => {
      // The animation stops at its last frame.
      const last = frameOf(image, Math.min(ageMs, durationMs(image) - 1));
      return shown.remains.push({ ...remains, look: { ...look, image: last } }) > 0;
    };
    return [{ key: remains.id, forMs: Math.min(type.lifeSpan ?? remainsMaxMs, remainsMaxMs), add }];
  }
}

/** How long an image takes to show each of its frames once. One that stands still is shown for a second. */
function durationMs({ frames, framesPerSecond }: ImageLook) {
  return (frames.length / (framesPerSecond || frames.length)) * 1000;
}

/** The image with only the frame that is due at an age. */
function frameOf(image: ImageLook, ageMs: number): ImageLook {
  const { frames } = image;
  const due = Math.floor((ageMs / durationMs(image)) * frames.length);
  return { ...image, frames: [frames[due % frames.length]!] };
}

/** Where the sprite of a figure is drawn during a tween. It swings around its rear end, where a hand holds it. */
function tweened({ x, y, angle, height, look }: Figure, { outMs, backMs, ahead, turn }: Tween, ageMs: number) {
  const share = ageMs < outMs ? ageMs / outMs : 1 - (ageMs - outMs) / backMs;
  // A held item points in the direction of its unit, however its sprite is rotated.
  const facing = angle - ((look.anchor?.rotation ?? 0) * Math.PI) / 180;
  const turned = facing + turn * share;
  const arm = height / 2;
  return {
    x: x + Math.sin(facing) * (ahead * share - arm) + Math.sin(turned) * arm,
    y: y - Math.cos(facing) * (ahead * share - arm) - Math.cos(turned) * arm,
    angle: angle + turn * share,
  };
}
