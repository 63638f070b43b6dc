import type { Severity } from '../../engine/index.ts';
import type {
  Action,
  Carried,
  Cue,
  Finding,
  Ground,
  HudContent,
  JournalTab,
  Markup,
  PhonePlaces,
  PlayerEvent,
  PlayerInput,
  Scene,
  SearchQuery,
  ShopView,
} from '../viewer/index.ts';
import type { Beginning, Order } from './live-play.ts';

/*
 * The messages between the page and its worker. The page sends requests; the worker answers each request once, and
 * reports its progress meanwhile.
 */

/** The bytes of a file, which may be compressed, or its text. */
export type GameDocument = Uint8Array | string;

/** The game to open, and how to play it. */
export interface Opening {
  readonly document: GameDocument;
  readonly beginning: Beginning;
  readonly bots: number;
  /** An earlier play to repeat up to this tick. */
  readonly repeat?: { readonly orders: readonly Order[]; readonly tick: number } | undefined;
}

/** An issue with its location in the text. Lines and columns count from 1. */
export interface LocatedProblem {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The range that the editor underlines, in characters from the start of the text. */
  readonly from: number;
  readonly to: number;
}

/** The problems of a document. */
export interface Problems {
  readonly problems: readonly LocatedProblem[];
  /** The total number of problems, including those that are not listed. */
  readonly counts: Readonly<Record<Severity, number>>;
}

/** The result of opening a document. */
export interface Opened {
  /** The text of the document; `''` if not even the text could be read. */
  readonly text: string;
  /** The reasons why the document cannot be played. */
  readonly problems: readonly LocatedProblem[];
  /** The number of errors in a document that can be played, found without checking its scripts. */
  readonly errors: number;
  /** The game; undefined for a document that cannot be played. */
  readonly game: OpenedGame | undefined;
}

export interface OpenedGame {
  readonly title: string | undefined;
  readonly rate: number;
  readonly version: string;
  /** The keys that have an effect on at least one unit type. */
  readonly keys: readonly string[];
  /** The initial zoom of the definition's camera. */
  readonly zoom: number | undefined;
  /** The names of variables with the regions in which the game opens a shop. */
  readonly shopRegions: readonly string[];
}

/** A proposal of the editor, and the text that replaces the characters from `from` to `to`. */
export interface Completion {
  readonly label: string;
  readonly detail: string | undefined;
  readonly about: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Hover {
  readonly markdown: string;
  readonly from: number;
  readonly to: number;
}

export interface TextCursor {
  readonly text: string;
  readonly offset: number;
}

/** The text of a scenario file, and that of the game that it is about. */
export interface ScenarioText {
  readonly text: string;
  readonly game: string;
}

/** A request for what the page shows, sent at most once per animation frame. */
export interface FrameRequest {
  readonly isPlaying: boolean;
  /** The real time since the last frame, multiplied by the speed, ms. */
  readonly dueMs: number;
  readonly tab: JournalTab;
  readonly selected: string | undefined;
  /** The script whose text the list of scripts shows, as `scripts/KEY`. */
  readonly script: string | undefined;
  /** The path of the action chosen in that script. */
  readonly line: string | undefined;
  /**
   * `value` is the expression that the tab “Value” explains. `opened` contains the values that its writes have read and
   * whose explanations the user has opened.
   */
  readonly value: string | undefined;
  readonly opened: readonly string[];
  /** Whether to send lists and hash as well, which takes longer. */
  readonly wantsLists: boolean;
}

/** A moment of the play as the page shows it. */
export interface Shot {
  readonly tick: number;
  readonly startTick: number;
  readonly lastTick: number;
  readonly seconds: number;
  /** Whether the page shows the newest tick rather than an earlier one. */
  readonly isNewest: boolean;
  readonly isEnded: boolean;
  /** The warning about a state that has become large; `''` if it has not. */
  readonly warning: string;
  /** `ground` is undefined if the map has not changed since the last shot. */
  readonly scene: Omit<Scene, 'ground'> & { readonly ground: Ground | undefined };
  readonly you: You | undefined;
  /** Output events for everybody or for the person's player since the last shot. */
  readonly told: readonly ToldEvent[];
  /** The sounds that the person who plays hears. */
  readonly cues: readonly Cue[];
  readonly lists: Lists | undefined;
}

export interface Lists {
  readonly panel: readonly Markup[];
  /** Whether the panel will have more to show later, although nothing else changes. */
  readonly isReading: boolean;
  readonly hash: string;
  readonly isAsRecorded: boolean | undefined;
  readonly faults: number;
  readonly hud: HudContent;
  readonly areas: readonly (readonly [area: string, html: string])[];
}

/** The location of an action at which stepping stopped. */
export interface ActionLocation {
  readonly tick: number;
  /** The script, as `scripts/KEY`, and the path of the action in it. */
  readonly script: string;
  readonly line: string;
}

/** The player that the person controls. */
export interface You {
  /** The player's unit with the name of its type, if there is one now. */
  readonly unit: { readonly id: string; readonly kind: string } | undefined;
  readonly carried: Carried;
  /** What the held item lacks, so that it cannot be used; empty if nothing is missing. */
  readonly shortage: string;
  /** The actions of the unit's keys, besides walking. */
  readonly actions: readonly Action[];
  readonly places: PhonePlaces;
}

export interface ToldEvent extends PlayerEvent {
  /** The name of the player who sent the message. */
  readonly from?: string | undefined;
  readonly shop?: ShopView | undefined;
}

/** The results of running a scenario file. */
export interface ScenarioRun {
  /** The reasons why the file could not be run. If there are any, there are no results. */
  readonly problems: readonly LocatedProblem[];
  readonly results: readonly ScenarioResult[];
}

export interface ScenarioResult {
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly note: string | undefined;
  /** The line of the failed step, or else of the scenario. */
  readonly line: number | undefined;
  readonly simulatedSeconds: number;
  readonly wallMs: number;
  /** An explanation of the failure: values, changes, scripts that ran, events. */
  readonly story: string | undefined;
  /** An SVG of the moment of the failure; `''` if there is none. */
  readonly picture: string;
}

/** Everything that a link needs to repeat the play. */
export interface PlayState {
  readonly beginning: Beginning;
  readonly orders: readonly Order[];
  readonly tick: number;
  readonly hash: string;
}

/** A request: its parameters, and what the worker answers. */
interface Ask<Params, Answered> {
  readonly params: Params;
  readonly answer: Answered;
}

/** The requests of the page, with the parameters and the answer of each. */
export interface Requests {
  readonly open: Ask<Opening, Opened>;
  readonly frame: Ask<FrameRequest, Shot>;
  readonly seek: Ask<{ readonly tick: number }, void>;
  /** Goes to the next or previous action, which may be in another tick; null if there is none. */
  readonly stepAction: Ask<{ readonly direction: 1 | -1 }, ActionLocation | null>;
  /** Continues from the tick that is shown, and discards all later ticks. */
  readonly branch: Ask<null, void>;
  /** Takes over the player of the selected unit; if none is selected, any player that has a unit. */
  readonly take: Ask<{ readonly selected: string | undefined }, void>;
  readonly give: Ask<null, void>;
  /** An input of the person who plays; ignored while the bots play alone. */
  readonly input: Ask<PlayerInput, void>;
  readonly search: Ask<SearchQuery, Finding>;
  readonly state: Ask<null, PlayState>;
  readonly complete: Ask<TextCursor, readonly Completion[]>;
  readonly hover: Ask<TextCursor, Hover | null>;
  readonly check: Ask<{ readonly text: string }, Problems>;
  readonly journal: Ask<null, Uint8Array>;
  /**
   * A scenario file that replays the journal and expects its final state. Game and journal are saved in the same
   * folder.
   */
  readonly scenario: Ask<{ readonly game: string; readonly journalFile: string }, string>;
  readonly checkScenarios: Ask<ScenarioText, readonly LocatedProblem[]>;
  readonly completeScenario: Ask<ScenarioText & { readonly offset: number }, readonly Completion[]>;
  readonly hoverScenario: Ask<TextCursor, Hover | null>;
  readonly runScenarios: Ask<ScenarioText, ScenarioRun>;
}
export type RequestKind = keyof Requests;

export interface Request<K extends RequestKind = RequestKind> {
  readonly id: number;
  readonly kind: K;
  readonly params: Requests[K]['params'];
}

export type Answer =
  | { readonly id: number; readonly answer: unknown }
  /** `isEnd`: the page must end the worker, because its game takes too much memory. */
  | { readonly id: number; readonly error: string; readonly isEnd: boolean }
  /** The progress of a request, from 0 to 1, and a text about what is being done. */
  | { readonly id: number; readonly progress: number; readonly doing: string };
