import { type Journal, type LoadedGame, type Simulation, scriptsIn } from '../../engine/index.ts';
import { ExpressionError } from '../expression/index.ts';
import type { InsightTick } from '../journal/index.ts';
import type { ShownFailure } from '../run/index.ts';
import { gameTitle } from '../text/index.ts';
import { nextStep, type StepPosition } from '../why/index.ts';
import { damageTexts, gameTexts } from './drawing/damage.ts';
import { LayerMenu } from './drawing/layer-menu.ts';
import { LegendStrip } from './drawing/legend-strip.ts';
import { between, type Scene } from './drawing/scene.ts';
import { SimulationScene } from './drawing/simulation-scene.ts';
import { Stage } from './drawing/stage.ts';
import { StageTools } from './drawing/stage-tools.ts';
import { Thumbnail } from './drawing/thumbnail.ts';
import { marksOf, type OtherPlay, Side } from './panels/comparison.ts';
import { failureHead } from './panels/failure-panel.ts';
import { filtered, journalContent } from './panels/journal-panels.ts';
import { type JournalTab, journalTabs } from './panels/journal-tabs.ts';
import { backButton } from './panels/links.ts';
import { SearchBox } from './panels/search-box.ts';
import { type Place, placeIn, placeText, watchedMax } from './parts/address.ts';
import { button, element, setText } from './parts/element.ts';
import { KeyHelp } from './parts/key-help.ts';
import { Tabs } from './parts/tabs.ts';
import { toggleTheme } from './parts/theme.ts';
import { type KeyBindings, viewKeys } from './parts/view-keys.ts';
import { History, whenIdle } from './time/history.ts';
import { type LaneMark, Lanes } from './time/lanes.ts';
import { Playback } from './time/playback.ts';
import { searchInSlices } from './time/search.ts';
import { TickGraph } from './time/tick-graph.ts';
import { clockText, marksIn, Timeline } from './time/timeline.ts';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;
/**
 * How long, in ms, ticks are simulated per frame: as long as sixty frames a second can be drawn, but not less than
 * this.
 */
const playingMsMin = 4;
const playingMsMax = 10;
const frameMs = 1000 / 60;
/** Over how long, in ms, the achieved speed is measured. */
const measuredMs = 500;
/** How long, in ms, a jump may keep the page from drawing. A longer one waits for the play to be read. */
const jumpMs = 300;
const openingMs = 3000;
/** How long, in ms, after a jump the play is only read while the page is idle. */
const settlingMs = 200;
/**
 * The least interval, in ms, at which lists are redrawn during playback, and the share of the time that it may take.
 */
const listingMs = 160;
const listingShare = 0.05;
/** Below this share of the wanted speed, the achieved one is shown, too. */
const slowShare = 0.85;
/** How long, in ms, a room is simulated per frame to catch up. */
const catchingUpMs = 24;

/** How long, in ms, ticks are simulated while nothing else is to be done, before input is handled again. */
const preparingMs = 10;

/** The address follows the time line this long, in ms, after the last change. */
const addressMs = 400;

/** How many ticks a live page may lag behind before it skips to the newest snapshot. */
const lagTicksMax = 120;

const tabIds = Object.keys(journalTabs) as JournalTab[];
const filteredTabs: ReadonlySet<JournalTab> = new Set(['all', 'scripts', 'triggers', 'outputs']);
/** From these tabs, a button leads back to where the user came from. */
const leftTabs: ReadonlySet<JournalTab> = new Set(['value', 'scripts', 'entity']);
const trailMax = 100;
/** What leads somewhere in the lists. Ids of entities are followed by `Tabs`. */
const links = ['tick', 'value', 'script', 'line', 'watch', 'open', 'step'] as const;

/** `runs "name"` */
const runsOf = /^runs (.+)$/;

/** The time that a tick took on the server, in ms. */
export type ServerTime = Pick<InsightTick, 'playMs' | 'encodeMs' | 'lateMs'>;

/** What the viewer shows. */
export interface ViewerSource {
  readonly game: LoadedGame;
  readonly journal: Journal;
  /** The failure of the scenario, if there is one. */
  readonly failure?: ShownFailure | undefined;
  /** A second play beside this one. */
  readonly other?: OtherPlay | undefined;
  /** For a running room, whose journal grows: its id, and the time of each tick on the server. */
  readonly live?: { readonly room: string; readonly times: ReadonlyMap<number, ServerTime> };
}

/** The page for a journal or a running room. */
export class Viewer {
  private source: ViewerSource;
  private playback: Playback;
  private scenes = new SimulationScene();
  private readonly stage: Stage;
  private readonly timeline: Timeline;
  private readonly panels: Tabs<JournalTab>;
  private readonly graph = new TickGraph();
  private readonly search: SearchBox;
  private readonly tools: StageTools;
  private readonly layers: LayerMenu;
  private readonly keys: KeyBindings;
  private readonly help: KeyHelp;
  private readonly legend = new LegendStrip();
  /** Whether shift was held when the last key was pressed. */
  private isShifted = false;
  private readonly banner = element('div', { class: 'banner', role: 'status', hidden: true });
  private isPlaying = false;
  /** Whether the page follows the newest tick of a room. */
  private isLive: boolean;
  private drawnTick = -1;
  /** Whether an animation frame is pending. */
  private isFramePending = false;
  private speed = 3;
  /** Simulated time, in ms, that is due but not simulated yet. */
  private dueMs = 0;
  private lastFrame = 0;
  private playingMs = playingMsMin;
  /** When measuring the speed began, how many ticks were played since, and what was measured before. */
  private measured = { sinceMs: 0, ticks: 0, speed: Number.POSITIVE_INFINITY };
  private nextListing = listingMs;
  private isPreparing = false;
  /** Whether the lists lack ticks that `prepareSoon` adds. */
  private isThin = false;
  /** Whether the lists show this tick. After a jump the stage comes first. */
  private isListed = true;
  private soughtTick: number | undefined;
  private soughtMs = Number.NEGATIVE_INFINITY;
  /** The goal of a jump that waits until the play has been read so far. */
  private awaitedTick: number | undefined;
  private jumpMs = openingMs;
  private scene: Scene | undefined;
  private sceneBefore: Scene | undefined;
  /** What happened in the whole play; undefined for a room, whose play goes on. */
  private history: History | undefined;
  /** Two plays beside each other; the lists show the left one. */
  private readonly sides: [left: Side, right: Side] | undefined;
  private readonly sideNames = [
    element('b'),
    element('button', { type: 'button', title: 'Show the lists of this play' }),
  ] as const;
  private readonly lanes: Lanes;
  private readonly filter = element('input', {
    type: 'search',
    class: 'filter',
    placeholder: 'Filter this list',
    'aria-label': 'Filter this list',
  });
  private value: string | undefined;
  private script: string | undefined;
  private line: string | undefined;
  private watched: readonly string[] = [];
  private isSwapped = false;
  private readonly opened = new Set<string>();
  /** Where stepping by action stopped: the steps of a tick, and which of them. */
  private stepped: StepPosition | undefined;
  /** Where the user was before, the last place at the end. */
  private readonly trail: Place<JournalTab>[] = [];
  private addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, source: ViewerSource) {
    const { game, journal, failure, live, other } = source;
    this.source = source;
    this.isLive = live !== undefined;
    this.stage = new Stage({ select: (id) => this.visit(() => this.select(id, true)), moved: () => this.tools.show() });
    const read = (of: LoadedGame, recorded: Journal): History =>
      new History(of, recorded, new Map(failure?.names), {
        changed: () => this.progress(),
        isBusy: () => this.isPlaying || performance.now() - this.soughtMs < settlingMs,
        awaitedTick: () => this.awaitedTick,
      });
    if (live === undefined) this.history = read(game, journal);
    this.playback = new Playback(game, journal, this.isLive, this.history?.play);
    if (other !== undefined && this.history !== undefined) {
      const theirs = read(other.game, other.journal);
      this.sides = [
        new Side(other.names[0], game, this.playback, this.history),
        new Side(other.names[1], other.game, new Playback(other.game, other.journal, false, theirs.play), theirs),
      ];
      this.stage.beside = new Stage({ select: (id) => this.visit(() => this.select(id, true)), moved: () => {} });
      this.stage.beside.beside = this.stage;
      this.sideNames[1].addEventListener('click', () => this.visit(() => this.swap()));
    }
    this.lanes = new Lanes({
      seek: (tick) => this.visit(() => this.seek(tick)),
      open: (value) => this.visit(() => this.openValue(value)),
      unwatch: (expression) => this.visit(() => this.watchValue(expression)),
    });
    this.timeline = new Timeline(
      () => marksIn(this.source.journal.inputs),
      {
        seek: (tick) => this.seekSoon(tick),
        ...(live === undefined ? {} : { goLive: () => this.goLive() }),
        step: (ticks) => this.step(ticks),
        toggle: () => this.toggle(),
        changeSpeed: (direction) => this.changeSpeed(direction),
      },
      live === undefined ? this.lanes.root : undefined,
    );
    const stepBy = (ticks: number): void =>
      this.step(ticks * (this.isShifted ? Math.round(this.playback.sim.rate) : 1));
    this.keys = {
      ' ': { description: 'play or pause', run: () => this.toggle() },
      ArrowLeft: { description: 'one tick back (with Shift: one second)', run: () => stepBy(-1) },
      ArrowRight: { description: 'one tick forward (with Shift: one second)', run: () => stepBy(1) },
      Home: { description: 'go to the beginning', run: () => this.step(Number.NEGATIVE_INFINITY) },
      End: { description: 'go to the end', run: () => this.step(Number.POSITIVE_INFINITY) },
      '[': { description: 'slower', run: () => this.changeSpeed(-1) },
      ']': { description: 'faster', run: () => this.changeSpeed(1) },
      '/': { description: 'search', run: () => this.search.input.focus() },
      ...(live === undefined && {
        ',': { description: 'the action before, also of an earlier tick', run: () => this.stepAction(-1) },
        '.': { description: 'the next action, also of a later tick', run: () => this.stepAction(1) },
      }),
      e: { description: 'show or hide sensor radii', run: () => this.layers.toggle('sensors') },
      ...viewKeys({
        stage: this.stage,
        fit: () => this.tools.fit(),
        follow: () => this.tools.follow(),
        toggleTheme: () => this.toggleTheme(),
        select: (id) => this.select(id, true),
        units: () => this.playback.sim.units().map(({ id }) => id),
      }),
      Escape: { description: 'clear the selection', run: () => this.select(undefined, false) },
      '?': { description: 'show keyboard shortcuts', run: () => this.help.open() },
    };
    this.help = new KeyHelp(this.keys);
    const isShown = (tab: JournalTab): boolean =>
      tab === 'failure'
        ? failure !== undefined
        : tab === 'differences'
          ? other !== undefined
          : tab !== 'value' || live === undefined;
    const tabs = Object.fromEntries(tabIds.filter(isShown).map((tab) => [tab, journalTabs[tab]]));
    if (this.history !== undefined) this.thumbnails(this.history);
    this.panels = new Tabs<JournalTab>(
      tabs,
      other !== undefined ? 'differences' : failure === undefined ? 'all' : 'failure',
      {
        select: (id) => this.visit(() => this.select(id, true)),
        open: (tab) => this.visit(() => this.openTab(tab), false),
        tools: this.filter,
      },
    );
    this.filter.addEventListener('input', () => this.draw());
    this.panels.root.addEventListener('click', ({ target }) => {
      const link = (target as HTMLElement).closest<HTMLElement>('button')?.dataset;
      if (link?.['back'] !== undefined) this.goBack();
      else if (link !== undefined && links.some((each) => link[each] !== undefined))
        this.visit(() => this.followLink(link));
    });
    this.search = new SearchBox({
      search: (query, report) => searchInSlices(query, this.source.game, this.source.journal, report),
      now: () => this.playback.tick,
      found: (tick) => this.visit(() => this.seek(tick)),
      ...(live === undefined && { why: (text: string) => this.visit(() => this.openValue(text)) }),
    });
    this.layers = new LayerMenu(this.stage);
    this.tools = new StageTools(this.stage, { fit: '0', follow: 'F' }, this.layers.root);
    const { head } = journal;
    const name = gameTitle(game.definition) ?? live?.room ?? document.title.replace(/ · Reenact$/, '');
    document.title = `${failure === undefined ? '' : `✗ ${failure.title} · `}${name} · Reenact`;
    const seconds = (journal.lastTick - head.tick) / head.rate;
    const length = live === undefined ? `${clockText(seconds)} at ` : `${live.room} · `;
    root.replaceChildren(
      element(
        'header',
        {},
        element('h1', {}, name),
        element(
          'span',
          { class: 'about' },
          `${length}${head.rate} ticks a second · seed ${head.seed} · ${head.dialect} · version ${head.version}`,
        ),
        this.search.root,
        ...(live === undefined ? [] : [element('a', { href: '/', id: 'rooms' }, 'Rooms')]),
        this.help.button,
        button('◐', 'Switch between light and dark', 'T', () => this.toggleTheme()),
        ...(failure === undefined ? [] : [failureHead(failure)]),
      ),
      element(
        'main',
        { class: 'stage' },
        element(
          'div',
          { class: other === undefined ? 'view' : 'view two' },
          ...this.canvases(),
          this.banner,
          this.tools.root,
        ),
        this.legend.root,
      ),
      this.timeline.root,
      this.panels.root,
      this.help.root,
    );
    document.addEventListener('keydown', (event) => this.key(event));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolor());
    this.timeline.root.append(this.graph.root);
    this.tools.show();
    if (live === undefined) {
      addEventListener('popstate', () => {
        const last = this.trail.at(-1);
        if (last !== undefined && placeText(last) === location.hash) this.trail.pop();
        this.arrive(placeIn(location.hash, tabIds));
      });
    }
  }

  private canvases(): HTMLElement[] {
    const { stage, sideNames } = this;
    if (stage.beside === undefined) return [stage.canvas];
    return [stage, stage.beside].map(({ canvas }, i) => element('div', { class: 'half' }, canvas, sideNames[i]!));
  }

  /** Exchanges the two plays, so that the lists show the other one. */
  private swap(): void {
    const { sides } = this;
    if (sides === undefined) return;
    sides.reverse();
    const [{ game, playback, history }] = sides;
    Object.assign(this, { playback, history, isSwapped: !this.isSwapped });
    this.source = { ...this.source, game, journal: history.journal };
    this.draw();
  }

  /** Shows what the address says, or else a tick, by default the first. */
  show(tick: number | undefined): void {
    if (this.isLive && tick === undefined) {
      this.goLive();
      return;
    }
    const place = this.source.live === undefined ? placeIn(location.hash, tabIds) : {};
    this.arrive({ ...(tick !== undefined && { tick }), ...place });
    this.jumpMs = jumpMs;
    if (!this.isListed) this.drawLists();
  }

  private get place(): Place<JournalTab> {
    const { value, script, line } = this;
    const tick = this.awaitedTick ?? this.playback.tick;
    const play = this.isSwapped ? 'second' : undefined;
    return {
      tick,
      tab: this.panels.current,
      entity: this.stage.selectedId,
      value,
      script,
      line,
      play,
      watch: this.watched,
    };
  }

  /** Shows a place, keeping what it leaves open. */
  private arrive({ tick, tab, entity, value, script, line, play, watch = [] }: Partial<Place<JournalTab>>): void {
    this.isPlaying = false;
    this.stopWaiting();
    this.isLive = false;
    Object.assign(this, { value, script, line, watched: watch });
    this.stage.selectedId = entity;
    this.tools.show();
    if ((play === 'second') !== this.isSwapped) this.swap();
    if (tab !== undefined) this.panels.choose(tab);
    if (tick === undefined) this.draw();
    else this.seek(tick);
  }

  /** Performs a step of the user, and adds it to the history of the browser. */
  private visit(act: () => void, isLink = true): void {
    const { live } = this.source;
    const before = this.place;
    act();
    if (live !== undefined || placeText(this.place) === placeText(before)) return;
    const { tab, value, script, entity } = this.place;
    const isElsewhere =
      tab !== before.tab || value !== before.value || script !== before.script || entity !== before.entity;
    // A tab is its own way back, but the one of scripts may lead to a script.
    if (isElsewhere && (isLink || (tab === 'scripts' && script !== undefined))) {
      this.trail.push(before);
      if (this.trail.length > trailMax) this.trail.shift();
      this.drawLists();
    }
    this.leave(before);
  }

  /** What the user left is where “back” of the browser leads. */
  private leave(before: Place): void {
    this.writeAddress('replaceState', placeText(before));
    this.writeAddress('pushState', placeText(this.place));
  }

  /** Goes back to where a link was followed. */
  private goBack(): void {
    const to = this.trail.pop();
    if (to === undefined) return;
    const before = this.place;
    this.arrive(to);
    this.leave(before);
  }

  /** What a place shows, in a few words. */
  private nameOf({ tab, value, script, entity }: Place<JournalTab>): string {
    const shown = { value, entity, scripts: script && scriptNamed(this.playback.sim, script) };
    return shown[tab as keyof typeof shown] ?? journalTabs[tab];
  }

  private writeAddress(method: 'pushState' | 'replaceState', text: string): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = undefined;
    try {
      history[method](null, '', location.href.split('#')[0] + text);
    } catch {
      // A frame without an origin, such as in a report, may not change its address.
    }
  }

  private writeAddressSoon(): void {
    if (this.source.live !== undefined || this.isPlaying || this.addressTimer !== undefined) return;
    this.addressTimer = setTimeout(() => this.writeAddress('replaceState', placeText(this.place)), addressMs);
  }

  private followLink({ tick, value, script, line, watch, open, step }: DOMStringMap): void {
    if (watch !== undefined) this.watchValue(watch);
    else if (open !== undefined) {
      if (!this.opened.delete(open)) this.opened.add(open);
      this.draw();
    } else if (step !== undefined) this.stepAction(step === '1' ? 1 : -1);
    else {
      if (value !== undefined) this.value = value;
      if (script !== undefined) {
        this.script = script === '' ? undefined : script;
        this.line = undefined;
      }
      if (line !== undefined) this.line = line;
      const tab = value !== undefined ? 'value' : script !== undefined || line !== undefined ? 'scripts' : undefined;
      if (tab !== undefined) this.panels.choose(tab);
      if (tick !== undefined) this.step(Number(tick) - this.playback.tick);
      else this.draw();
    }
  }

  private openValue(value: string): void {
    this.value = value;
    this.openTab('value');
  }

  /** Adds a value to the plots over the time line, or removes it. */
  private watchValue(expression: string): void {
    const others = this.watched.filter((each) => each !== expression);
    this.watched = others.length < this.watched.length ? others : [...others, expression].slice(-watchedMax);
    this.draw();
  }

  /** Goes to the next action or the one before, across ticks, and shows it in the text of its script. */
  private stepAction(direction: 1 | -1): void {
    const { history, playback } = this;
    if (history === undefined) return;
    this.isPlaying = false;
    const found = nextStep(this.source.game, history.play, playback.tick, this.stepped, direction, (tick) =>
      history.activeTick(tick, direction),
    );
    if (found === undefined) return;
    this.stepped = found;
    const { action } = found.steps[found.index]!;
    this.script = action.script.place;
    this.line = action.path;
    this.panels.choose('scripts');
    this.seek(found.tick);
  }

  /** Continues with the same room from a new state after connections were lost. */
  restart(source: ViewerSource): void {
    this.source = source;
    this.playback = new Playback(source.game, source.journal, true);
    this.scenes = new SimulationScene();
    this.showMessage('');
    this.drawnTick = -1;
    this.goLive();
  }

  /** Shows a message over the stage; empty hides it. */
  showMessage(text: string): void {
    this.banner.hidden = text === '';
    setText(this.banner, text);
  }

  private readonly frame = (now: number): void => {
    this.isFramePending = false;
    if (this.isLive) this.catchUp();
    else if (this.isPlaying) this.play(now);
    else return;
    const { tick } = this.playback;
    if (tick === this.drawnTick) this.drawMotion();
    else {
      const isNext = tick === this.drawnTick + 1 && this.isPlaying;
      this.drawnTick = tick;
      this.drawStage(isNext ? this.scene : undefined);
      if (now >= this.nextListing) {
        const start = performance.now();
        this.drawLists();
        this.nextListing = now + Math.max(listingMs, (performance.now() - start) / listingShare);
      } else this.drawTime();
    }
    this.requestFrame();
  };

  /** Requests an animation frame unless one is pending. */
  private requestFrame(): void {
    if (this.isFramePending) return;
    this.isFramePending = true;
    requestAnimationFrame(this.frame);
  }

  /** Advances to the newest available tick of a room. */
  private catchUp(): void {
    const { playback } = this;
    if (playback.lastTick - playback.tick > lagTicksMax) playback.seek(playback.lastTick);
    const end = performance.now() + catchingUpMs;
    while (!playback.isAtEnd && performance.now() < end) playback.step();
  }

  private play(now: number): void {
    const { playback } = this;
    const passedMs = now - this.lastFrame;
    this.dueMs += Math.min(100, passedMs) * speeds[this.speed]!;
    this.lastFrame = now;
    const playingMs = passedMs > frameMs * 1.2 ? this.playingMs * 0.8 : this.playingMs + 0.2;
    this.playingMs = Math.min(playingMsMax, Math.max(playingMsMin, playingMs));
    const tickMs = 1000 / playback.sim.rate;
    const start = performance.now();
    while (this.dueMs >= tickMs && !playback.isAtEnd) {
      playback.step();
      this.dueMs -= tickMs;
      this.measured.ticks++;
      // Ticks that this machine is too slow for are dropped.
      if (performance.now() - start > this.playingMs) this.dueMs = 0;
    }
    const { sinceMs, ticks } = this.measured;
    if (now - sinceMs > measuredMs)
      this.measured = { sinceMs: now, ticks: 0, speed: (ticks * tickMs) / (now - sinceMs) };
    if (!playback.isAtEnd) return;
    if (this.source.live === undefined) this.pause();
    else this.goLive();
  }

  private goLive(): void {
    this.isPlaying = false;
    this.isLive = true;
    this.draw();
    this.requestFrame();
  }

  private toggle(): void {
    if (this.isPlaying || this.isLive) {
      this.pause();
      return;
    }
    if (this.playback.isAtEnd) {
      if (this.source.live !== undefined) {
        this.goLive();
        return;
      }
      this.playback.seek(this.playback.startTick);
    }
    this.stopWaiting();
    this.isPlaying = true;
    this.dueMs = 0;
    this.lastFrame = performance.now();
    this.measure();
    this.draw();
    this.requestFrame();
  }

  private pause(): void {
    this.isPlaying = false;
    this.isLive = false;
    this.draw();
  }

  private step(ticks: number): void {
    this.isPlaying = false;
    if (this.source.live !== undefined && ticks === Number.POSITIVE_INFINITY) {
      this.goLive();
      return;
    }
    this.isLive = false;
    this.seek((this.awaitedTick ?? this.playback.tick) + ticks);
  }

  private seek(tick: number): void {
    this.soughtTick = undefined;
    this.stopWaiting();
    this.isLive = false;
    this.soughtMs = performance.now();
    this.isThin = true;
    const { playback, history } = this;
    if (history === undefined) {
      playback.seek(tick);
      this.draw();
      return;
    }
    const wanted = Math.min(playback.lastTick, Math.max(playback.startTick, Math.round(tick)));
    if (!playback.seek(wanted, history.tick < wanted ? this.jumpMs : undefined)) this.awaitedTick = wanted;
    this.isListed = false;
    this.drawnTick = playback.tick;
    this.drawStage();
    this.drawTime();
    this.progress();
    this.prepareSoon();
  }

  /** Call when more of the play was read. */
  private progress(): void {
    const { awaitedTick, history } = this;
    if (awaitedTick === undefined) {
      if (!this.isPlaying && this.isListed) this.drawLists();
      return;
    }
    if (history === undefined || history.tick >= awaitedTick) this.seek(awaitedTick);
    else this.showMessage(`Reading the play: tick ${history.tick} of ${awaitedTick} …`);
  }

  private stopWaiting(): void {
    if (this.awaitedTick === undefined) return;
    this.awaitedTick = undefined;
    this.showMessage('');
  }

  /** A slider sends more seeks than can be simulated; only the last one before each frame is performed. */
  private seekSoon(tick: number): void {
    this.isPlaying = false;
    this.isLive = false;
    if (this.soughtTick === undefined)
      requestAnimationFrame(() => this.soughtTick !== undefined && this.seek(this.soughtTick));
    this.soughtTick = tick;
  }

  private measure(): void {
    this.measured = { sinceMs: this.lastFrame, ticks: 0, speed: Number.POSITIVE_INFINITY };
  }

  private changeSpeed(direction: 1 | -1): void {
    this.speed = Math.min(speeds.length - 1, Math.max(0, this.speed + direction));
    this.measure();
    this.drawTime();
  }

  private select(id: string | undefined, opens: boolean): void {
    this.stage.selectedId = id;
    if (id === undefined) this.stage.follows = false;
    this.tools.show();
    if (id !== undefined && opens) this.openTab('entity');
    else this.draw();
  }

  private openTab(tab: JournalTab): void {
    // The tab leads to the script that set the value shown before, otherwise to the list of all.
    if (tab === 'scripts') Object.assign(this, { script: undefined, line: undefined, ...this.scriptOfValue() });
    this.panels.choose(tab);
    this.draw();
  }

  /** The script and the action that the value of the tab “Value” comes from. */
  private scriptOfValue(): { readonly script?: string; readonly line?: string | undefined } {
    const { history, shownValue, playback } = this;
    if (this.panels.current !== 'value' || history === undefined || shownValue === undefined) return {};
    const counted = runsOf.exec(shownValue)?.[1];
    const place = counted === undefined ? undefined : history.placeOf(counted.replaceAll('"', ''));
    if (place !== undefined) return { script: place };
    try {
      const cause = history.why(shownValue, playback.tick).write?.causes.find(({ script }) => script !== undefined);
      return cause === undefined ? {} : { script: cause.script!, line: cause.path };
    } catch (error) {
      if (error instanceof ExpressionError) return {};
      throw error;
    }
  }

  /** The chosen value, or else the one that the failure is about. */
  private get shownValue(): string | undefined {
    const { report } = this.source.failure ?? {};
    return this.value ?? (report?.questions ?? report?.expressions)?.[0];
  }

  private thumbnails(history: History): void {
    const scenes = new SimulationScene();
    new Thumbnail(this.timeline, {
      sceneAt: (tick) => {
        const sim = history.at(tick);
        return sim && { scene: scenes.of(sim), seconds: sim.nowMs / 1000 };
      },
    });
  }

  private toggleTheme(): void {
    toggleTheme();
    this.recolor();
  }

  private recolor(): void {
    this.stage.recolor();
    this.graph.recolor();
    this.drawGraph();
  }

  private key(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (ctrlKey || metaKey || altKey || this.help.isOpen) return;
    const isTyping = target instanceof HTMLInputElement && target.type === 'search';
    if (isTyping) {
      if (key === 'Escape') this.stage.canvas.focus();
      return;
    }
    // Space and Enter activate a focused button.
    if ((key === ' ' || key === 'Enter') && target instanceof HTMLButtonElement) return;
    const act = this.keys[key]?.run;
    if (act === undefined) return;
    event.preventDefault();
    this.isShifted = shiftKey;
    act();
  }

  private draw(): void {
    this.drawnTick = this.playback.tick;
    this.drawStage();
    this.drawLists();
    this.prepareSoon();
  }

  /** Prepares going back, and adds to the lists after a jump. */
  private prepareSoon(): void {
    if (this.isPreparing || this.isPlaying || this.source.live !== undefined) return;
    this.isPreparing = true;
    whenIdle(() => {
      this.isPreparing = false;
      if (this.isPlaying) return;
      const end = performance.now() + preparingMs;
      if (!this.isListed) this.drawLists();
      while (performance.now() < end) {
        if (this.playback.prepare()) continue;
        if (this.isThin) this.drawLists();
        this.isThin = false;
        return;
      }
      this.prepareSoon();
    });
  }

  /** `before`: the scene of the tick before, while the play runs. */
  private drawStage(before?: Scene): void {
    this.scene = this.sceneNow();
    this.sceneBefore = before;
    const right = this.sides?.[1].sceneAt(this.playback.tick);
    if (before === undefined) this.showScenes(this.scene, right);
    else this.drawMotion();
    this.legend.show(this.scene.figures);
  }

  /** The scene of this tick, with the texts that rise from it. */
  private sceneNow(): Scene {
    const { history, playback } = this;
    const { sim, tick, watch } = playback;
    const scene = this.scenes.of(sim);
    const texts = gameTexts(watch, scene);
    if (history !== undefined) texts.push(...damageTexts(history, scene, tick, sim.rate));
    return { ...scene, texts };
  }

  /** Draws what lies between the tick before and this one, so that motion is smooth at any speed. */
  private drawMotion(): void {
    const { sceneBefore, scene } = this;
    if (sceneBefore === undefined || scene === undefined) return;
    const share = Math.min(1, (this.dueMs * this.playback.sim.rate) / 1000);
    this.showScenes(between(sceneBefore, scene, share), this.sides?.[1].between(share));
  }

  private showScenes(scene: Scene, other: Scene | undefined): void {
    if (other === undefined) this.stage.show(scene);
    else this.stage.show({ ...scene, marks: marksOf(scene, other) }, { ...other, marks: marksOf(other, scene) });
  }

  private drawLists(): void {
    this.isListed = true;
    const { history, playback, shownValue, opened, script, line, watched, stepped } = this;
    const { failure } = this.source;
    const { current } = this.panels;
    const step = stepped?.tick === playback.tick ? stepped : undefined;
    this.filter.hidden = !filteredTabs.has(current) || (current === 'scripts' && script !== undefined);
    const content = journalContent(current, {
      watch: playback.watch,
      selected: this.stage.selectedId,
      isMoving: this.isLive || this.isPlaying,
      failure,
      history,
      value: shownValue,
      opened,
      script,
      line,
      watched,
      ...(this.sides !== undefined && { sides: this.sides, other: this.source.other }),
      step: step && { number: step.index + 1, count: step.steps.length, is: step.steps[step.index]! },
    });
    const last = leftTabs.has(current) && (current !== 'scripts' || script !== undefined) && this.trail.at(-1);
    // The text of a script has its own button to the list.
    const isList = last && last.tab === 'scripts' && last.script === undefined;
    const back = last && !isList ? [backButton(this.nameOf(last))] : [];
    this.panels.show([...back, ...(this.filter.hidden ? content : filtered(content, this.filter.value))]);
    for (const [i, { name }] of this.sides?.entries() ?? []) setText(this.sideNames[i]!, i === 0 ? name : `${name} ⇄`);
    if (history !== undefined) this.lanes.show(history, watched, this.mark(), this.sides?.[1].history);
    this.drawGraph();
    this.drawTime();
    this.writeAddressSoon();
  }

  private mark(): LaneMark | undefined {
    const { failure, other } = this.source;
    if (failure !== undefined) return { tick: failure.report.tick, text: `It failed at tick ${failure.report.tick}` };
    const tick = other?.difference?.tick;
    return tick === undefined ? undefined : { tick, text: `The plays differ since tick ${tick}` };
  }

  private drawGraph(): void {
    const { tick, sim, watch } = this.playback;
    const times = this.source.live?.times;
    if (times === undefined) this.graph.show({ tick, rate: sim.rate, tickMs: watch.tickMs });
    else {
      const ofServer = (at: number): number | undefined => {
        const time = times.get(at);
        return time && time.playMs + time.encodeMs;
      };
      this.graph.show({ tick, rate: sim.rate, tickMs: ofServer, lateMs: times.get(tick)?.lateMs });
    }
  }

  private drawTime(): void {
    const { tick, sim, lastTick, startTick, checked } = this.playback;
    // A hash takes longer than a tick.
    const hash = this.isPlaying || !this.isListed ? '' : this.playback.hash;
    const speed = speeds[this.speed]!;
    const { speed: achieved } = this.measured;
    this.timeline.show({
      tick,
      startTick,
      lastTick,
      seconds: sim.nowMs / 1000,
      hash,
      isAsRecorded: checked,
      isPlaying: this.isPlaying || this.isLive,
      isLive: this.isLive,
      speed,
      soughtTick: this.awaitedTick,
      achieved: this.isPlaying && achieved < speed * slowShare ? achieved : undefined,
    });
  }
}

function scriptNamed(sim: Simulation, wanted: string): string | undefined {
  return scriptsIn(sim).scripts.find(({ place }) => place === wanted)?.name;
}
