import type { OutputEvent } from '../../engine/index.ts';

interface LastEvent {
  readonly value: unknown;
  /** The tick of the last event about the subject, whether that event was sent or suppressed. */
  tick: number;
}

/** The maximum number of subjects that are remembered: more than any page has. */
const subjectsMax = 1024;

/**
 * Suppresses repeated events about the elements, texts and styles of a client's page. Games often post the same event
 * in every tick; it is sent once, and again after a pause, because people close windows that the game then opens again.
 */
export class RepeatFilter {
  private readonly last = new Map<string, LastEvent>();

  constructor(private readonly pauseTicks: number) {}

  /** Records an event. Returns whether it must be sent. */
  isNews(event: OutputEvent, tick: number): boolean {
    const [key, value] = subjectOf(event) ?? [];
    if (key === undefined) {
      this.forget(event);
      return true;
    }
    const before = this.last.get(key);
    if (before !== undefined && before.value === value && tick - before.tick <= this.pauseTicks) {
      before.tick = tick;
      return false;
    }
    this.forget(event);
    if (this.last.size >= subjectsMax) this.last.clear();
    this.last.set(key, { value, tick });
    return true;
  }

  /** Records that another event has changed the same subject, so that the next event about it is sent. */
  forget(event: OutputEvent) {
    const [key] = subjectOf(event) ?? [];
    if (key !== undefined) this.last.delete(key);
    else if (event.kind === 'ui.text') this.last.delete(`text ${event.target}`);
    else if (event.kind === 'ui.style') this.last.delete('style');
    const content = contentOf(event);
    if (content === undefined) return;
    // The content of the element is replaced, so the elements within it are new.
    for (const [other] of this.last) {
      const [, id] = /^element (\S+) /.exec(other) ?? [];
      if (
        id !== undefined &&
        other !== key &&
        ('elementId' in event && id === event.elementId ? !other.endsWith(' shown') : content.includes(id))
      ) {
        this.last.delete(other);
      }
    }
  }

  clear() {
    this.last.clear();
  }
}

/** The subject of an event and the value that it sets; undefined for events that are never suppressed. */
function subjectOf(event: OutputEvent): readonly [string, unknown] | undefined {
  if (event.kind === 'ui.text') return event.op === 'update' ? [`text ${event.target}`, event.value] : undefined;
  if (event.kind === 'ui.style') return event.op === 'append' ? undefined : ['style', event.css];
  if (event.kind !== 'ui.element') return undefined;
  const { op, elementId, className, html } = event;
  const element = `element ${String(elementId).replaceAll(/\s/g, '_')}`;
  if (op === 'show' || op === 'hide') return [`${element} shown`, op];
  if (op === 'setHtml') return [`${element} html`, html];
  if (op === 'addClass' || op === 'removeClass') return [`${element} class ${className}`, op];
  return undefined;
}

/** The new content that an event gives an element; undefined if it gives none. */
function contentOf(event: OutputEvent) {
  if (event.kind !== 'ui.element') return undefined;
  const { op, html, key, value } = event;
  if (op === 'setHtml') return String(html);
  return op === 'setProperty' && key !== 'value' && key !== 'checked' ? String(value) : undefined;
}
