import type { Endpoint, InputOf } from '@isotherm/contract/endpoint'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { getInterfaces, InterfaceItem } from '@isotherm/contract/endpoints/interfaces'
import { LIVE_PATH } from '@isotherm/contract/live'
import { downChannels, toDownTopic, toUpTopic, upChannels } from '@isotherm/contract/mqtt'
import { permissions } from '@isotherm/contract/permissions'
import { toOffset } from '../../platform/postgres/filter.pg.ts'

type Unowned = Omit<InterfaceItem, 'roles'>

function toHttp(name: EndpointName): Unowned {
  const endpoint: Endpoint = endpoints[name]
  const { backend, method, summary, effect, access, errors } = endpoint
  return {
    name,
    kind: 'http',
    backend,
    method,
    address: toUrlPath(endpoint),
    summary,
    effect,
    access: access.kind,
    permissions: access.kind === 'permission' ? [...access.anyOf] : [],
    errors: [...errors],
  }
}

const upSummaries: Readonly<Record<(typeof upChannels)[number], string>> = {
  birth: 'A node says that it is there, and by its will that it is gone.',
  telemetry: 'Readings of a node and its children.',
  history: 'Readings sent later, from before a loss of the connection.',
  event: 'Readings a node sends because something happened.',
  reply: 'How a command went.',
  raw: 'Raw frames from the bus below a node, for debugging.',
}

const downSummaries: Readonly<Record<(typeof downChannels)[number], string>> = {
  cmd: 'A command to a node or one of its children.',
  raw: 'Raw frames to the bus below a node, for debugging.',
  ack: 'Up to which message everything of a node is durable.',
  time: "The server's clock.",
}

const ofDevices: Pick<Unowned, 'kind' | 'access' | 'permissions' | 'errors'> = {
  kind: 'mqtt',
  access: 'device',
  permissions: [],
  errors: [],
}

const mqtt: readonly Unowned[] = [
  ...upChannels.map((channel) => ({
    ...ofDevices,
    name: `up/${channel}`,
    method: 'up',
    summary: upSummaries[channel],
    address: toUpTopic('{tenant}', '{node}', channel),
  })),
  ...downChannels.map((channel) => ({
    ...ofDevices,
    name: `down/${channel}`,
    method: 'down',
    summary: downSummaries[channel],
    address: toDownTopic('{tenant}', '{node}', channel),
  })),
]

const live: Unowned = {
  name: 'live',
  kind: 'websocket',
  method: 'GET',
  address: LIVE_PATH,
  access: 'session',
  summary: 'Newest values, commands and changes of the tree as they come.',
  permissions: [],
  errors: [],
}

const names = Object.keys(endpoints) as readonly EndpointName[]
const interfaces: readonly Unowned[] = [...names.map(toHttp), ...mqtt, live]

/** A role as far as this list needs it. */
interface RoleOfInterfaces {
  readonly name: string
  readonly urls: readonly string[]
}

/** A page of the interfaces that have `text` in them, with the roles whose people may call them. */
export function listInterfaces(
  { text, limiter }: InputOf<typeof getInterfaces>,
  roles: readonly RoleOfInterfaces[],
): { datalist: InterfaceItem[]; total: number } {
  const part = text.toLowerCase()
  const matching = interfaces.filter(({ name, address, summary }) =>
    [name, address, summary].some((where) => where.toLowerCase().includes(part)),
  )
  const holdersOf = new Map<string, readonly string[]>(
    permissions.map((url) => [url, roles.filter(({ urls }) => urls.includes(url)).map(({ name }) => name)]),
  )
  const start = toOffset(limiter)
  const datalist = matching.slice(start, start + limiter.size).map((item) => ({
    ...item,
    roles: [...new Set(item.permissions.flatMap((url) => holdersOf.get(url) ?? []))],
  }))
  return { datalist, total: matching.length }
}
