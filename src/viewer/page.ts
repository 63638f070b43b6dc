import { button, element } from './element.ts';
import { type Embedded, readEmbedded } from './embedded.ts';
import { journalContent, journalTabs } from './panels.ts';
import { Playback } from './playback.ts';
import { SearchBox } from './search-box.ts';
import { SimulationScene } from './simulation-scene.ts';
import { Stage } from './stage.ts';
import { adoptStyle } from './style.ts';
import { Tabs } from './tabs.ts';
import { turnTheme } from './theme.ts';
import { TickGraph } from './tick-graph.ts';
import { clockText, Timeline } from './timeline.ts';
import { type Keys, viewKeys } from './view-keys.ts';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;
/** Milliseconds of playing from one drawing to the next: whatever the speed, the page stays responsive. */
const playingMs = 24;
/** Milliseconds between two drawings of the lists while the game plays. */
const listingMs = 160;

/** The page over a journal: what people do, in keys and buttons, and what is drawn after it. */
class Viewer {
  private readonly playback: Playback;
  private readonly scenes = new SimulationScene();
  private readonly stage: Stage;
  private readonly timeline: Timeline;
  private readonly panels: Tabs<keyof typeof journalTabs>;
  private readonly graph = new TickGraph();
  private readonly search: SearchBox;
  private readonly followButton: HTMLButtonElement;
  private readonly sensorButton: HTMLButtonElement;
  private readonly viewKeys: Keys;
  private isPlaying = false;
  private speed = 3;
  /** Simulated ms that are due and not yet played. */
  private dueMs = 0;
  private lastFrame = 0;
  private lastListed = 0;
  private soughtTick: number | undefined;

  constructor(root: HTMLElement, { game, journal }: Embedded) {
    this.playback = new Playback(game, journal);
    this.stage = new Stage({ choose: (id) => this.choose(id, true), moved: () => this.showFollowing() });
    this.timeline = new Timeline(journal, this.playback.startTick, {
      seek: (tick) => this.seekSoon(tick),
      step: (ticks) => this.step(ticks),
      toggle: () => this.toggle(),
      hurry: (direction) => this.hurry(direction),
    });
    this.stage.showsSensors = true;
    this.viewKeys = viewKeys({
      stage: this.stage,
      fit: () => this.fit(),
      follow: () => this.follow(),
      turnTheme: () => this.turnTheme(),
      choose: (id) => this.choose(id, true),
      units: () => this.playback.sim.units().map(({ id }) => id),
    });
    this.panels = new Tabs(journalTabs, 'all', { choose: (id) => this.choose(id, true), refresh: () => this.draw() });
    this.search = new SearchBox(game, journal, {
      now: () => this.playback.tick,
      found: (tick) => this.seek(tick),
    });
    this.sensorButton = button('◌', 'Circles in which units notice others', 'E', () => this.turnSensors());
    this.followButton = button('◎', 'Follow the chosen entity', 'F', () => this.follow());
    const { head } = journal;
    const name = game.definition.defaultData.title || 'Game';
    document.title = `${name} · Reenact`;
    const seconds = (journal.lastTick - head.tick) / head.rate;
    root.append(
      element(
        'header',
        {},
        element('h1', {}, name),
        element(
          'span',
          { class: 'about' },
          `${clockText(seconds)} at ${head.rate} ticks a second · seed ${head.seed} · ${head.dialect} · version ${head.version}`,
        ),
        this.search.root,
        button('◐', 'Light or dark', 'T', () => this.turnTheme()),
      ),
      element(
        'main',
        { class: 'stage' },
        this.stage.canvas,
        element(
          'div',
          { class: 'tools' },
          button('+', 'Nearer', '+', () => this.stage.zoomBy(1.3)),
          button('−', 'Farther', '-', () => this.stage.zoomBy(1 / 1.3)),
          button('⤢', 'The whole map', '0', () => this.fit()),
          this.followButton,
          this.sensorButton,
        ),
      ),
      this.timeline.root,
      this.panels.root,
    );
    document.addEventListener('keydown', (event) => this.key(event));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolor());
    this.timeline.root.append(this.graph.root);
    this.sensorButton.setAttribute('aria-pressed', 'true');
    this.showFollowing();
  }

  /** Draws a tick, by default the first. */
  show(tick: number | undefined): void {
    if (tick === undefined) this.draw();
    else this.seek(tick);
  }

  private readonly frame = (now: number): void => {
    if (!this.isPlaying) return;
    const { playback } = this;
    this.dueMs += Math.min(100, now - this.lastFrame) * speeds[this.speed]!;
    this.lastFrame = now;
    const tickMs = 1000 / playback.sim.rate;
    const end = performance.now() + playingMs;
    while (this.dueMs >= tickMs && !playback.isAtEnd) {
      playback.step();
      this.dueMs -= tickMs;
      // Ticks that this machine cannot play in time are not made up for.
      if (performance.now() > end) this.dueMs = 0;
    }
    if (playback.isAtEnd) this.pause();
    else {
      this.drawStage();
      if (now - this.lastListed >= listingMs) {
        this.lastListed = now;
        this.drawLists();
      } else this.drawTime();
      requestAnimationFrame(this.frame);
    }
  };

  private toggle(): void {
    if (this.isPlaying) this.pause();
    else {
      if (this.playback.isAtEnd) this.playback.seek(this.playback.startTick);
      this.isPlaying = true;
      this.dueMs = 0;
      this.lastFrame = performance.now();
      this.draw();
      requestAnimationFrame(this.frame);
    }
  }

  private pause(): void {
    this.isPlaying = false;
    this.draw();
  }

  private step(ticks: number): void {
    this.isPlaying = false;
    this.seek(this.playback.tick + ticks);
  }

  private seek(tick: number): void {
    this.soughtTick = undefined;
    this.playback.seek(tick);
    this.draw();
  }

  /** A slider asks for more ticks than can be played; the last before each drawing is gone to. */
  private seekSoon(tick: number): void {
    this.isPlaying = false;
    if (this.soughtTick === undefined)
      requestAnimationFrame(() => this.soughtTick !== undefined && this.seek(this.soughtTick));
    this.soughtTick = tick;
  }

  private hurry(direction: 1 | -1): void {
    this.speed = Math.min(speeds.length - 1, Math.max(0, this.speed + direction));
    this.drawTime();
  }

  private choose(id: string | undefined, opens: boolean): void {
    this.stage.chosen = id;
    if (id === undefined) this.stage.follows = false;
    this.showFollowing();
    if (id !== undefined && opens) this.panels.open('entity');
    else this.draw();
  }

  private follow(): void {
    this.stage.follow(!this.stage.follows);
    this.showFollowing();
  }

  private fit(): void {
    this.stage.fit();
    this.showFollowing();
  }

  private showFollowing(): void {
    this.followButton.setAttribute('aria-pressed', String(this.stage.follows));
    this.followButton.disabled = this.stage.chosen === undefined;
  }

  private turnSensors(): void {
    this.stage.showsSensors = !this.stage.showsSensors;
    this.sensorButton.setAttribute('aria-pressed', String(this.stage.showsSensors));
    this.stage.draw();
  }

  private turnTheme(): void {
    turnTheme();
    this.recolor();
  }

  private recolor(): void {
    this.stage.recolor();
    this.graph.show(this.playback);
  }

  private key(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const isTyping = target instanceof HTMLInputElement && target.type === 'search';
    if (isTyping) {
      if (key === 'Escape') this.stage.canvas.focus();
      return;
    }
    // A button does what it does at these, and a slider moves.
    if ((key === ' ' || key === 'Enter') && target instanceof HTMLButtonElement) return;
    const second = Math.round(this.playback.sim.rate);
    const acts: Keys = {
      ' ': () => this.toggle(),
      ArrowRight: () => this.step(shiftKey ? second : 1),
      ArrowLeft: () => this.step(shiftKey ? -second : -1),
      Home: () => this.step(Number.NEGATIVE_INFINITY),
      End: () => this.step(Number.POSITIVE_INFINITY),
      '[': () => this.hurry(-1),
      ']': () => this.hurry(1),
      e: () => this.turnSensors(),
      ...this.viewKeys,
      '/': () => this.search.input.focus(),
      Escape: () => this.choose(undefined, false),
    };
    const act = acts[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  private draw(): void {
    this.drawStage();
    this.drawLists();
  }

  private drawStage(): void {
    this.stage.show(this.scenes.of(this.playback.sim));
  }

  private drawLists(): void {
    this.panels.show(journalContent(this.panels.current, this.playback, this.stage.chosen));
    this.graph.show(this.playback);
    this.drawTime();
  }

  private drawTime(): void {
    const { tick, sim, replay } = this.playback;
    const hash = sim.hash();
    const recorded = replay.journal.hashes.get(tick);
    const isAsRecorded = recorded === undefined ? undefined : recorded === hash;
    this.timeline.show({
      ...{ tick, seconds: sim.nowMs / 1000, hash, isAsRecorded },
      ...{ isPlaying: this.isPlaying, speed: speeds[this.speed]! },
    });
  }
}

async function open(): Promise<void> {
  adoptStyle();
  const root = document.getElementById('app')!;
  try {
    const embedded = await readEmbedded();
    const tick = root.dataset['tick'] ?? '';
    new Viewer(root, embedded).show(tick === '' ? undefined : Number(tick));
    document.documentElement.dataset['state'] = 'ready';
  } catch (error) {
    document.documentElement.dataset['state'] = 'failed';
    const text = error instanceof Error ? error.message : String(error);
    root.replaceWith(
      element(
        'div',
        { class: 'failure', role: 'alert' },
        element('h1', {}, 'This page cannot be shown'),
        element('pre', {}, text),
      ),
    );
    throw error;
  }
}

void open();
