import { offerItem, openShop } from '../../rules/players/shop.ts';
import { noEntity } from '../../world/entity.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

/** Shops as players see them. Buying itself comes from players (rules/players/shop.ts). */

function show(op: 'close' | 'openSkinShop' | 'openSkinSubmission') {
  return action({
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
    params: { shop: P.shop, player: P.player },
    compile:
      ({ shop, player }) =>
      (context) => {
        const key = shop(context);
        const to = player(context);
        if (key === undefined || to === noEntity) return;
        if (!openShop(context.game, to, key)) context.world.fault('no-such-reference', `No shop is called "${key}".`);
      },
  }),
  /** The player can go on buying from the shop until another is opened (reference: operations#openshopforplayer). */
  closeShopForPlayer: show('close'),
  openSkinShop: show('openSkinShop'),
  openSkinSubmissionPage: show('openSkinSubmission'),
  /** Asks the player whether to buy; nothing is bought until it says so. */
  purchaseItemFromShop: action({
    params: { itemType: P.itemType, shop: P.shop, player: P.player },
    compile:
      ({ itemType, shop, player }) =>
      (context) => {
        const type = itemType(context);
        const key = shop(context);
        const to = player(context);
        if (type === undefined || key === undefined || to === noEntity) return;
        if (!offerItem(context.game, to, key, type))
          context.world.fault('no-such-reference', `No shop "${key}" sells the item "${type}".`);
      },
  }),
});
