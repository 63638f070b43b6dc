import { timersOf } from '../../engine/tools.ts';
import { amount, times } from '../text/index.ts';
import type { Answer, Cause, Read, Write } from './answer.ts';
import { causesOf, inputText } from './causes.ts';
import type { ChangeFinder, TracedChange } from './change-finder.ts';
import { endOfTick } from './change-finder.ts';
import type { Motion } from './motion.ts';
import type { PlayReader } from './play-reader.ts';
import { outputText } from './posted.ts';
import { isPlace, type Question } from './reading.ts';
import { TimerOrigins } from './timer-origins.ts';

/** Timers of a chain that are told, each of which runs other actions. */
const timersToldMax = 20;

/** The depth of a write whose timers are not followed back. */
export const asFarAsTimers = -1;

/** Says what led to a change, back to its root cause. */
export class WriteTeller {
  private readonly reader: PlayReader;
  private readonly finder: ChangeFinder;
  private readonly whyRead: (read: Read, depth: number) => Answer | undefined;
  private readonly known = new Map<string, Write>();
  private timerOrigins: TimerOrigins | undefined;

  /** `whyRead` explains a value that a write read. */
  constructor(reader: PlayReader, finder: ChangeFinder, whyRead: (read: Read, depth: number) => Answer | undefined) {
    this.reader = reader;
    this.finder = finder;
    this.whyRead = whyRead;
  }

  /** `later`: of the start of a timer, the timers to which it led, told before it. */
  write(question: Question, tick: number, change: TracedChange, depth: number, later: readonly number[] = []): Write {
    // Cached, because following reads leads to the same writes again and again.
    const key = `${question.text} ${tick} ${change.step} ${depth} ${later.join()}`;
    let write = this.known.get(key);
    if (write === undefined) {
      write = this.newWrite(question, tick, change, depth, later);
      this.known.set(key, write);
    }
    return write;
  }

  private newWrite(
    question: Question,
    tick: number,
    change: TracedChange,
    depth: number,
    later: readonly number[],
  ): Write {
    const { reader } = this;
    const { sim } = reader.replay;
    const { member, isCount } = question;
    const { step, before, after, motion, posted, earlier = [] } = change;
    const causes: (Cause & { readonly timer?: number })[] = causesOf(change, {
      sim,
      tick,
      subject: motion?.id,
      member,
      isCount,
      regenerates: motion?.regenerates === true,
      motion: motion?.text,
    });
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
      causes: causes.map((cause) => this.opened(cause, tick, depth, later)),
    };
  }

  /** The inputs that pressed the keys that a player holds. */
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

  /** A cause whose reads and timers are explained down to `depth`. */
  private opened(
    { timer, ...cause }: Cause & { readonly timer?: number },
    tick: number,
    depth: number,
    later: readonly number[],
  ): Cause {
    const reads = cause.reads?.map((read) => {
      const why = depth > 0 ? this.whyRead(read, depth) : undefined;
      return why === undefined ? read : { ...read, why };
    });
    const started = timer === undefined || depth < 0 ? {} : this.startOf(timer, tick, depth, later);
    return { ...cause, ...(reads && { reads }), ...started };
  }

  /**
   * The action that started a timer. A timer that restarts itself is told twice: the latest start and the first one, so
   * that the cost does not grow with the number of restarts.
   */
  private startOf(timer: number, tick: number, depth: number, later: readonly number[]): Partial<Cause> {
    const { reader, finder, origins } = this;
    const chain = later.length === 0 ? [] : origins.chainOf(timer, tick);
    const [latest] = chain;
    const isTold = latest !== undefined && later.some((each) => origins.jobOf(each) === latest.job);
    const starts = isTold ? chain.filter(({ job }) => job === latest.job) : chain.slice(0, 1);
    const first = starts.at(-1);
    const question = this.startQuestion(first?.timer ?? timer);
    const at = first?.tick ?? finder.last(question, tick);
    const change = at === undefined ? undefined : finder.in(question, at, endOfTick);
    if (at === undefined || change === undefined) return {};
    const text = `a timer of ${reader.moment(latest?.tick ?? at)}`;
    if (later.length > timersToldMax)
      return { text: `${text}, to which ${amount(chain.length - 1, 'other timer')} led` };
    const started = this.write(question, at, change, depth, [...later, first?.timer ?? timer]);
    const restarts = starts.length - 1;
    if (restarts < 1) return { text, started };
    const since = reader.moment(at);
    return { text: `${text}, which had restarted itself ${times(restarts)} since ${since}`, started, restarts };
  }

  private startQuestion(timer: number): Question {
    return {
      text: `timer ${timer}`,
      read: () => timersOf(this.reader.current).sequence > timer,
      truth: () => false,
      node: { kind: 'literal', value: null, from: 0, to: 0 },
      isCount: false,
      subject: () => undefined,
      member: undefined,
      parts: () => [],
    };
  }

  private get origins(): TimerOrigins {
    this.timerOrigins ??= new TimerOrigins(this.reader.game, this.reader.journal);
    return this.timerOrigins;
  }
}
