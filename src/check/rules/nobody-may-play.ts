import { guestUsers, loggedInUsers } from '../../../engine/tools.ts';
import type { Rule } from '../rule.ts';

export const nobodyMayPlay: Rule = {
  about: 'No role lets logged-in users or guests play.',
  because: 'Nobody can join. Give one of the two roles the permission `playGame`.',
  wrong: `{ "roles": [{ "name": "Users", "type": 4, "permissions": {} }, { "name": "Guests", "type": 5, "permissions": {} }] }`,
  right: `{ "roles": [{ "name": "Users", "type": 4, "permissions": { "playGame": true } }, { "name": "Guests", "type": 5, "permissions": {} }] }`,
  check({ definition: { roles, pointer }, report }) {
    const isClosed = [loggedInUsers, guestUsers].every((type) => roles.some((role) => role.type === type));
    if (!isClosed || roles.some(({ permissions }) => permissions.get('playGame') === true)) return;
    report(
      `${pointer}/roles`,
      'No role has the permission `playGame`, so nobody may join.',
      '`playGame`: true for logged-in users or guests',
      'none',
    );
  },
};
