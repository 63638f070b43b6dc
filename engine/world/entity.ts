export { EntityRef, Kind, kinds } from '../components/handle.ts';
export { type Entity, generationOf, Life, makeEntity, noEntity, rowOf } from '../ecs/entity.ts';
