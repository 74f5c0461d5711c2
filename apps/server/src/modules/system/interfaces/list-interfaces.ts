import type { Endpoint } from '@isotherm/contract/endpoint'
import { toUrlPath } from '@isotherm/contract/endpoint'
import type { InterfaceItem } from '@isotherm/contract/endpoints/administration/interfaces'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { LIVE_PATH } from '@isotherm/contract/live'
import { downChannels, toDownTopic, toUpTopic, upChannels } from '@isotherm/contract/mqtt'

/** What the contract states of an interface. */
export type Declared = Omit<InterfaceItem, 'roles' | 'enabled' | 'calls' | 'failures' | 'p95Ms' | 'abilities'>

function toHttp(name: EndpointName): Declared {
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
  unregistered: 'Devices that send frames on the lines of a gateway and are not in its configuration.',
}

const downSummaries: Readonly<Record<(typeof downChannels)[number], string>> = {
  cmd: 'A command to a gateway or a device behind it.',
  raw: 'Raw frames to the field bus of a gateway, for debugging.',
  ack: 'The last message up to which all messages of a gateway are stored.',
  time: "The server's clock.",
  login: 'The password of a gateway that signed in with a one-time token.',
}

const ofDevices: Pick<Declared, 'kind' | 'access' | 'permissions' | 'errors'> = {
  kind: 'mqtt',
  access: 'device',
  permissions: [],
  errors: [],
}

const mqtt: readonly Declared[] = [
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

const live: Declared = {
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
/** Every endpoint, topic and connection of the contract. */
const interfaces: readonly Declared[] = [...names.map(toHttp), ...mqtt, live]

/** The interfaces that contain `text` in name, address or summary. */
export function findInterfaces(text: string): readonly Declared[] {
  const part = text.toLowerCase()
  return interfaces.filter(({ name, address, summary }) =>
    [name, address, summary].some((where) => where.toLowerCase().includes(part)),
  )
}
