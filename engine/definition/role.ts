import { emptyMap } from './frozen-map.ts';
import { array, boolean, defaulted, entry, type Infer, integer, integerIn, map, string } from './schema.ts';
import { name, order } from './shared-fields.ts';

/** A role (specification, Authentication). */
const role = entry('Role', 'A permission role.', {
  _id: ['The id of the role at the hosting service.', string],
  gameId: ['The id of the game at the hosting service.', string],
  name,
  type: [
    'Who has the role: contributors (1), moderators (2), community members (3), logged-in users (4) or guests (5).',
    integerIn({ min: 1, max: 5 }),
  ],
  order,
  color: ['A CSS colour.', string],
  icon: ['The URL of an image.', string],
  permissions: ['The permissions of a role.', defaulted(map(boolean), emptyMap)],
  createdAt: ['When the role was created.', string],
  updatedAt: ['When the role was last changed.', string],
  __v: ['Used by the platform only.', integer],
});
/** Types of roles that all logged-in users or guests have implicitly. */
export const loggedInUsers = 4;
export const guestUsers = 5;
export type Role = Infer<typeof role>;
export const roles = array(role);
