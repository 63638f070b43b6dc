import { offerItem, openShop } from '../../rules/players/shop.ts';
import { noEntity } from '../../world/entity.ts';
import { type About, action, family } from '../op.ts';
import * as P from '../params.ts';

/** Opens and closes shops for players. Purchases are made by players (rules/players/shop.ts). */

function show(about: About, op: 'close' | 'openSkinShop' | 'openSkinSubmission') {
  return action({
    about,
    status: 'output',
    params: { player: P.player },
    compile:
      ({ player }) =>
      (context) => {
        const to = player(context);
        if (to !== noEntity) context.world.post('ui.shop', { op, to: { player: to } });
      },
  });
}

export const shopActions = family('shop', {
  openShopForPlayer: action({
    about: 'Opens a shop for a player.',
    params: { shop: P.shop, player: P.player },
    compile:
      ({ shop, player }) =>
      (context) => {
        const key = shop(context);
        const to = player(context);
        if (key === undefined || to === noEntity) return;
        if (!openShop(context.game, to, key)) context.world.fault('no-such-reference', `There is no shop "${key}".`);
      },
  }),
  /** The player can still buy from the shop until another one is opened (reference: operations#openshopforplayer). */
  closeShopForPlayer: show('Closes the shop that a player has open.', 'close'),
  openSkinShop: show('Asks the platform to open its skin shop for a player.', 'openSkinShop'),
  openSkinSubmissionPage: show(
    'Asks the platform to open its page for submitting skins for a player.',
    'openSkinSubmission',
  ),
  /** Asks the player to confirm; nothing is bought before that. */
  purchaseItemFromShop: action({
    about: 'Asks a player to buy an item from a shop, at its price and subject to its requirements.',
    params: { itemType: P.itemType, shop: P.shop, player: P.player },
    compile:
      ({ itemType, shop, player }) =>
      (context) => {
        const type = itemType(context);
        const key = shop(context);
        const to = player(context);
        if (type === undefined || key === undefined || to === noEntity) return;
        if (!offerItem(context.game, to, key, type))
          context.world.fault('no-such-reference', `There is no shop "${key}" that sells the item type "${type}".`);
      },
  }),
});
