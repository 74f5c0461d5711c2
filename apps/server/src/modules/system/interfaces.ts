import { permissions } from '@isotherm/contract/access/permissions'
import type { Endpoint, InputOf } from '@isotherm/contract/endpoint'
import { toUrlPath } from '@isotherm/contract/endpoint'
import type { getInterfaces, InterfaceItem } from '@isotherm/contract/endpoints/administration/interfaces'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { LIVE_PATH } from '@isotherm/contract/live'
import { downChannels, toDownTopic, toUpTopic, upChannels } from '@isotherm/contract/mqtt'
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
  birth: 'A gateway announces that it is online, and by its will that it is offline.',
  telemetry: 'Readings of a gateway and the devices behind it.',
  history: 'Readings that a gateway stored while it was offline.',
  event: 'Readings that a gateway sends because of an event.',
  reply: 'The result of a command.',
  raw: 'Raw frames from the field bus of a gateway, for debugging.',
}

const downSummaries: Readonly<Record<(typeof downChannels)[number], string>> = {
  cmd: 'A command to a gateway or a device behind it.',
  raw: 'Raw frames to the field bus of a gateway, for debugging.',
  ack: 'The last message up to which all messages of a gateway are stored.',
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
  summary: 'Newest values, commands and changes of the tree, as they arrive.',
  permissions: [],
  errors: [],
}

const names = Object.keys(endpoints) as readonly EndpointName[]
const interfaces: readonly Unowned[] = [...names.map(toHttp), ...mqtt, live]

/** The fields of a role that this list uses. */
interface RoleOfInterfaces {
  readonly name: string
  readonly urls: readonly string[]
}

/** A page of the interfaces that contain `text`, each with the roles that may call it. */
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
