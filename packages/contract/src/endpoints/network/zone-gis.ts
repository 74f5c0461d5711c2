import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { groundPosition, latitudeDeg, longitudeDeg } from '../../network/position.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from '../devices/device-access.ts'
import { nodeType } from './tree.ts'

/** Position of a node on the map: a point, and the outline of a zone as a ring of [longitude, latitude]. */
export const place = groundPosition.extend({
  outline: z
    .array(z.tuple([longitudeDeg, latitudeDeg]))
    .min(3)
    .max(500)
    .nullable()
    .default(null),
})
export type Place = z.infer<typeof place>

export const zoneGis = z.object({
  node: nodeKey,
  label: z.string(),
  level: z.number().int(),
  nodetype: nodeType,
  /** Names from the project down, joined by commas. */
  nestaddr: z.string(),
  place,
  version,
  abilities: z.array(z.enum(['edit', 'remove'])),
})
export type ZoneGis = z.infer<typeof zoneGis>

/** Users that edit the tree or manage devices can place nodes; users of the map can see them. */
export const placingNodes = requiresPermission('ps-oraigionsys', 'pg-groupmanage', ...managingDevices.anyOf)

export const getZoneGis = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetZoneGis',
  summary:
    'Nodes with their positions on the map, filtered by parentids, label, level, longitudeDeg or latitudeDeg.',
  access: requiresPermission('pg-gisshow'),
  effect: 'reads',
  input: filteredPage,
  output: pageOf(zoneGis),
  errors: ['filter.unknown-field', 'filter.bad-pattern'],
})

export const updateZoneGis = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdateZoneGis',
  summary: 'Places nodes on the map, or removes them from it, all or none.',
  access: placingNodes,
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          node: refersTo('node', nodeKey),
          /** Version of the present position; absent for a node without one. */
          version: version.optional(),
          /** null removes the node from the map. */
          place: place.nullable(),
        }),
      )
      .min(1)
      .max(200),
  }),
  output: z.object({ datalist: z.array(zoneGis) }),
  errors: ['node.not-found', 'entity.stale'],
})

export const zoneGisEndpoints = { getZoneGis, updateZoneGis } as const
