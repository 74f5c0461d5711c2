import { once } from 'node:events'
import type { Endpoint } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { ErrorCode } from '@isotherm/contract/errors'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import WebSocket from 'ws'
import type { z } from 'zod'
import { connectNode } from './connect-gateway.testkit.ts'
import {
  type Asking,
  countAlarms,
  createDownload,
  createReadingChannels,
  lookAtCampaigns,
  lookAtSettings,
  type Valve,
  valves,
} from './permission-channels.testkit.ts'
import type { TestServer } from './server.testkit.ts'

/** What is pushed besides newest values. */
export type News = 'command' | 'batch' | 'hold' | 'alarm'

/** Somebody who stays signed in, by the same tokens and the same live connection, whatever is granted. */
export interface Watcher {
  /** Calls an endpoint and gives its data; throws when it fails. */
  give(name: EndpointName, input: unknown): Promise<unknown>
  /** Names a channel that answers with valves, and the serials it gave, in order. */
  look(): Promise<Readonly<Record<string, readonly string[]>>>
  /** Names of the buildings the tree shows. */
  lookAtTree(): Promise<readonly string[]>
  /** Names of the buildings on the map. */
  lookAtMap(): Promise<readonly string[]>
  /** Valves of the newest order of `whole` that the operation log shows. */
  lookAtLog(): Promise<readonly string[]>
  /** Valves that are held. */
  lookAtHolds(): Promise<readonly string[]>
  /** Names of the buildings with a rule, a silence and a target of alarms of their own. */
  lookAtSettings(): ReturnType<typeof lookAtSettings>
  /** Names of the buildings with a balance of their own. */
  lookAtCampaigns(): Promise<readonly string[]>
  /** Devices below the root: as a list counts them, and as the health of the node does; and alarms. */
  count(): Promise<{ readonly listed: number; readonly ofHealth: number; readonly alarms: number }>
  /** Valves that newest values are pushed of. */
  pushed(): readonly string[]
  /** Valves, or ids of batches, that something was pushed of since this was asked the last time. */
  take(news: News): ReadonlySet<string>
  close(): void
}

const everyKind = ['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator'] as const
const limiter = { page: 1, size: 1_000 }

/** Newest values and the news that a live connection was pushed. */
async function watch(base: string, token: string) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/live`)
  let rows = new Set<number>()
  const news = {
    command: new Set<string>(),
    batch: new Set<string>(),
    hold: new Set<string>(),
    alarm: new Set<string>(),
  }
  const take = (event: LiveEvent): void => {
    if (event.type === 'command') news.command.add(event.command.deviceName)
    if (event.type === 'batch') news.batch.add(event.id)
    if (event.type === 'hold' && event.ended === undefined) news.hold.add(event.hold.deviceName)
    if (event.type === 'alarm') news.alarm.add(event.alarm?.imei ?? 'many')
    if (event.type !== 'states') return
    if (event.full) rows = new Set()
    for (const { deviceId } of event.rows) rows.add(deviceId)
  }
  socket.on('message', (data) => take(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token }))
  socket.send(JSON.stringify({ type: 'subscribe', sub: 'all', nodes: [], kinds: ['valve'] }))
  return { rows: () => rows, news, close: () => socket.terminate() }
}

export async function createWatcher(server: TestServer, account: string): Promise<Watcher> {
  const tokens = await server.logIn(account)
  const ids = new Map<Valve, number>()
  for (const serial of valves) ids.set(serial, await server.deviceId(serial))
  const serialOf = (id: number): string => [...ids].find(([, known]) => known === id)?.[0] ?? `device ${id}`
  const live = await watch(server.base, tokens['ht-api'])

  const ask = (name: EndpointName, input: unknown) => {
    const endpoint: Endpoint = endpoints[name]
    return server.call(endpoint, input, tokens[endpoint.backend])
  }

  async function get<Input extends z.ZodType, Output>(
    endpoint: Endpoint<Input, z.ZodType<Output>>,
    input: z.infer<Input>,
  ): Promise<Output> {
    const { code, text, data } = await server.call(endpoint, input, tokens[endpoint.backend])
    if (code !== undefined) throw new Error(`${account}: ${endpoint.path}: ${code} ${text}`)
    return endpoint.output.parse(data)
  }

  const asking: Asking = { get, download: createDownload(server, tokens['ht-api']) }

  /** Valves that a call takes, or refuses as `taking`, when it names them directly; all others must be not-found. */
  async function probe(
    name: EndpointName,
    toInput: (serial: Valve, id: number) => unknown,
    taking?: ErrorCode,
  ) {
    const taken: string[] = []
    for (const [serial, id] of ids) {
      const { code, text } = await ask(name, toInput(serial, id))
      if (code === taking) taken.push(serial)
      else if (code !== 'device.not-found') throw new Error(`${account}: ${name}: ${code} ${text}`)
    }
    return taken
  }

  const history = (_: Valve, id: number) => ({
    deviceIds: [id],
    metrics: ['valve.opening'],
    from: 0,
    to: 1_000,
    maxPoints: 10,
  })
  const page = { nodes: [], kinds: ['valve' as const], limiter }
  const selects = { kinds: ['valve' as const], filter: [], limiter }
  const isOfValves = { field: 'kind', cond: 'eq' as const, vstd: 'valve' }
  const isValve = (serial: string): boolean => serial.startsWith('V-')

  const ofAlarms = { nodes: [], filter: [] }

  async function listFound(): Promise<readonly string[]> {
    const { datalist } = await get(endpoints.searchTree, { text: 'V-b', size: 100 })
    return datalist.flatMap(({ device }) => device?.serial ?? []).filter(isValve)
  }

  /** Every channel that answers with devices. */
  const channels: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    list: async () => (await get(endpoints.getDevsFromPrjTree, page)).datalist.map(({ imei }) => imei),
    search: listFound,
    newest: async () =>
      (await get(endpoints.getDataLastFromNodeList, page)).datalist.map(({ deviceId }) => serialOf(deviceId)),
    'newest by node': async () =>
      (await get(endpoints.getDataLastFromPrjTree, page)).datalist.flatMap(({ devices }) =>
        devices.map(({ device }) => device.imei),
      ),
    'newest selected': async () =>
      (await get(endpoints.getThreeSelectNewRealDev, selects)).datalist.map(({ device }) => device.imei),
    'newest in order': async () =>
      (
        await get(endpoints.getThreeSelectNewRealDevOrderBy, {
          ...selects,
          orderBy: 'valve.opening',
          desc: true,
        })
      ).datalist.map(({ device }) => device.imei),
    'newest named': () =>
      probe('rbacGetDataLastFromLeafs', (_, id) => ({ nodes: [], deviceIds: [id], limiter })),
    history: () => probe('getDataHisFromDevs', history),
    'history, rbac': () => probe('rbacGetDataHisFromDevs', history),
    'history, buckets': () =>
      probe('getDataBuckets', (_, id) => ({
        deviceIds: [id],
        metrics: ['valve.opening'],
        level: 'day',
        columns: ['avg'],
        from: 0,
        to: 1_000,
      })),
    'history, rows': () =>
      probe('countDataRows', (_, id) => ({
        deviceIds: [id],
        metrics: ['valve.opening'],
        level: 'raw',
        from: 0,
        to: 1_000,
      })),
    'command log': async () => [
      ...new Set((await get(endpoints.getCtlLog, { limiter })).datalist.map(({ deviceName }) => deviceName)),
    ],
    'last commands': () => probe('getCtlLogCmdLast', (_, id) => ({ deviceIds: [id] })),
    commands: () =>
      probe('publishMqCtlCmd', (_, id) => ({ targets: [{ deviceId: id, openingPct: 50 }], reason: 'test' })),
    'noted openings': () =>
      probe('updateDevLastOpenset', (_, id) => ({ items: [{ deviceId: id, openingPct: 50 }] })),
    registry: async () =>
      (await get(endpoints.getDevs, { kind: 'valve', pageNo: 1, pageSize: 1_000 })).list.map(
        ({ imei }) => imei,
      ),
    'registry by filter': async () =>
      (await get(endpoints.getDev, { filter: [isOfValves], limiter })).datalist.map(({ imei }) => imei),
    presets: async () =>
      (await get(endpoints.getDevPre, { filter: [isOfValves], limiter })).datalist.map(({ imei }) => imei),
    'registry by number': () => probe('getDevice', (_, id) => ({ id })),
    'registry by serial': () => probe('getDeviceInfoByDeviceNos', (serial) => ({ deviceNos: [serial] })),
    'known serials': async () => {
      const found: string[] = []
      for (const imei of valves) {
        const { datalist } = await get(endpoints.isExistImei, { imei })
        found.push(...datalist.map((device) => device.imei))
      }
      return found
    },
    // From a version it will never have: what is seen is stale, what is not is not found.
    edits: () => probe('updateDev', (_, id) => ({ id, version: 1_000_000, name: 'x' }), 'entity.stale'),
    'edits by phone': () =>
      probe('wxUpdateDevByTk', (_, id) => ({ id, version: 1_000_000, name: 'x' }), 'entity.stale'),
    'control devices': async () =>
      (await get(endpoints.getCtlDev, { filter: [], limiter })).datalist.map(({ imei }) => imei),
    alarms: async () =>
      (await get(endpoints.getAlarms, { ...ofAlarms, open: true, suppressed: false, limiter })).datalist.map(
        ({ imei }) => imei ?? 'a node',
      ),
    'alarm log': async () => [
      ...new Set(
        (await get(endpoints.getAlarmLog, { ...ofAlarms, limiter })).datalist.map(
          ({ deviceName }) => deviceName ?? 'a node',
        ),
      ),
    ],
    'findings of a device': () => probe('getFindings', (_, id) => ({ deviceIds: [id] })),
    'quarantine of a device': () => probe('getQuarantine', (imei) => ({ imei })),
    'holds of a device': () => probe('getHolds', (_, id) => ({ deviceIds: [id], limiter })),
    'device groups': async () => {
      const { datalist } = await get(endpoints.getCtlGroup, { filter: [], limiter: { page: 1, size: 100 } })
      return datalist.flatMap(({ deviceIds }) => deviceIds.map(serialOf))
    },
  }

  return {
    async give(name, input) {
      const { code, text, data } = await ask(name, input)
      if (code !== undefined) throw new Error(`${account}: ${name}: ${code} ${text}`)
      return data
    },
    async look() {
      const seen: Record<string, readonly string[]> = {}
      for (const [name, look] of Object.entries(channels)) seen[name] = (await look()).toSorted()
      // Whose names come in many rows.
      for (const [name, look] of Object.entries(createReadingChannels(asking)))
        seen[name] = [...new Set(await look())].toSorted()
      return seen
    },
    async lookAtTree() {
      const { datalist } = await get(endpoints.getSubUser, { filter: [], limiter })
      return datalist.map(({ name }) => name).toSorted()
    },
    async lookAtMap() {
      const { datalist } = await get(endpoints.getZoneGis, { filter: [], limiter })
      return datalist.map(({ label }) => label).toSorted()
    },
    async lookAtLog() {
      const wanted = { account: 'whole', endpoint: 'publishMqCtlCmd', filter: [] }
      const { datalist } = await get(endpoints.getOperations, { ...wanted, limiter: { page: 1, size: 1 } })
      return (datalist[0]?.changes ?? [])
        .flatMap(({ entity, after }) => (entity === 'command' ? [serialOf(Number(after?.device_id))] : []))
        .toSorted()
    },
    async lookAtHolds() {
      const { datalist } = await get(endpoints.getHolds, { limiter })
      return datalist.map(({ deviceName }) => deviceName).toSorted()
    },
    lookAtSettings: () => lookAtSettings(asking),
    lookAtCampaigns: () => lookAtCampaigns(asking),
    async count() {
      const { total } = await get(endpoints.getDevsFromPrjTree, { nodes: [], kinds: [...everyKind], limiter })
      const { datalist } = await get(endpoints.getNodeHealth, { nodes: ['-1'] })
      return { listed: total, ofHealth: datalist[0]?.devCount ?? 0, alarms: await countAlarms(asking) }
    },
    pushed: () => [...live.rows()].map(serialOf).toSorted(),
    take(of) {
      const taken = new Set(live.news[of])
      live.news[of].clear()
      return taken
    },
    close: live.close,
  }
}

/** The concentrator reports openings of valves behind it, %; resolves when they are stored. */
export async function report(
  server: TestServer,
  concentrator: string,
  openings: Readonly<Record<string, number>>,
): Promise<void> {
  const node = await connectNode(server, concentrator)
  const ts = Date.now()
  const d = Object.entries(openings).map(([id, opening]) => ({ id, ts, m: { 'valve.opening': opening } }))
  await node.say('telemetry', { v: 1, boot: 1, seq: 0, ts, d })
  await node.leave()
}
