import type { Definition, ValueView } from '../../../../engine/index.ts';
import { typesByKind } from '../../../../engine/tools.ts';
import type { Replica, RoomClient } from '../../../net/index.ts';
import {
  attributeText,
  entityList,
  idButton,
  itemText,
  type Markup,
  markup,
  note,
  section,
  tableRow,
} from '../../../viewer/index.ts';

export const roomTabs = { entity: 'Entity', players: 'Players', all: 'All' } as const;
export type RoomTab = keyof typeof roomTabs;

/** The content of a tab, made from the part of the room's state that the server sends to this client. */
export function roomContent(
  tab: RoomTab,
  definition: Definition,
  client: RoomClient,
  selected: string | undefined,
): readonly Markup[] {
  const { state } = client;
  switch (tab) {
    case 'players':
      return playersContent(definition, client);
    case 'entity': {
      if (selected === undefined)
        return note('Select an entity in the list “All”. Spectators can also click it on the map.');
      const replica = state.find(selected);
      return replica === undefined ? note(`${selected} is not visible now.`) : replicaContent(definition, replica);
    }
    case 'all':
      return allContent(definition, client, selected);
  }
}

function replicaContent(definition: Definition, replica: Replica): readonly Markup[] {
  const { id, name, kind, type, state, owner, items, x, y } = replica;
  const about = Object.fromEntries(
    Object.entries({
      kind,
      type: type === undefined ? undefined : typeName(definition, replica),
      state: state ?? undefined,
      owner: owner?.id,
      quantity: kind === 'item' ? (replica.quantity ?? 'infinite') : undefined,
      position: kind === 'player' ? undefined : `${Math.round(x)}, ${Math.round(y)}`,
    }).filter(([, value]) => value !== undefined),
  ) as ValueView;
  return [
    markup('h2', name === '' ? '' : `${name} `, markup('code', id)),
    ...attributesOf(definition, replica),
    ...(kind === 'unit' && items.length > 0
      ? [
          markup('h3', 'Items'),
          markup(
            'ul',
            ...items.map((item) => markup('li', idButton(item.id), itemText(item), item.isHeld ? ' held' : '')),
          ),
        ]
      : []),
    ...section('Variables', Object.fromEntries(replica.variables) as ValueView),
    ...section('State', about),
  ];
}

function attributesOf(definition: Definition, replica: Replica): Markup[] {
  const type = typeOf(definition, replica);
  const entries = [...replica.attributes].map(
    ([key, { value, min, max }]) => [type?.attributes.get(key)?.name || key, value, min, max] as const,
  );
  if (entries.length === 0) return [];
  const rows = entries.map(([name, value, min, max]) => tableRow(name, attributeText(value, [min, max])));
  return [markup('h3', 'Attributes'), markup('table', ...rows)];
}

function typeOf(definition: Definition, { kind, type }: Replica) {
  const types = { ...typesByKind(definition), debris: undefined, region: undefined };
  return types[kind]?.get(type?.key ?? '');
}

function typeName(definition: Definition, replica: Replica) {
  return typeOf(definition, replica)?.name || (replica.type?.key ?? '');
}

function reportButton({ id, name }: Replica): Markup {
  const about = { type: 'button', class: 'id', 'data-report': id, 'aria-label': `Report ${name} to the operator` };
  return markup('button', about, 'Report');
}

function playersContent(definition: Definition, client: RoomClient): readonly Markup[] {
  const score = definition.settings.persistentScoreAttributeId;
  const people = [...client.state.all('player')].filter(({ isHuman }) => isHuman);
  if (people.length === 0) return note('Nobody is playing.');
  return people.map((player) => {
    const points = score === undefined ? undefined : player.attribute(score)?.value;
    return markup(
      'p.event',
      idButton(player.id),
      ' ',
      markup('b', player.name),
      player.id === client.state.player ? ' (you)' : '',
      ...(client.player === undefined || player.id === client.state.player ? [] : [' ', reportButton(player)]),
      markup(
        'small',
        [typeName(definition, player), points === undefined ? '' : `score ${points}`].filter(Boolean).join(' · '),
      ),
    );
  });
}

function allContent(definition: Definition, { state }: RoomClient, selected: string | undefined): readonly Markup[] {
  const titles = { unit: 'Units', item: 'Items', projectile: 'Projectiles', debris: 'Debris' } as const;
  return Object.entries(titles).flatMap(([kind, title]) => {
    const rows = Array.from(state.all(kind as keyof typeof titles), (replica) => {
      const words = new Set([replica.name, typeName(definition, replica), replica.state]);
      return [replica.id, [...words].filter(Boolean).join(' · ')] as const;
    });
    return entityList(title, rows, selected);
  });
}
