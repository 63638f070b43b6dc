/**
 * The text in an area of the screen (`top`, `center-lg`, `scoreboard` …). It is HTML from the game: sanitize it before
 * a page shows it.
 */
interface ShownText {
  readonly text: string;
  readonly isShown: boolean;
  /** When the text disappears, in ms of the caller's clock; undefined if it stays. */
  readonly untilMs: number | undefined;
}

/** Tracks the text areas of the screen by the events `ui.text`. */
export class ShownTexts {
  private readonly areas = new Map<string, ShownText>();

  clear() {
    this.areas.clear();
  }

  take(event: { readonly kind: string; readonly [member: string]: unknown }, nowMs: number) {
    const { kind, op, target, value, timeMs } = event;
    if (kind !== 'ui.text') return;
    if (typeof target !== 'string') return;
    const before = this.areas.get(target);
    const text = typeof value === 'string' ? value : (before?.text ?? '');
    const untilMs = typeof timeMs === 'number' ? nowMs + timeMs : undefined;
    this.areas.set(target, { text, isShown: op !== 'hide', untilMs });
  }

  /** The texts that are visible now, by area. */
  shown(nowMs: number): ReadonlyMap<string, string> {
    const shown = new Map<string, string>();
    for (const [area, { text, isShown, untilMs }] of this.areas) {
      if (isShown && (untilMs === undefined || nowMs < untilMs)) shown.set(area, text);
    }
    return shown;
  }
}
