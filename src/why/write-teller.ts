import { cached } from '../../engine/core/index.ts';
import type { Action } from '../../engine/index.ts';
import { timersOf } from '../../engine/tools.ts';
import type { Answer, Cause, Read, Write } from './answer.ts';
import { attributeOf, settingText } from './attributes.ts';
import { causesOf, inputText, type OpenCause } from './causes.ts';
import type { ChangeFinder, TracedChange } from './change-finder.ts';
import { endOfTick } from './change-finder.ts';
import type { Motion } from './motion.ts';
import type { PlayReader } from './play-reader.ts';
import { outputText } from './posted.ts';
import { isPlace, type Question } from './reading.ts';

/** The maximum number of different timers of a chain that are reported. */
const timersToldMax = 20;

/** A depth at which timers are not followed back. */
export const asFarAsTimers = -1;

/** Describes what led to a change, back to its root cause. */
export class WriteTeller {
  private readonly known = new Map<string, Write>();

  /** `whyRead` explains a value that the write has read. */
  constructor(
    private readonly reader: PlayReader,
    private readonly finder: ChangeFinder,
    private readonly whyRead: (read: Read, depth: number) => Answer | undefined,
  ) {}

  /** `told`: while following timers back, the locations of the actions already reported, which started later timers. */
  write(question: Question, tick: number, change: TracedChange, depth: number, told: readonly number[] = []): Write {
    // Writes are cached, because following reads leads to the same writes again and again.
    const key = `${question.text} ${tick} ${change.step} ${depth} ${told.join()}`;
    return cached(this.known, key, () => this.newWrite(question, tick, change, depth, told));
  }

  private newWrite(
    question: Question,
    tick: number,
    change: TracedChange,
    depth: number,
    told: readonly number[],
  ): Write {
    const { reader } = this;
    const sim = reader.go(tick);
    const { member, isCount } = question;
    const subject = question.subject();
    const { step, before, after, motion, bonuses = [], posted, earlier = [] } = change;
    const causes: OpenCause[] = causesOf(change, {
      sim,
      tick,
      subject: motion?.id ?? subject?.id,
      member,
      isCount,
      regeneration: this.regeneration(question, tick),
      motion: motion?.text,
    });
    // Bonuses are a cause only if the action does not change attributes itself.
    const inner = change.frames.findLast((each) => each.kind === 'action');
    const action = inner && (reader.program.locations as readonly Action[])[inner.location];
    if (action?.effects.some((each) => each.does === 'changes' && each.aspect === 'attribute') !== true)
      causes.unshift(...bonuses.map((text): Cause => ({ kind: 'rule', text })));
    if (causes[0]?.kind === 'rule' && isPlace(member)) causes.push(...this.held(motion, tick));
    return {
      tick,
      seconds: reader.seconds(tick),
      step,
      ...(!isCount && { before: before.value, beforeText: before.text, after: after.value, afterText: after.text }),
      ...(isCount && posted.length > 0 && { posted: posted.map((event) => outputText(sim, event, reader.source)) }),
      ...(earlier.length > 0 && {
        earlier: earlier.map((each) => this.write(question, tick, { ...each, motion }, Math.min(depth, 0))),
      }),
      causes: causes.map((cause) => this.opened(cause, tick, depth, told)),
    };
  }

  private regeneration(question: Question, tick: number) {
    const { reader, finder } = this;
    const { rate = 0 } = attributeOf(reader, question) ?? {};
    return rate === 0 ? undefined : settingText(reader, finder, question, 'rate', tick);
  }

  /** The inputs that pressed the keys which the player still holds. */
  private held(motion: Motion | undefined, tick: number): Cause[] {
    if (motion?.player === undefined) return [];
    const { reader } = this;
    return motion.keys.flatMap((key): Cause[] => {
      for (let at = tick; at > reader.first; at--) {
        const pressed = reader.journal.inputs
          .get(at)
          ?.find((input) => input.kind === 'keyDown' && input.player === motion.player && input.key === key);
        if (pressed !== undefined) return [{ kind: 'input', text: `${inputText(pressed)} at ${reader.moment(at)}` }];
      }
      return [];
    });
  }

  /** A cause, with explanations of its reads and timers down to `depth`. */
  private opened({ timer, ...cause }: OpenCause, tick: number, depth: number, told: readonly number[]): Cause {
    const reads = cause.reads?.map((read) => {
      const why = depth > 0 ? this.whyRead(read, depth) : undefined;
      return why === undefined ? read : { ...read, why };
    });
    const started = timer === undefined || depth < 0 ? {} : this.startOf(timer, tick, depth, told);
    return { ...cause, ...(reads && { reads }), ...started };
  }

  /**
   * The action that started a timer. For a timer that restarts itself, only the latest start and the first one are
   * reported, so that the cost does not grow with the number of restarts.
   */
  private startOf(timer: number, tick: number, depth: number, told: readonly number[]): Partial<Cause> {
    const { reader, finder } = this;
    const question = startQuestion(reader, timer);
    const { tick: at, change } = finder.lastChange(question, tick) ?? {};
    if (at === undefined || change === undefined) return {};
    const text = `a timer of ${reader.moment(at)}`;
    const { rounds, job } = timersOf(reader.go(at)).heap.find(({ sequence }) => sequence === timer) ?? {};
    const runs = rounds?.job ?? job;
    const starter = (reader.program.locations as readonly Action[]).find(({ blocks }) =>
      blocks.some((block) => block.job === runs),
    );
    if (starter === undefined || told.length > timersToldMax) return { text };
    const { location } = starter;
    const now = [...told, location];
    if (!told.includes(location)) return { text, started: this.write(question, at, change, depth, now) };
    reader.readTo(at);
    const first = reader.record.locations[location]?.ticks[0] ?? at;
    const starts = finder.trace(question, first).changes;
    const start = starts.find(({ frames }) => {
      const inner = frames.at(-1);
      return inner?.kind === 'action' && inner.location === location;
    });
    const from = start ?? finder.in(question, first, endOfTick) ?? change;
    const started = this.write(question, first, from, depth, now);
    return { text: first < at ? `${text}, which has restarted itself since ${reader.moment(first)}` : text, started };
  }
}

/** A question whose value changes in the moment in which this timer is started. */
function startQuestion(reader: PlayReader, timer: number): Question {
  return {
    text: `timer ${timer}`,
    read: () => Math.min(timersOf(reader.current).sequence, timer + 1),
    truth: () => false,
    node: { kind: 'literal', value: null, from: 0, to: 0 },
    isCount: false,
    subject: () => undefined,
    member: undefined,
    parts: () => [],
  };
}
