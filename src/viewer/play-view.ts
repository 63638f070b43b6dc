import { layerMenu } from './drawing/layer-menu.ts';
import { LegendStrip } from './drawing/legend-strip.ts';
import { Stage } from './drawing/stage.ts';
import { StageTools } from './drawing/stage-tools.ts';
import type { JournalTab } from './panels/journal-tabs.ts';
import { SearchBox } from './panels/search-box.ts';
import { button, element } from './parts/element.ts';
import { type GameKeys, KeyHelp } from './parts/key-help.ts';
import { Tabs } from './parts/tabs.ts';
import { toggleTheme } from './parts/theme.ts';
import { type KeyBindings, viewKeys } from './parts/view-keys.ts';
import type { Finding, SearchQuery } from './time/search.ts';
import { Timeline } from './time/timeline.ts';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;

interface ViewOptions {
  /** The labels of the lists, and the list that is shown first. */
  readonly tabs: Partial<Record<JournalTab, string>>;
  readonly first: JournalTab;
  /** An element above the lists. */
  readonly listTools?: HTMLElement;
}

/** The parts that a page adds to the common ones. */
interface Layout {
  readonly title: string;
  readonly about: string;
  /** Elements in the header: before the title, and after the search. */
  readonly lead?: readonly HTMLElement[];
  readonly acts?: readonly HTMLElement[];
  /** The elements on the map below the view's buttons, and then those above the buttons. */
  readonly map: readonly HTMLElement[];
  readonly overMap?: readonly HTMLElement[];
  /** Elements below the legend. */
  readonly deck?: readonly HTMLElement[];
  readonly side: HTMLElement;
  readonly windows?: readonly HTMLElement[];
}

/**
 * The screen of a play: stage, time line, lists, search and keys. Subclasses supply the play, which may be simulated in
 * the page or elsewhere.
 */
export abstract class PlayView {
  readonly stage = new Stage({ select: (id) => this.visit(() => this.select(id)), moved: () => this.tools.show() });
  protected readonly tools = new StageTools(this.stage, { fit: '0', follow: 'F' }, layerMenu(this.stage));
  protected readonly timeline: Timeline;
  protected readonly panels: Tabs<JournalTab>;
  protected readonly search: SearchBox;
  protected readonly legend = new LegendStrip();
  protected readonly banner = element('div.banner', { role: 'status', hidden: true });
  protected readonly keys: KeyBindings;
  protected readonly help: KeyHelp;
  protected isPlaying = false;
  /**
   * The expression that the tab “Value” shows, and the values that its writes read and whose explanations the user has
   * opened.
   */
  protected value: string | undefined;
  protected readonly opened = new Set<string>();
  /** The script whose text is shown, as `scripts/KEY`, and the path of the action that was chosen in it. */
  protected script: string | undefined;
  protected line: string | undefined;
  private speedIndex = speeds.indexOf(1);
  private soughtTick: number | undefined;

  constructor({ tabs, first, listTools }: ViewOptions) {
    this.timeline = new Timeline({
      seek: (tick) => this.seekSoon(tick),
      step: (ticks) => this.step(ticks),
      toggle: () => this.toggle(),
      changeSpeed: (direction) => this.changeSpeed(direction),
    });
    this.panels = new Tabs<JournalTab>(tabs, first, {
      select: (id) => this.visit(() => this.select(id)),
      open: (tab) => this.visit(() => this.openTab(tab)),
      ...(listTools && { tools: listTools }),
    });
    this.panels.root.addEventListener('click', ({ target }) => {
      const link = (target as HTMLElement).closest<HTMLElement>('button')?.dataset;
      if (link !== undefined) this.visit(() => this.followLink(link));
    });
    this.search = new SearchBox({
      search: (query, report) => this.find(query, report),
      now: () => this.tick,
      found: (tick) => this.visit(() => this.seek(tick)),
      why: (text) => this.visit(() => this.explain(text)),
    });
    const stride = ({ shiftKey }: Pick<KeyboardEvent, 'shiftKey'>) => (shiftKey ? Math.round(this.rate) : 1);
    this.keys = {
      ' ': { description: 'play or pause', run: () => this.toggle() },
      ArrowLeft: { description: 'one tick back (with Shift: one second)', run: (event) => this.step(-stride(event)) },
      ArrowRight: {
        description: 'one tick forward (with Shift: one second)',
        run: (event) => this.step(stride(event)),
      },
      Home: { description: 'go to the beginning', run: () => this.step(-Infinity) },
      End: { description: 'go to the end', run: () => this.step(Infinity) },
      '[': { description: 'slower', run: () => this.changeSpeed(-1) },
      ']': { description: 'faster', run: () => this.changeSpeed(1) },
      '/': { description: 'search', run: () => this.search.input.focus() },
      ',': { description: 'the previous action, even in an earlier tick', run: () => this.stepAction(-1) },
      '.': { description: 'the next action, even in a later tick', run: () => this.stepAction(1) },
      ...viewKeys(this.tools, {
        select: (id) => this.select(id),
        units: () => this.units(),
      }),
      Escape: { description: 'clear the selection', run: () => this.select(undefined) },
      '?': { description: 'show keyboard shortcuts', run: () => this.help.open() },
      ...this.ownKeys(),
    };
    this.help = new KeyHelp(
      () => this.keysNow,
      () => this.gameKeys,
    );
  }

  /** The tick that is shown. */
  protected abstract get tick(): number;
  /** Ticks per second. */
  protected abstract get rate(): number;
  protected abstract units(): readonly string[];
  protected abstract toggle(): void;
  /** Goes to a tick, and pauses there. */
  protected abstract seek(tick: number): void;
  protected abstract step(ticks: number): void;
  /** Goes to the next or previous action, which may be in another tick, and shows it in the text of its script. */
  protected abstract stepAction(direction: 1 | -1): void;
  /** Searches for a tick. Returns a function that stops the search. */
  protected abstract find(query: SearchQuery, report: (finding: Finding) => void): () => void;
  /** Draws everything again, because something other than the time has changed. */
  protected abstract refresh(): void;

  /** The key bindings in effect, for subclasses. */
  protected get keysNow(): KeyBindings {
    return this.keys;
  }

  /** The game's keys while a person plays; otherwise undefined. */
  protected get gameKeys(): GameKeys | undefined {
    return undefined;
  }

  /** Additional keys of the page. */
  protected ownKeys(): KeyBindings {
    return {};
  }

  /**
   * Performs an action of the user, such as opening a tab. A subclass may add the new view to the browser's history.
   */
  protected visit(act: () => void) {
    act();
  }

  /** Adds a value to the plots on the time line, or removes it. */
  protected watchValue(_expression: string) {}

  protected get speed(): number {
    return speeds[this.speedIndex]!;
  }

  protected lay(root: HTMLElement, layout: Layout) {
    const { title, about, lead = [], acts = [], map, overMap = [] } = layout;
    const theme = button('◐', 'Switch between light and dark', 'T', () => toggleTheme(this.stage));
    root.replaceChildren(
      element(
        'header',
        ...lead,
        element('h1', title),
        element('span.about', about),
        this.search.root,
        ...acts,
        this.help.button,
        theme,
      ),
      element(
        'main.stage',
        element('div.view', ...map, this.banner, this.tools.root, ...overMap),
        this.legend.root,
        ...(layout.deck ?? []),
      ),
      this.timeline.root,
      layout.side,
      ...(layout.windows ?? []),
      this.help.root,
    );
  }

  /** Shows a message on the stage; an empty one hides it. */
  say(text: string, ...more: readonly (Node | string)[]) {
    this.banner.hidden = text === '';
    this.banner.replaceChildren(text, ...more);
  }

  protected select(id: string | undefined) {
    const { stage } = this;
    stage.selectedId = id;
    if (id === undefined && stage.anchor === undefined) stage.follows = false;
    this.tools.show();
    if (id === undefined) this.refresh();
    else this.openTab('entity');
  }

  protected openTab(tab: JournalTab) {
    this.panels.choose(tab);
    this.refresh();
  }

  protected openValue(value: string) {
    this.value = value;
    this.openTab('value');
  }

  /** Shows an action at which stepping stopped. */
  protected showAction(script: string, line: string) {
    Object.assign(this, { script, line });
    this.panels.choose('scripts');
  }

  private explain(value: string) {
    this.isPlaying = false;
    this.openValue(value);
  }

  /** Follows a link of the lists. `Tabs` handles the ids of entities. */
  private followLink({ tick, value, script, line, watch, open, step }: DOMStringMap) {
    if (watch !== undefined) this.watchValue(watch);
    if (step !== undefined) this.stepAction(step === '1' ? 1 : -1);
    if (open !== undefined && !this.opened.delete(open)) this.opened.add(open);
    if (value !== undefined) this.value = value;
    if (script !== undefined) Object.assign(this, { script: script === '' ? undefined : script, line: undefined });
    if (line !== undefined) this.line = line;
    if (value !== undefined) this.panels.choose('value');
    else if (script !== undefined || line !== undefined) this.panels.choose('scripts');
    if (tick !== undefined) this.seek(Number(tick));
    else if ([value, script, line, open].some((each) => each !== undefined)) this.refresh();
  }

  /** A slider emits more seeks than can be simulated, so only the last one before each frame is performed. */
  private seekSoon(tick: number) {
    this.isPlaying = false;
    const isWaiting = this.soughtTick !== undefined;
    this.soughtTick = tick;
    if (isWaiting) return;
    requestAnimationFrame(() => {
      const sought = this.soughtTick;
      this.soughtTick = undefined;
      if (sought !== undefined) this.seek(sought);
    });
  }

  private changeSpeed(direction: 1 | -1) {
    this.speedIndex = Math.min(speeds.length - 1, Math.max(0, this.speedIndex + direction));
    this.refresh();
  }
}
