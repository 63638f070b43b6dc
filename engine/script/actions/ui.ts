import { isHarmlessAddress } from '../../rules/client/address.ts';
import { restylePage, showUiText, type UiTextOp } from '../../rules/client/ui.ts';
import { colorLabel } from '../../rules/entities/appearance.ts';
import { closeDialogue, openDialogue } from '../../rules/players/dialogue.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import type { DetailsOf, OutputKind } from '../../world/outbox.ts';
import type { ScriptContext } from '../context.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';
import { toText } from '../values.ts';

/** The screens of players. The game publishes it; it remembers only what it can be asked about or has to repeat. */

// One event to one player.

function postToPlayer<K extends OutputKind>(kind: K, details: DetailsOf<K>) {
  return action({
    status: 'output',
    params: { player: P.player },
    compile:
      ({ player }) =>
      (context) => {
        const to = player(context);
        if (to !== noEntity) context.world.post(kind, { ...details, to: { player: to } });
      },
  });
}

function askPlayer(dismissible: boolean) {
  return action({
    status: 'output',
    params: { player: P.player, inputLabel: P.text },
    compile:
      ({ player, inputLabel }) =>
      (context) => {
        const to = player(context);
        const label = inputLabel(context);
        if (to === noEntity || label === undefined) return;
        context.world.post('ui.modal', { modal: 'input', label, dismissible, to: { player: to } });
      },
  });
}

function showAddress(modal: 'website' | 'openWebsite') {
  return action({
    status: 'output',
    params: { player: P.player, string: P.text },
    compile:
      ({ player, string }) =>
      (context) => {
        const to = player(context);
        const url = string(context);
        if (to === noEntity || url === undefined) return;
        if (isHarmlessAddress(url)) context.world.post('ui.modal', { modal, url, to: { player: to } });
        else context.world.fault('wrong-value', `"${url.slice(0, 80)}" is no address that clients may follow.`);
      },
  });
}

// Text areas.

function textForEveryone(op: UiTextOp) {
  return action({
    status: 'output',
    params: { target: P.text, value: op === 'update' ? P.text : P.optional(P.text) },
    compile:
      ({ target, value }) =>
      (context) => {
        const area = target(context);
        const text = value(context);
        if (area === undefined || (op === 'update' && text === undefined)) return;
        showUiText(context.game, { op, target: area, text });
      },
  });
}

function textForPlayer(op: UiTextOp) {
  return action({
    status: 'output',
    params: { target: P.text, value: op === 'update' ? P.text : P.optional(P.text), entity: P.player },
    compile:
      ({ target, value, entity }) =>
      (context) => {
        const area = target(context);
        const text = value(context);
        const player = entity(context);
        if (area === undefined || player === noEntity || (op === 'update' && text === undefined)) return;
        showUiText(context.game, { op, target: area, text, player });
      },
  });
}

// Elements of the page.

/** The element of a player's page; undefined when either is missing. */
function elementOf(
  context: ScriptContext,
  elementId: (context: ScriptContext) => string | undefined,
  player: (context: ScriptContext) => Entity,
): { readonly elementId: string; readonly to: { readonly player: Entity } } | undefined {
  const id = elementId(context);
  const to = player(context);
  return id === undefined || id === '' || to === noEntity ? undefined : { elementId: id, to: { player: to } };
}

function showElement(op: 'show' | 'hide') {
  return action({
    status: 'output',
    params: { elementId: P.text, player: P.player },
    compile:
      ({ elementId, player }) =>
      (context) => {
        const element = elementOf(context, elementId, player);
        if (element !== undefined) context.world.post('ui.element', { op, ...element });
      },
  });
}

function changeClass(op: 'addClass' | 'removeClass') {
  return action({
    status: 'output',
    params: { className: P.optional(P.text), elementId: P.text, player: P.player },
    compile:
      ({ className, elementId, player }) =>
      (context) => {
        const element = elementOf(context, elementId, player);
        if (element !== undefined)
          context.world.post('ui.element', { op, className: className(context) ?? '', ...element });
      },
  });
}

// Units as one player sees them.

function unitForPlayer(kind: 'entity.visibility' | 'entity.label', op: string) {
  return action({
    status: 'output',
    params: { entity: P.unit, player: P.player },
    compile:
      ({ entity, player }) =>
      (context) => {
        const unit = entity(context);
        const to = player(context);
        if (unit === noEntity || to === noEntity) return;
        const { world } = context;
        world.post(kind, { op, unitId: world.ref(unit)?.id, to: { player: to } });
      },
  });
}

/** A colour name or a hexadecimal colour. */
const colour = /^(?:#[0-9a-f]{3,8}|[a-z]+)$/i;

/** Text that floats up, also where there is nothing to say (reference: operations#createfloatingtext). */
const shownText = P.named(P.any, 'text');

/** The style sheet that scripts give a player. */
function restyle(op: 'append' | 'replace') {
  return action({
    params: { value: P.text, player: P.player },
    compile:
      ({ value, player }) =>
      (context) => {
        const css = value(context);
        const to = player(context);
        if (css !== undefined && to !== noEntity) restylePage(context.game, to, op, css);
      },
  });
}

export const uiActions = family('ui', {
  showUiTextForEveryone: textForEveryone('show'),
  hideUiTextForEveryone: textForEveryone('hide'),
  updateUiTextForEveryone: textForEveryone('update'),
  showUiTextForPlayer: textForPlayer('show'),
  hideUiTextForPlayer: textForPlayer('hide'),
  updateUiTextForPlayer: textForPlayer('update'),
  /** `player`: no value is everyone; a computer player reads nothing. `time` in ms; not above 0 is for ever. */
  updateUiTextForTimeForPlayer: action({
    status: 'output',
    params: { target: P.text, value: P.text, player: P.optional(P.any), time: P.optional(P.number) },
    compile:
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
        const { world } = context;
        if (!(to instanceof EntityRef) || to.kind !== 'player' || !world.exists(to.entity)) return;
        if (world.components.player[rowOf(to.entity)]!.controlledBy !== 'human') return;
        showUiText(context.game, { op: 'updateForTime', target: area, text, timeMs, player: to.entity });
      },
  }),

  showUiElementForPlayer: showElement('show'),
  hideUiElementForPlayer: showElement('hide'),
  addClassToUIElement: changeClass('addClass'),
  removeClassFromUIElement: changeClass('removeClass'),
  setUIElementHtml: action({
    status: 'output',
    params: { htmlStr: P.optional(P.text), elementId: P.text, player: P.player },
    compile:
      ({ htmlStr, elementId, player }) =>
      (context) => {
        const element = elementOf(context, elementId, player);
        if (element === undefined) return;
        context.world.post('ui.element', { op: 'setHtml', html: htmlStr(context) ?? '', ...element });
      },
  }),
  setUIElementProperty: action({
    status: 'output',
    params: { key: P.text, elementId: P.text, value: P.any, player: P.loud(P.player) },
    compile:
      ({ key, elementId, value, player }) =>
      (context) => {
        const property = key(context);
        const element = elementOf(context, elementId, player);
        if (property === undefined || element === undefined) return;
        const text = value(context);
        const shown = typeof text === 'string' ? text : '';
        context.world.post('ui.element', { op: 'setProperty', key: property, value: shown, ...element });
      },
  }),
  appendRealtimeCSSForPlayer: restyle('append'),
  updateRealtimeCSSForPlayer: restyle('replace'),

  showInputModalToPlayer: askPlayer(false),
  showDismissibleInputModalToPlayer: askPlayer(true),
  showCustomModalToPlayer: action({
    status: 'output',
    params: { player: P.player, htmlContent: P.text, title: P.optional(P.text) },
    compile:
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
  }),
  showWebsiteModalToPlayer: showAddress('website'),
  openWebsiteForPlayer: showAddress('openWebsite'),
  showSocialShareModalToPlayer: postToPlayer('ui.modal', { modal: 'socialShare', dismissible: true }),
  showInviteFriendsModal: postToPlayer('ui.modal', { modal: 'friends', dismissible: true }),

  showMenu: postToPlayer('ui.menu', { op: 'show' }),
  showMenuAndSelectCurrentServer: postToPlayer('ui.menu', { op: 'showAndSelectCurrentServer' }),
  showMenuAndSelectBestServer: postToPlayer('ui.menu', { op: 'showAndSelectBestServer' }),
  showGameSuggestionsForPlayer: postToPlayer('ui.menu', { op: 'showGameSuggestions' }),
  hideGameSuggestionsForPlayer: postToPlayer('ui.menu', { op: 'hideGameSuggestions' }),
  openBackpackForPlayer: postToPlayer('ui.backpack', { op: 'open' }),
  closeBackpackForPlayer: postToPlayer('ui.backpack', { op: 'close' }),

  openDialogueForPlayer: action({
    params: { dialogue: P.dialogue, player: P.player },
    compile:
      ({ dialogue, player }) =>
      (context) => {
        const id = dialogue(context);
        const to = player(context);
        if (id === undefined || to === noEntity) return;
        if (!openDialogue(context.game, to, id))
          context.world.fault('no-such-reference', `No dialogue is called "${id}".`);
      },
  }),
  closeDialogueForPlayer: action({
    params: { player: P.player },
    compile:
      ({ player }) =>
      (context) => {
        const to = player(context);
        if (to !== noEntity) closeDialogue(context.game, to);
      },
  }),

  createFloatingText: action({
    status: 'output',
    params: { position: P.position, text: shownText, color: P.optional(P.text) },
    compile:
      ({ position, text, color }) =>
      (context) => {
        const at = position(context);
        if (at === undefined) return;
        context.world.post('ui.floatingText', {
          mode: 'world',
          text: toText(text(context)),
          color: color(context) ?? 'white',
          position: { x: at.x, y: at.y },
          to: 'everyone',
        });
      },
  }),
  /** `duration` in ms; 0 leaves it to the client. */
  createDynamicFloatingText: action({
    status: 'output',
    params: { position: P.position, text: shownText, color: P.optional(P.text), duration: P.optional(P.number) },
    compile:
      ({ position, text, color, duration }) =>
      (context) => {
        const at = position(context);
        if (at === undefined) return;
        context.world.post('ui.floatingText', {
          mode: 'dynamic',
          text: toText(text(context)),
          color: color(context) ?? 'white',
          position: { x: at.x, y: at.y },
          durationMs: duration(context) ?? 0,
          to: 'everyone',
        });
      },
  }),
  setFadingTextOfUnit: action({
    status: 'output',
    params: { unit: P.unit, text: shownText, color: P.optional(P.text) },
    compile:
      ({ unit, text, color }) =>
      (context) => {
        const of = unit(context);
        if (of === noEntity) return;
        const { world } = context;
        world.post('ui.floatingText', {
          mode: 'unit',
          unitId: world.ref(of)?.id,
          text: toText(text(context)),
          color: color(context) ?? 'white',
          to: 'everyone',
        });
      },
  }),

  hideUnitFromPlayer: unitForPlayer('entity.visibility', 'hideUnit'),
  showUnitToPlayer: unitForPlayer('entity.visibility', 'showUnit'),
  hideUnitNameLabelFromPlayer: unitForPlayer('entity.label', 'hideLabel'),
  showUnitNameLabelToPlayer: unitForPlayer('entity.label', 'showLabel'),
  setUnitNameLabelColor: action({
    params: { unit: P.unit, color: P.text },
    compile:
      ({ unit, color }) =>
      (context) => {
        const of = unit(context);
        const shade = color(context);
        if (of === noEntity || !isColour(context, shade)) return;
        colorLabel(context.game, of, shade);
      },
  }),
  setUnitNameLabelColorForPlayer: action({
    status: 'output',
    params: { unit: P.loud(P.unit), color: P.text, player: P.loud(P.player) },
    compile:
      ({ unit, color, player }) =>
      (context) => {
        const of = unit(context);
        const shade = color(context);
        const to = player(context);
        if (of === noEntity || to === noEntity || !isColour(context, shade)) return;
        const { world } = context;
        world.post('entity.label', { op: 'color', unitId: world.ref(of)?.id, color: shade, to: { player: to } });
      },
  }),
  showUnitInPlayerMinimap: action({
    status: 'output',
    params: { unit: P.unit, player: P.player, color: P.text },
    compile:
      ({ unit, player, color }) =>
      (context) => {
        const of = unit(context);
        const to = player(context);
        const shade = color(context);
        if (of === noEntity || to === noEntity || shade === undefined) return;
        const { world } = context;
        world.post('ui.minimap', { op: 'show', unitId: world.ref(of)?.id, color: shade, to: { player: to } });
      },
  }),
  hideUnitInPlayerMinimap: action({
    status: 'output',
    // The editor offers a colour here as well; hiding has none.
    params: { unit: P.unit, player: P.player, color: P.optional(P.any) },
    compile:
      ({ unit, player }) =>
      (context) => {
        const of = unit(context);
        const to = player(context);
        if (of === noEntity || to === noEntity) return;
        const { world } = context;
        world.post('ui.minimap', { op: 'hide', unitId: world.ref(of)?.id, to: { player: to } });
      },
  }),
});

function isColour(context: ScriptContext, text: string | undefined): text is string {
  if (text === undefined) return false;
  if (colour.test(text)) return true;
  context.world.fault('wrong-value', `"${text}" is no colour.`);
  return false;
}
