import { tells } from '../../rules/effects.ts';
import { type About, compiledAction, family, publishes } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate } from '../running/context.ts';

/** Particles are drawn by clients: all clients show particles of a type on an entity or at a position. */

function onEntity(about: About, key: 'unit' | 'item', op: 'start' | 'stop' | 'emitOnce') {
  const params = { [key as 'unit']: key === 'unit' ? P.unit : P.item, particleType: P.particle };
  return publishes(about, 'particle', params, ({ [key as 'unit']: entity, particleType }, { world }) => ({
    op,
    entityId: world.ref(entity)?.id,
    particleTypeId: particleType,
  }));
}

/** An emitter: the particle type in an entity variable, and the id of the entity that has the variable. */
interface Emitter {
  readonly particleType: string | undefined;
  readonly entityId: string | undefined;
}

const emitter: P.ParamKind<Emitter> = {
  ...P.named(P.any, 'particle emitter'),
  compile(compiler, node, place): Evaluate<Emitter> {
    const particleType = P.particle.compile(compiler, node, place);
    if (node.kind !== 'call' && node.kind !== 'data')
      return (context) => ({ particleType: particleType(context), entityId: undefined });
    const entity = P.entity.compile(compiler, node.member('entity'), place);
    return (context) => ({
      particleType: particleType(context),
      entityId: context.world.ref(entity(context))?.id,
    });
  },
};

function fromEmitter(about: About, op: 'start' | 'stop') {
  return compiledAction(
    about,
    // Editors also write the entity next to the emitter, where no engine reads it.
    { particleEmitter: emitter, entity: P.optional(P.any) },
    ({ particleEmitter }) =>
      (context) => {
        const { particleType, entityId } = particleEmitter(context);
        if (entityId === undefined || particleType === undefined) return;
        context.world.post('particle', { op, entityId, particleTypeId: particleType, to: 'everyone' });
      },
    tells('particle'),
  );
}

export const particleActions = family('particle', {
  startEmittingParticles: fromEmitter(
    {
      sentence: 'Makes an entity emit particles until it is stopped.',
      example: { entity: { function: 'getTriggeringUnit' } },
    },
    'start',
  ),
  stopEmittingParticles: fromEmitter(
    {
      sentence: 'Stops the particles that `startEmittingParticles` started.',
      example: { entity: { function: 'getTriggeringUnit' } },
    },
    'stop',
  ),
  startUnitParticle: onEntity('Makes a unit emit particles of a type until it is stopped.', 'unit', 'start'),
  stopUnitParticle: onEntity('Stops a unit from emitting particles of a type.', 'unit', 'stop'),
  emitUnitParticle: onEntity('Makes a unit emit particles of a type once.', 'unit', 'emitOnce'),
  startItemParticle: onEntity('Makes an item emit particles of a type until it is stopped.', 'item', 'start'),
  stopItemParticle: onEntity('Stops an item from emitting particles of a type.', 'item', 'stop'),
  emitItemParticle: onEntity('Makes an item emit particles of a type once.', 'item', 'emitOnce'),
  emitParticleOnceAtPosition: publishes(
    'Shows particles of a type at a position once.',
    'particle',
    { particleType: P.particle, position: P.position },
    ({ particleType: particleTypeId, position: { x, y } }) => ({ op: 'emitOnce', position: { x, y }, particleTypeId }),
  ),
  emitParticlesAtPosition: publishes(
    'Shows particles of a type at a position, in a direction given in degrees.',
    'particle',
    { particleType: P.particle, position: P.position, angle: P.degrees },
    ({ particleType: particleTypeId, position: { x, y }, angle }) => ({
      op: 'emitOnce',
      position: { x, y },
      angle,
      particleTypeId,
    }),
  ),
  emitParticlesFromEntity: publishes(
    'Shows particles of a type at an entity, in a direction given in degrees.',
    'particle',
    { particleType: P.particle, angle: P.degrees, entity: P.entity },
    ({ particleType: particleTypeId, angle, entity }, { world }) => ({
      op: 'emitOnce',
      entityId: world.ref(entity)?.id,
      angle,
      particleTypeId,
    }),
  ),
});
