import { changes, type Effect, enables, tells } from '../../rules/effects.ts';
import { offerItem, openShop } from '../../rules/players/shop.ts';
import { type About, action, family, publishes } from '../op.ts';
import * as P from '../params.ts';

/** Opens and closes shops for players. Purchases are made by players (rules/players/shop.ts). */

function show(about: About, op: 'close' | 'openSkinShop' | 'openSkinSubmission') {
  return publishes(about, 'ui.shop', { player: P.player }, () => ({ op }));
}

const opens: readonly Effect<'player' | 'shop'>[] = [
  changes('page', 'player', { to: 'shop' }),
  tells('ui.shop', 'player'),
  enables('buyItem'),
  enables('buyUnit'),
];

export const shopActions = family('shop', {
  openShopForPlayer: action(
    'Opens a shop for a player.',
    { shop: P.shop, player: P.player },
    (context, { shop: key, player }) => {
      if (!openShop(context.game, player, key)) context.world.fault('no-such-reference', `There is no shop "${key}".`);
    },
    ...opens,
  ),
  /**
   * After closing the shop's window, the player can still buy from the shop until another one is opened (reference:
   * operations#openshopforplayer).
   */
  closeShopForPlayer: show('Closes the shop that a player has open.', 'close'),
  openSkinShop: show('Asks the platform to open its skin shop for a player.', 'openSkinShop'),
  openSkinSubmissionPage: show(
    'Asks the platform to open its page for submitting skins for a player.',
    'openSkinSubmission',
  ),
  /** Asks the player to confirm the purchase. Nothing is bought before the player confirms. */
  purchaseItemFromShop: action(
    'Asks a player to buy an item from a shop. The price and the requirements of the offer apply.',
    { itemType: P.itemType, shop: P.shop, player: P.player },
    (context, { itemType, shop: key, player }) => {
      if (!offerItem(context.game, player, key, itemType))
        context.world.fault('no-such-reference', `There is no shop "${key}" that sells the item type "${itemType}".`);
    },
    ...opens,
  ),
});
