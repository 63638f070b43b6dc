import { isSafeUrl } from '../../rules/client/address.ts';
import { restylePage, showUiText, type UiTextOp } from '../../rules/client/ui.ts';
import { changes, enables, tells } from '../../rules/effects.ts';
import { colorLabel } from '../../rules/entities/appearance.ts';
import { closeDialogue, openDialogue } from '../../rules/players/dialogue.ts';
import { type Entity, EntityRef, noEntity } from '../../world/entity.ts';
import type { DetailsOf, OutputKind } from '../../world/outbox.ts';
import { type About, action, acts, compiledAction, family, publishes } from '../op.ts';
import type { Operands } from '../param-kind.ts';
import * as P from '../params.ts';
import type { Evaluate, ScriptContext } from '../running/context.ts';
import { toText } from '../running/value.ts';

/**
 * The user interface of players. Changes are published; the game stores only what scripts can query or what must be
 * sent again.
 */

// The following functions declare actions that publish events for one player.

function postToPlayer<K extends OutputKind>(about: About, kind: K, details: DetailsOf<K>) {
  return publishes(about, kind, { player: P.player }, () => details);
}

function askPlayer(about: About, dismissible: boolean) {
  return publishes(
    about,
    'ui.modal',
    { player: P.player, inputLabel: P.text },
    ({ inputLabel }) => ({ modal: 'input', label: inputLabel, dismissible }),
    enables('customInput'),
  );
}

function showAddress(about: About, modal: 'website' | 'openWebsite') {
  return publishes(about, 'ui.modal', { player: P.player, string: P.text }, ({ string: url }, { world }) => {
    if (isSafeUrl(url)) return { modal, url };
    world.fault('wrong-value', `"${url.slice(0, 80)}" is not a URL that clients may open: use https, http or mailto.`);
    return undefined;
  });
}

// The following functions declare actions that change text areas of the screen.

const screenArea = P.named(P.text, 'screen area');

function textForEveryone(about: About, op: UiTextOp) {
  return action(
    about,
    { target: screenArea, value: op === 'update' ? P.text : P.optional(P.text) },
    ({ game }, { target, value: text }) => showUiText(game, { op, target, text }),
    ...(op === 'update' ? [changes('look')] : []),
    tells('ui.text'),
  );
}

function textForPlayer(about: About, op: UiTextOp) {
  return action(
    about,
    { target: screenArea, value: op === 'update' ? P.text : P.optional(P.text), entity: P.player },
    ({ game }, { target, value: text, entity: player }) => showUiText(game, { op, target, text, player }),
    tells('ui.text', 'entity'),
  );
}

// The following functions declare actions that change elements of the page.

/** The id of an element and the player on whose page it is; undefined if either is missing. */
function elementOf(
  context: ScriptContext,
  elementId: (context: ScriptContext) => string | undefined,
  player: (context: ScriptContext) => Entity,
): { readonly elementId: string; readonly to: { readonly player: Entity } } | undefined {
  const id = elementId(context);
  const to = player(context);
  return id === undefined || id === '' || to === noEntity ? undefined : { elementId: id, to: { player: to } };
}

function showElement(about: About, op: 'show' | 'hide') {
  return publishes(about, 'ui.element', { elementId: P.text, player: P.player }, ({ elementId }) =>
    elementId === '' ? undefined : { op, elementId },
  );
}

function changeClass(about: About, op: 'addClass' | 'removeClass') {
  return compiledAction(
    about,
    { className: P.optional(P.text), elementId: P.text, player: P.player },
    ({ className, elementId, player }) =>
      (context) => {
        const element = elementOf(context, elementId, player);
        if (element !== undefined)
          context.world.post('ui.element', { op, className: className(context) ?? '', ...element });
      },
    tells('ui.element', 'player'),
  );
}

// The following functions declare actions that change how units look to one player.

function unitForPlayer(about: About, kind: 'entity.visibility' | 'entity.label', op: string) {
  return publishes(about, kind, { entity: P.unit, player: P.player }, ({ entity }, { world }) => ({
    op,
    unitId: world.ref(entity)?.id,
  }));
}

/** A colour name or a hexadecimal colour. */
const colour = /^(?:#[0-9a-f]{3,8}|[a-z]+)$/i;

/** The text that floats; shown even if the operand has no value (reference: operations#createfloatingtext). */
const shownText = P.named(P.any, 'text');
const textAtPosition = { position: P.position, text: shownText, color: P.optional(P.text) };

function floatingText(
  { position, text, color }: Operands<typeof textAtPosition>,
  duration?: Evaluate<number | undefined>,
) {
  return (context: ScriptContext) => {
    const at = position(context);
    if (at === undefined) return;
    context.world.post('ui.floatingText', {
      mode: duration ? 'dynamic' : 'world',
      text: toText(text(context)),
      color: color(context) ?? 'white',
      position: { x: at.x, y: at.y },
      ...(duration && { durationMs: duration(context) ?? 0 }),
      to: 'everyone',
    });
  };
}

/** Changes the style sheet that scripts set for a player. */
function restyle(about: About, op: 'append' | 'replace') {
  return action(
    about,
    { value: P.text, player: P.player },
    ({ game }, { value, player }) => restylePage(game, player, op, value),
    changes('page', 'player'),
    tells('ui.style', 'player'),
  );
}

export const uiActions = family('ui', {
  showUiTextForEveryone: textForEveryone(
    {
      sentence: 'Shows text in an area of the screen (`top`, `center-lg`, `scoreboard`) to all players.',
      example: { target: 'top' },
    },
    'show',
  ),
  hideUiTextForEveryone: textForEveryone('Hides the text in an area of the screen from all players.', 'hide'),
  updateUiTextForEveryone: textForEveryone('Updates the text in an area of the screen for all players.', 'update'),
  showUiTextForPlayer: textForPlayer('Shows text in an area of the screen to one player.', 'show'),
  hideUiTextForPlayer: textForPlayer('Hides the text in an area of the screen from one player.', 'hide'),
  updateUiTextForPlayer: textForPlayer('Updates the text in an area of the screen for one player.', 'update'),
  /**
   * The text is shown to everyone if the action has no operand `player`; computer players see nothing. `time` is in ms;
   * if it is 0 or less, the text stays until it is replaced.
   */
  updateUiTextForTimeForPlayer: compiledAction(
    'Shows text in an area of the screen for `time` ms, to one player or to all players.',
    { target: screenArea, value: P.text, player: P.optional(P.any), time: P.optional(P.ms) },
    ({ target, value, player, time }) =>
      (context) => {
        const area = target(context);
        const text = value(context);
        if (area === undefined || text === undefined) return;
        const ms = time(context) ?? 0;
        const timeMs = ms > 0 ? ms : undefined;
        const to = player(context);
        if (to === undefined || to === null) {
          showUiText(context.game, { op: 'updateForTime', target: area, text, timeMs });
          return;
        }
        if (!(to instanceof EntityRef) || to.kind !== 'player' || !context.world.exists(to.entity)) return;
        if (!context.world.isHuman(to.entity)) return;
        showUiText(context.game, { op: 'updateForTime', target: area, text, timeMs, player: to.entity });
      },
    tells('ui.text', 'player'),
  ),

  showUiElementForPlayer: showElement('Shows an HTML element to a player.', 'show'),
  hideUiElementForPlayer: showElement('Hides an HTML element from a player.', 'hide'),
  addClassToUIElement: changeClass('Adds a CSS class to an HTML element for a player.', 'addClass'),
  removeClassFromUIElement: changeClass('Removes a CSS class from an HTML element for a player.', 'removeClass'),
  setUIElementHtml: compiledAction(
    'Sets the content of an HTML element for a player.',
    { htmlStr: P.optional(P.text), elementId: P.text, player: P.player },
    ({ htmlStr, elementId, player }) =>
      (context) => {
        const element = elementOf(context, elementId, player);
        if (element === undefined) return;
        context.world.post('ui.element', { op: 'setHtml', html: htmlStr(context) ?? '', ...element });
      },
    tells('ui.element', 'player'),
  ),
  setUIElementProperty: compiledAction(
    {
      sentence: 'Sets a property of an HTML element for a player.',
      operands: { key: 'The name of the property of the HTML element.' },
    },
    { key: P.text, elementId: P.text, value: P.any, player: P.faultIfMissing(P.player) },
    ({ key, elementId, value, player }) =>
      (context) => {
        const property = key(context);
        const element = elementOf(context, elementId, player);
        if (property === undefined || element === undefined) return;
        const text = value(context);
        const shown = typeof text === 'string' ? text : '';
        context.world.post('ui.element', { op: 'setProperty', key: property, value: shown, ...element });
      },
    tells('ui.element', 'player'),
  ),
  appendRealtimeCSSForPlayer: restyle("Adds rules to a player's style sheet.", 'append'),
  updateRealtimeCSSForPlayer: restyle("Replaces the rules that scripts added to a player's style sheet.", 'replace'),

  showInputModalToPlayer: askPlayer('Asks a player to enter text. The answer fires `playerCustomInput`.', false),
  showDismissibleInputModalToPlayer: askPlayer('Asks a player to enter text, in a window that can be closed.', true),
  showCustomModalToPlayer: compiledAction(
    'Shows a window with HTML to a player.',
    { player: P.player, htmlContent: P.text, title: P.optional(P.text) },
    ({ player, htmlContent, title }) =>
      (context) => {
        const to = player(context);
        const html = htmlContent(context);
        if (to === noEntity || html === undefined) return;
        context.world.post('ui.modal', {
          modal: 'custom',
          title: title(context) ?? '',
          content: html,
          dismissible: true,
          to: { player: to },
        });
      },
    tells('ui.modal', 'player'),
  ),
  showWebsiteModalToPlayer: showAddress('Shows a web page to a player in a window of the game.', 'website'),
  openWebsiteForPlayer: showAddress('Opens a web page for a player.', 'openWebsite'),
  showSocialShareModalToPlayer: postToPlayer('Asks the platform to show its share dialog to a player.', 'ui.modal', {
    modal: 'socialShare',
    dismissible: true,
  }),
  showInviteFriendsModal: postToPlayer('Asks the platform to show its invite dialog to a player.', 'ui.modal', {
    modal: 'friends',
    dismissible: true,
  }),

  showMenu: postToPlayer('Shows the menu to a player.', 'ui.menu', { op: 'show' }),
  showMenuAndSelectCurrentServer: postToPlayer('Shows the menu to a player, with this server selected.', 'ui.menu', {
    op: 'showAndSelectCurrentServer',
  }),
  showMenuAndSelectBestServer: postToPlayer('Shows the menu to a player, with the best server selected.', 'ui.menu', {
    op: 'showAndSelectBestServer',
  }),
  showGameSuggestionsForPlayer: postToPlayer('Asks the platform to suggest other games to a player.', 'ui.menu', {
    op: 'showGameSuggestions',
  }),
  hideGameSuggestionsForPlayer: postToPlayer('Hides the suggested games from a player.', 'ui.menu', {
    op: 'hideGameSuggestions',
  }),
  openBackpackForPlayer: postToPlayer('Opens the backpack of a player.', 'ui.backpack', { op: 'open' }),
  closeBackpackForPlayer: postToPlayer('Closes the backpack of a player.', 'ui.backpack', { op: 'close' }),

  openDialogueForPlayer: action(
    'Opens a dialogue for a player. The script of an option runs when the player chooses the option.',
    { dialogue: P.dialogue, player: P.player },
    (context, { dialogue: id, player }) => {
      if (!openDialogue(context.game, player, id))
        context.world.fault('no-such-reference', `There is no dialogue "${id}".`);
    },
    changes('page', 'player', { to: 'dialogue' }),
    tells('ui.dialogue', 'player'),
    enables('dialogueOption'),
  ),
  closeDialogueForPlayer: acts(
    'Closes the dialogue of a player.',
    { player: P.player },
    closeDialogue,
    changes('page', 'player'),
    tells('ui.dialogue', 'player'),
  ),

  createFloatingText: compiledAction(
    'Shows floating text at a position for a moment.',
    textAtPosition,
    (given) => floatingText(given),
    tells('ui.floatingText'),
  ),
  /** `duration` is in ms. If it is 0, the client decides how long to show the text. */
  createDynamicFloatingText: compiledAction(
    'Shows floating text at a position for `duration` ms.',
    { ...textAtPosition, duration: P.optional(P.ms) },
    (given) => floatingText(given, given.duration),
    tells('ui.floatingText'),
  ),
  setFadingTextOfUnit: compiledAction(
    'Shows floating text above a unit for a moment.',
    { unit: P.unit, text: shownText, color: P.optional(P.text) },
    ({ unit, text, color }) =>
      (context) => {
        const of = unit(context);
        if (of === noEntity) return;
        context.world.post('ui.floatingText', {
          mode: 'unit',
          unitId: context.world.ref(of)?.id,
          text: toText(text(context)),
          color: color(context) ?? 'white',
          to: 'everyone',
        });
      },
    tells('ui.floatingText'),
  ),

  hideUnitFromPlayer: unitForPlayer('Hides a unit from one player.', 'entity.visibility', 'hideUnit'),
  showUnitToPlayer: unitForPlayer('Shows a hidden unit to one player.', 'entity.visibility', 'showUnit'),
  hideUnitNameLabelFromPlayer: unitForPlayer(
    'Hides the name label of a unit from one player.',
    'entity.label',
    'hideLabel',
  ),
  showUnitNameLabelToPlayer: unitForPlayer(
    'Shows the name label of a unit to one player.',
    'entity.label',
    'showLabel',
  ),
  setUnitNameLabelColor: action(
    'Sets the colour of the name label of a unit for all players.',
    { unit: P.unit, color: P.text },
    (context, { unit, color }) => {
      if (isColour(context, color)) colorLabel(context.game, unit, color);
    },
    changes('look', 'unit', { to: 'color' }),
    tells('entity.label'),
  ),
  setUnitNameLabelColorForPlayer: publishes(
    'Sets the colour of the name label of a unit for one player.',
    'entity.label',
    { unit: P.faultIfMissing(P.unit), color: P.text, player: P.faultIfMissing(P.player) },
    ({ unit, color }, context) =>
      isColour(context, color) ? { op: 'color', unitId: context.world.ref(unit)?.id, color } : undefined,
  ),
  showUnitInPlayerMinimap: publishes(
    'Shows a unit in a given colour on the minimap of a player.',
    'ui.minimap',
    { unit: P.unit, player: P.player, color: P.text },
    ({ unit, color }, { world }) => ({ op: 'show', unitId: world.ref(unit)?.id, color }),
  ),
  hideUnitInPlayerMinimap: compiledAction(
    'Hides a unit on the minimap of a player.',
    // Editors also write a colour, which no engine uses.
    { unit: P.unit, player: P.player, color: P.optional(P.any) },
    ({ unit, player }) =>
      (context) => {
        const of = unit(context);
        const to = player(context);
        if (of === noEntity || to === noEntity) return;
        context.world.post('ui.minimap', { op: 'hide', unitId: context.world.ref(of)?.id, to: { player: to } });
      },
    tells('ui.minimap', 'player'),
  ),
});

function isColour(context: ScriptContext, text: string) {
  if (colour.test(text)) return true;
  context.world.fault('wrong-value', `"${text}" is not a colour such as "red" or "#ff0000".`);
  return false;
}
