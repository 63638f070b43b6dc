import type { BodyField } from './flat/body-fields.ts';
import type { InnerBody, InnerFixture } from './planck-inside.ts';
import type { FixtureField } from './planck-numbers.ts';

/** The member of planck's body that each number stands for. Bodies of the flat step have all of them in one row, in the order of the fields. */
const members: Readonly<Record<BodyField, readonly string[]>> = {
  mass: ['m_mass'],
  inverseMass: ['m_invMass'],
  inertia: ['m_I'],
  inverseInertia: ['m_invI'],
  x: ['m_xf', 'p', 'x'],
  y: ['m_xf', 'p', 'y'],
  sine: ['m_xf', 'q', 's'],
  cosine: ['m_xf', 'q', 'c'],
  localCentreX: ['m_sweep', 'localCenter', 'x'],
  localCentreY: ['m_sweep', 'localCenter', 'y'],
  centreX: ['m_sweep', 'c', 'x'],
  centreY: ['m_sweep', 'c', 'y'],
  angle: ['m_sweep', 'a'],
  formerFraction: ['m_sweep', 'alpha0'],
  formerCentreX: ['m_sweep', 'c0', 'x'],
  formerCentreY: ['m_sweep', 'c0', 'y'],
  formerAngle: ['m_sweep', 'a0'],
  forceX: ['m_force', 'x'],
  forceY: ['m_force', 'y'],
  torque: ['m_torque'],
  velocityX: ['m_linearVelocity', 'x'],
  velocityY: ['m_linearVelocity', 'y'],
  angularVelocity: ['m_angularVelocity'],
  linearDamping: ['m_linearDamping'],
  angularDamping: ['m_angularDamping'],
  gravityScale: ['m_gravityScale'],
  sleepTime: ['m_sleepTime'],
};

type Tree = { [member: string]: Tree | number };

function ownerOf(body: InnerBody, path: readonly string[]): { [member: string]: number } {
  let owner = body as unknown as Tree;
  for (const member of path.slice(0, -1)) owner = owner[member] as Tree;
  return owner as { [member: string]: number };
}

export function readMember(body: InnerBody, field: BodyField): number {
  const path = members[field];
  return ownerOf(body, path)[path.at(-1)!]!;
}

export function writeMember(body: InnerBody, field: BodyField, value: number): void {
  const path = members[field];
  ownerOf(body, path)[path.at(-1)!] = value;
}

/** The member of planck's fixture that each number stands for. */
export const fixtureMembers = {
  friction: 'm_friction',
  restitution: 'm_restitution',
  density: 'm_density',
  group: 'm_filterGroupIndex',
  category: 'm_filterCategoryBits',
  mask: 'm_filterMaskBits',
} as const satisfies Readonly<Record<FixtureField, keyof InnerFixture>>;
