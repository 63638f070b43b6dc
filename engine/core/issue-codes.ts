/**
 * All codes that checking a definition can report, with their severity and their line in `docs/issues.md`.
 * Codes are stable: a code is never renamed, and its meaning never changes.
 */
export const issueCodes = {
  // The document itself.
  'unreadable-file': {
    severity: 'error',
    about: 'The file is missing, a directory, not permitted or damaged; nothing was read.',
  },
  'too-large': { severity: 'error', about: 'The document is larger than the limit; it was not parsed.' },
  'too-deep': {
    severity: 'error',
    about: 'Objects and arrays are nested deeper than the limit; the document was not parsed.',
  },
  'syntax-error': { severity: 'error', about: 'The text is not JSON.' },
  'forbidden-key': {
    severity: 'error',
    about: 'A key such as `__proto__` that could change the behaviour of the host is refused.',
  },
  'duplicate-key': { severity: 'warning', about: 'An object has the same key twice; JSON keeps the last one.' },
  'not-a-definition': { severity: 'error', about: 'The document has none of the three shapes a definition comes in.' },
  'status-not-success': { severity: 'error', about: '`gameJson.status` is not `success`.' },
  // Fields.
  'wrong-type': { severity: 'error', about: 'A field holds another type than the specification gives it.' },
  'wrong-value': {
    severity: 'error',
    about: 'A field holds a value outside the set or range the specification gives it.',
  },
  'missing-field': { severity: 'error', about: 'A field that nothing works without is absent.' },
  'unknown-field': { severity: 'info', about: 'A field the specification does not name; it is carried along unread.' },
  'unknown-value': {
    severity: 'warning',
    about: 'A word outside the known ones in a field whose set is open; the default applies.',
  },
  'attribute-out-of-bounds': {
    severity: 'warning',
    about: 'An attribute starts outside its own `min`..`max`; it is clamped.',
  },
  'attribute-bounds-crossed': { severity: 'warning', about: "An attribute's `min` is greater than its `max`." },
  'map-size-mismatch': { severity: 'error', about: "A tile layer's data is not width times height long." },
  'negative-size': { severity: 'warning', about: 'A width, height or radius is below 0.' },
  'unknown-key': {
    severity: 'warning',
    about: 'A binding names a key that no client reports; letters are small ones.',
  },
  'item-not-carried': {
    severity: 'warning',
    about: 'A unit type starts with an item whose `carriedBy` does not list it.',
  },
  'outside-map': { severity: 'warning', about: 'A region or position lies wholly outside the map.' },
  'rate-not-positive': { severity: 'warning', about: '`frameRate` or `engineTickRate` is 0 or less; it is clamped.' },
  // References.
  'dangling-script': { severity: 'warning', about: 'A script is referred to that does not exist.' },
  'dangling-ability': { severity: 'warning', about: 'An ability is referred to that does not exist.' },
  'dangling-item-type': { severity: 'warning', about: 'An item type is referred to that does not exist.' },
  'dangling-unit-type': { severity: 'warning', about: 'A unit type is referred to that does not exist.' },
  'dangling-projectile-type': { severity: 'warning', about: 'A projectile type is referred to that does not exist.' },
  'dangling-player-type': { severity: 'warning', about: 'A player type is referred to that does not exist.' },
  'dangling-attribute': { severity: 'warning', about: 'An attribute is referred to that no type declares.' },
  'dangling-variable': { severity: 'warning', about: 'A variable is referred to that is not declared.' },
  'dangling-state': { severity: 'warning', about: 'A state is referred to that no type has.' },
  'dangling-body': { severity: 'warning', about: 'A state names a body that its type does not have.' },
  'dangling-animation': { severity: 'warning', about: 'A state names an animation that its type does not have.' },
  'dangling-shop': { severity: 'warning', about: 'A shop is referred to that does not exist.' },
  'dangling-dialogue': { severity: 'warning', about: 'A dialogue is referred to that does not exist.' },
  'dangling-folder': { severity: 'warning', about: 'A `parent` names a folder that does not exist.' },
  'dangling-tileset': { severity: 'warning', about: 'A map tile number belongs to no tileset of the map.' },
  'dangling-release': { severity: 'warning', about: '`releaseId` is not among `defaultData.releases`.' },
  'dangling-buff': { severity: 'warning', about: 'An item names a buff that `buffTypes` does not have.' },
  'dangling-binding': { severity: 'warning', about: 'A key binding resolves to no script and no ability.' },
  'dangling-media': {
    severity: 'info',
    about: 'A sound, music or particle is referred to that the definition does not have.',
  },
  // Scripts.
  'unknown-trigger': { severity: 'warning', about: 'A script lists a trigger that no engine fires.' },
  'unknown-action': {
    severity: 'warning',
    about: 'An action type that is not in the vocabulary; it does nothing at run time.',
  },
  'unknown-function': {
    severity: 'warning',
    about: 'A value function that is not in the vocabulary; it gives no value at run time.',
  },
  'unknown-parameter': { severity: 'info', about: 'A parameter the operation does not read.' },
  'missing-parameter': {
    severity: 'warning',
    about: 'A parameter the operation cannot do without is absent, or null; the operation does nothing.',
  },
  'wrong-parameter': { severity: 'warning', about: 'A literal parameter has a type the operation cannot use.' },
  'malformed-condition': {
    severity: 'warning',
    about:
      'A condition is not `[{operator}, left, right]`: without an operator it counts as false, a missing side as no value.',
  },
  'constant-condition': {
    severity: 'warning',
    about: 'A condition other than the default guard is always true or always false.',
  },
  'malformed-action': {
    severity: 'warning',
    about: 'An entry of an action list is not an action object; it is skipped.',
  },
  'unknown-operand-type': {
    severity: 'warning',
    about: 'A condition has an `operandType` that no editor writes; its sides are compared as they are.',
  },
  'unequal-kinds': {
    severity: 'warning',
    about: 'The two sides of a comparison are of kinds that are never equal, such as a number and a group of players.',
  },
  'mismatched-assignment': {
    severity: 'warning',
    about: 'A variable is given a value of another kind than its `dataType`.',
  },
  'endless-loop': {
    severity: 'warning',
    about: 'Nothing can change the condition of a `while`, and no `break` or `return` leaves it.',
  },
  'division-by-zero': { severity: 'warning', about: 'A calculation divides by a literal 0.' },
  'endless-recursion': {
    severity: 'warning',
    about: 'A script calls itself, or scripts call one another in a ring, at once and whatever the state of the game.',
  },
  'no-this-entity': { severity: 'warning', about: '`thisEntity` in a script of the game, which runs for no entity.' },
  'nobody-gets-a-unit': {
    severity: 'warning',
    about: 'Units can be steered, and no script gives one to a player.',
  },
  'no-game-start': {
    severity: 'info',
    about: 'No script has the trigger `gameStart`: nothing is set up before somebody joins.',
  },
  'no-movement': {
    severity: 'warning',
    about: 'Players get a unit with keys that cannot walk: it has no movement scheme, or no attribute `speed`.',
  },
  'unheard-trigger': {
    severity: 'info',
    about: 'One of several triggers of a script is never fired on a script of its kind.',
  },
  unused: {
    severity: 'info',
    about: 'A type has a state, body or animation that no state, effect or script names.',
  },
  'unused-media': {
    severity: 'info',
    about: 'The game or a type has sounds, music or particles that no effect, state or script names.',
  },
  'never-changed': {
    severity: 'info',
    about: 'An attribute is read, and no action, damage, bonus, cost, price or regeneration changes it.',
  },
  'unreachable-script': {
    severity: 'info',
    about: 'No trigger, binding, ability, effect or other script can start the script.',
  },
  'no-emitted-trigger': {
    severity: 'info',
    about: 'All triggers of the script are ones that this engine never fires on a script of its kind.',
  },
  'trigger-function-unavailable': {
    severity: 'warning',
    about: 'A `getTriggering…` function in a script none of whose triggers carries that value; it gives no value.',
  },
  // The list itself.
  'more-issues': {
    severity: 'info',
    about:
      'The last of a list that has 10,000 issues of one severity: how many more of that severity, which it has itself, are not listed.',
  },
} as const satisfies Record<string, { severity: Severity; about: string }>;

export type Severity = 'error' | 'warning' | 'info';
export type IssueCode = keyof typeof issueCodes;
