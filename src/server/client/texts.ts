import type { ClientEvent } from '../protocol/event-kinds.ts';

/** An area of the screen: `top`, `center-lg`, `scoreboard` … The text is HTML as the game wrote it: clean it before a page shows it. */
interface ShownText {
  readonly text: string;
  readonly isShown: boolean;
  /** On the clock of the client, ms; undefined to stay. */
  readonly untilMs: number | undefined;
}

/** The contents of the text areas of the screen, from the events `ui.text`. */
export class Texts {
  private readonly areas = new Map<string, ShownText>();

  clear(): void {
    this.areas.clear();
  }

  take(event: ClientEvent, nowMs: number): void {
    if (event.kind !== 'ui.text') return;
    const { op, target, value, timeMs } = event as { readonly [member: string]: unknown };
    if (typeof target !== 'string') return;
    const before = this.areas.get(target);
    const text = typeof value === 'string' ? value : (before?.text ?? '');
    const untilMs = typeof timeMs === 'number' ? nowMs + timeMs : undefined;
    this.areas.set(target, { text, isShown: op !== 'hide', untilMs });
  }

  /** By area: what is shown now. */
  shown(nowMs: number): ReadonlyMap<string, string> {
    const shown = new Map<string, string>();
    for (const [area, { text, isShown, untilMs }] of this.areas) {
      if (isShown && (untilMs === undefined || nowMs < untilMs)) shown.set(area, text);
    }
    return shown;
  }
}
