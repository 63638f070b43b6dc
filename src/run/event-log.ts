import { printable } from '../text/index.ts';
import type { LoggedEvent } from './events.ts';

/** The maximum number of events in the JSON output; further events are only counted. */
const eventsMax = 10_000;

/** Collects the first `eventsMax` events, for `--json`. */
export class EventList {
  readonly events: LoggedEvent[] = [];
  omitted = 0;

  add(event: LoggedEvent) {
    if (this.events.length < eventsMax) this.events.push(event);
    else this.omitted++;
  }
}

const chunkLength = 1 << 16;
const detailsMax = 240;

/** Prints one line per event. Lines are written in large chunks. */
export class EventPrinter {
  private waiting = '';

  constructor(private readonly write: (text: string) => unknown) {}

  add(event: LoggedEvent) {
    this.waiting += `${eventLine(event)}\n`;
    if (this.waiting.length >= chunkLength) this.flush();
  }

  flush() {
    if (this.waiting === '') return;
    this.write(this.waiting);
    this.waiting = '';
  }
}

/** One line about an event, such as `12.350 s  trigger  unitTouchesItem  on u3  {"unit":"u3","item":"i1"}`. */
function eventLine({ time, event, name, on, to, details }: LoggedEvent) {
  const parts = [`${time.toFixed(3).padStart(9)} s  ${event.padEnd(7)}  ${name}`];
  if (on !== undefined) parts.push(`on ${on}`);
  if (to !== undefined) parts.push(`to ${to}`);
  const text = JSON.stringify(details);
  if (text !== '{}') parts.push(text.length > detailsMax ? `${text.slice(0, detailsMax)}…` : text);
  return printable(parts.join('  '));
}
