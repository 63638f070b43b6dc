import type { OutputEvent } from '../../../engine/index.ts';

interface Said {
  readonly value: unknown;
  /** The tick in which it was said last, sent or not. */
  tick: number;
}

/** More than any page has. */
const saidMax = 1024;

/**
 * What clients were told about the elements, texts and styles of their page. Games say it again at every tick; it is sent once, and again after a pause,
 * because people close windows that a game then opens anew.
 */
export class Repeats {
  private readonly said = new Map<string, Said>();
  private readonly pauseTicks: number;

  constructor(pauseTicks: number) {
    this.pauseTicks = pauseTicks;
  }

  /** Whether clients lack what an event says. Notes it. */
  isNews(event: OutputEvent, tick: number): boolean {
    const [key, value] = subjectOf(event) ?? [];
    if (key === undefined) {
      this.forget(event);
      return true;
    }
    const before = this.said.get(key);
    if (before !== undefined && before.value === value && tick - before.tick <= this.pauseTicks) {
      before.tick = tick;
      return false;
    }
    this.forget(event);
    if (this.said.size >= saidMax) this.said.clear();
    this.said.set(key, { value, tick });
    return true;
  }

  /** Somebody else has changed what the event is about. */
  forget(event: OutputEvent): void {
    const [key] = subjectOf(event) ?? [];
    if (key !== undefined) this.said.delete(key);
    else if (event.kind === 'ui.text') this.said.delete(`text ${event['target']}`);
    else if (event.kind === 'ui.style') this.said.delete('style');
    const content = contentOf(event);
    if (content === undefined) return;
    // Elements that are in it are new, and so is what it stands for itself.
    for (const [other] of this.said) {
      const [, id] = /^element (\S+) /.exec(other) ?? [];
      if (
        id !== undefined &&
        other !== key &&
        (id === event['elementId'] ? !other.endsWith(' shown') : content.includes(id))
      ) {
        this.said.delete(other);
      }
    }
  }

  clear(): void {
    this.said.clear();
  }
}

/** What an event is about, and what it says of it; undefined for an event that counts each time. */
function subjectOf({
  kind,
  op,
  elementId,
  className,
  html,
  target,
  value,
  css,
}: OutputEvent): readonly [string, unknown] | undefined {
  if (kind === 'ui.text') return op === 'update' ? [`text ${target}`, value] : undefined;
  if (kind === 'ui.style') return op === 'append' ? undefined : ['style', css];
  if (kind !== 'ui.element') return undefined;
  const element = `element ${String(elementId).replaceAll(/\s/g, '_')}`;
  if (op === 'show' || op === 'hide') return [`${element} shown`, op];
  if (op === 'setHtml') return [`${element} html`, html];
  if (op === 'addClass' || op === 'removeClass') return [`${element} class ${className}`, op];
  return undefined;
}

/** The new content of an element. */
function contentOf({ kind, op, html, key, value }: OutputEvent): string | undefined {
  if (kind !== 'ui.element') return undefined;
  if (op === 'setHtml') return String(html);
  return op === 'setProperty' && key !== 'value' && key !== 'checked' ? String(value) : undefined;
}
