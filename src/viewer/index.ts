/**
 * Pages that show a play, in a browser: the stage, its tools, a journal with time line and questions, and the desk of a
 * player.
 */

// A page and its elements.
export { openPage } from './open-page.ts';
export { button, element, type Markup, markup, setText } from './element.ts';
export { adoptStyle } from './style.ts';
export { toggleTheme } from './theme.ts';
export { Tabs } from './tabs.ts';
export { KeyHelp } from './key-help.ts';
export { attributeText, idButton, note, section } from './details.ts';

// The stage and what it shows.
export { Stage } from './stage.ts';
export { StageTools } from './stage-tools.ts';
export { type KeyBinding, type KeyBindings, viewKeys, zoomKeys } from './view-keys.ts';
export type { Bar, Figure, FloatingText, Ground, Scene, SceneArea } from './scene.ts';
export { SimulationScene } from './simulation-scene.ts';
export { groundOf } from './ground.ts';
export { Looks, shareOf } from './looks.ts';
export { LegendStrip } from './legend-strip.ts';

// The player of a journal, and its parts.
export { type ServerTime, Viewer, type ViewerSource } from './viewer.ts';
export { readEmbedded } from './embedded.ts';
export { Playback } from './playback.ts';
export { Watch } from './watch.ts';
export type { History } from './history.ts';
export { type Mark, marksIn, Timeline } from './timeline.ts';
export { TickGraph } from './tick-graph.ts';
export { type JournalTab, journalTabs } from './journal-tabs.ts';
export { journalContent } from './panels.ts';
export { gameTexts } from './damage.ts';
export type { Finding, SearchQuery } from './search.ts';
export { SearchBox } from './search-box.ts';

// The desk of a player.
export { type DeskInput, PlayerDesk } from './play/player-desk.ts';
export type { PlayerEvent, PlayerInput } from './play/player-input.ts';
export { type ShopView, shopViewOf } from './play/shop-view.ts';
export type { Carried } from './play/slots.ts';

// Loaded when somebody asks about a moment, or searches.
export { loadHistory, loadSearch } from './on-demand.ts';
