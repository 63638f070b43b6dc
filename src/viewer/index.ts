/**
 * Pages that show a play in a browser: the stage and its tools, a journal with its time line and questions about it,
 * and the controls and windows of a person who plays.
 */

// A page and its elements.
export { openPage } from './parts/open-page.ts';
export {
  button,
  element,
  formOf,
  type Markup,
  markup,
  saveFile,
  setText,
  textButton,
} from './parts/element.ts';
export { adoptStyle } from './parts/style.ts';
export { toggleTheme } from './parts/theme.ts';
export { Tabs } from './parts/tabs.ts';
export { type GameKeys, KeyHelp } from './parts/key-help.ts';
export { attributeText, entityList, idButton, note, section, tableRow } from './panels/details.ts';

// The stage, and what it shows.
export { Stage } from './drawing/stage.ts';
export { StageTools } from './drawing/stage-tools.ts';
export { type KeyBinding, type KeyBindings, viewKeys, zoomKeys } from './parts/view-keys.ts';
export type { Bar, Figure, FloatingText, Ground, Scene, SceneArea } from './drawing/scene.ts';
export { Effects } from './drawing/effects.ts';
export { SimulationScene } from './drawing/simulation-scene.ts';
export { groundOf } from './drawing/ground.ts';
export { isFileAllowed } from './drawing/images.ts';
export { Looks, shareOf } from './drawing/looks.ts';
export { LegendStrip } from './drawing/legend-strip.ts';

// The page that replays a journal, and its parts.
export { Viewer } from './viewer.ts';
export { PlayView } from './play-view.ts';
export { readEmbedded } from './embedded.ts';
export { Playback } from './time/playback.ts';
export { Watch } from './time/watch.ts';
export type { History } from './time/history.ts';
export { type JournalTab, journalTabs } from './panels/journal-tabs.ts';
export { journalContent } from './panels/journal-panels.ts';
export { gameTexts } from './drawing/damage.ts';
export type { Finding, SearchQuery } from './time/search.ts';

// Sound.
export { type Cue, SoundCues } from './sound/sound-cues.ts';
export { Speaker } from './sound/speaker.ts';

// The controls and windows of a person who plays.
export { type Action, actionsOf, type PhonePlaces, phonePlacesOf } from './play/actions.ts';
export { gameKeysOf } from './play/game-keys.ts';
export { type HudContent, hudContent } from './play/hud.ts';
export { Intro, isTouched } from './play/intro.ts';
export { type DeskInput, PlayerDesk } from './play/player-desk.ts';
export type { PlayerEvent, PlayerInput } from './play/player-input.ts';
export { type ShopView, shopViewOf } from './play/shop-view.ts';
export { type Carried, carriedOf, itemText, shortageOf } from './play/slots.ts';

// Loaded when the user asks about a moment, searches, or invites others.
export { loadHistory, loadQrCode, loadSearch } from './on-demand.ts';
