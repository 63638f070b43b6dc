import { emptyMap } from './frozen-map.ts';
import { array, boolean, defaulted, entry, type Infer, integer, integerIn, map, string } from './schema.ts';

/** Specification, Authentication. */
const role = entry('Role', 'A permission role.', {
  _id: string,
  gameId: string,
  name: defaulted(string, ''),
  /** 1 contributor, 2 moderator, 3 community member, 4 logged-in users, 5 guest users. */
  type: integerIn({ min: 1, max: 5 }),
  order: integer,
  color: string,
  icon: string,
  permissions: defaulted(map(boolean), emptyMap),
  createdAt: string,
  updatedAt: string,
  __v: integer,
});
/** Types of roles that all logged-in users or guests have implicitly. */
export const loggedInUsers = 4;
export const guestUsers = 5;
export type Role = Infer<typeof role>;
export const roles = array(role);
