import { once } from 'node:events'
import type { Endpoint } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { ErrorCode } from '@isotherm/contract/errors'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import WebSocket from 'ws'
import type { z } from 'zod'
import { connectGateway } from './connect-gateway.testkit.ts'
import {
  type AccountCalls,
  countAlarms,
  createDownload,
  createReadingChannels,
  readAlarmSettings,
  readCampaigns,
  type Valve,
  valves,
} from './permission-channels.testkit.ts'
import type { TestServer } from './server.testkit.ts'

/** Kinds of live events besides newest values. */
export type LiveKind = 'command' | 'batch' | 'hold' | 'alarm'

/** An account that stays signed in with the same tokens and live connection while its grants change. */
export interface Watcher {
  /** Calls an endpoint and returns its data. Throws if the call fails. */
  call(name: EndpointName, input: unknown): Promise<unknown>
  /** The serials that each channel returns, sorted, by the name of the channel. */
  readChannels(): Promise<Readonly<Record<string, readonly string[]>>>
  /** Names of the buildings in the tree. */
  readTree(): Promise<readonly string[]>
  /** Names of the buildings on the map. */
  readMap(): Promise<readonly string[]>
  /** Valves of the newest batch of `whole` in the operation log. */
  readLog(): Promise<readonly string[]>
  /** Valves with a hold. */
  readHolds(): Promise<readonly string[]>
  /** Names of the buildings with their own alarm rules, silences and notification targets. */
  readAlarmSettings(): ReturnType<typeof readAlarmSettings>
  /** Names of the buildings with their own campaigns. */
  readCampaigns(): Promise<readonly string[]>
  /** Devices below the root, counted by a list and by node health, and the number of alarms. */
  count(): Promise<{ readonly listed: number; readonly ofHealth: number; readonly alarms: number }>
  /** Valves whose newest values are pushed. */
  pushed(): readonly string[]
  /** Valves, or ids of batches, of the events pushed since the last call. */
  takeEvents(kind: LiveKind): ReadonlySet<string>
  close(): void
}

const everyKind = ['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator'] as const
const limiter = { page: 1, size: 1_000 }

/** Collects the newest values and the events of a live connection. */
async function watch(base: string, token: string) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/live`)
  let rows = new Set<number>()
  const events = {
    command: new Set<string>(),
    batch: new Set<string>(),
    hold: new Set<string>(),
    alarm: new Set<string>(),
  }
  const take = (event: LiveEvent): void => {
    if (event.type === 'command') events.command.add(event.command.deviceName)
    if (event.type === 'batch') events.batch.add(event.id)
    if (event.type === 'hold' && event.ended === undefined) events.hold.add(event.hold.deviceName)
    if (event.type === 'alarm') events.alarm.add(event.alarm?.imei ?? 'many')
    if (event.type !== 'states') return
    if (event.full) rows = new Set()
    for (const { deviceId } of event.rows) rows.add(deviceId)
  }
  socket.on('message', (data) => take(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token }))
  socket.send(JSON.stringify({ type: 'subscribe', sub: 'all', nodes: [], kinds: ['valve'] }))
  return { rows: () => rows, events, close: () => socket.terminate() }
}

export async function createWatcher(server: TestServer, account: string): Promise<Watcher> {
  const tokens = await server.logIn(account)
  const ids = new Map<Valve, number>()
  for (const serial of valves) ids.set(serial, await server.deviceId(serial))
  const serialOf = (id: number): string => [...ids].find(([, known]) => known === id)?.[0] ?? `device ${id}`
  const live = await watch(server.base, tokens['ht-api'])

  const request = (name: EndpointName, input: unknown) => {
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

  const calls: AccountCalls = { get, download: createDownload(server, tokens['ht-api']) }

  /** Valves that a call accepts, or refuses with `accepting`. All others must be refused as not-found. */
  async function probe(
    name: EndpointName,
    toInput: (serial: Valve, id: number) => unknown,
    accepting?: ErrorCode,
  ) {
    const taken: string[] = []
    for (const [serial, id] of ids) {
      const { code, text } = await request(name, toInput(serial, id))
      if (code === accepting) taken.push(serial)
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
    // A version that never exists: a visible device is stale, an invisible one is not found.
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
    async call(name, input) {
      const { code, text, data } = await request(name, input)
      if (code !== undefined) throw new Error(`${account}: ${name}: ${code} ${text}`)
      return data
    },
    async readChannels() {
      const found: Record<string, readonly string[]> = {}
      for (const [name, read] of Object.entries(channels)) found[name] = (await read()).toSorted()
      // These channels return several rows for one valve.
      for (const [name, read] of Object.entries(createReadingChannels(calls)))
        found[name] = [...new Set(await read())].toSorted()
      return found
    },
    async readTree() {
      const { datalist } = await get(endpoints.getSubUser, { filter: [], limiter })
      return datalist.map(({ name }) => name).toSorted()
    },
    async readMap() {
      const { datalist } = await get(endpoints.getZoneGis, { filter: [], limiter })
      return datalist.map(({ label }) => label).toSorted()
    },
    async readLog() {
      const wanted = { account: 'whole', endpoint: 'publishMqCtlCmd', filter: [] }
      const { datalist } = await get(endpoints.getOperations, { ...wanted, limiter: { page: 1, size: 1 } })
      return (datalist[0]?.changes ?? [])
        .flatMap(({ entity, after }) => (entity === 'command' ? [serialOf(Number(after?.device_id))] : []))
        .toSorted()
    },
    async readHolds() {
      const { datalist } = await get(endpoints.getHolds, { limiter })
      return datalist.map(({ deviceName }) => deviceName).toSorted()
    },
    readAlarmSettings: () => readAlarmSettings(calls),
    readCampaigns: () => readCampaigns(calls),
    async count() {
      const { total } = await get(endpoints.getDevsFromPrjTree, { nodes: [], kinds: [...everyKind], limiter })
      const { datalist } = await get(endpoints.getNodeHealth, { nodes: ['-1'] })
      return { listed: total, ofHealth: datalist[0]?.devCount ?? 0, alarms: await countAlarms(calls) }
    },
    pushed: () => [...live.rows()].map(serialOf).toSorted(),
    takeEvents(kind) {
      const events = new Set(live.events[kind])
      live.events[kind].clear()
      return events
    },
    close: live.close,
  }
}

/** The concentrator sends openings of valves behind it, %. Resolves when they are stored. */
export async function report(
  server: TestServer,
  concentrator: string,
  openings: Readonly<Record<string, number>>,
): Promise<void> {
  const gateway = await connectGateway(server, concentrator)
  const ts = Date.now()
  const d = Object.entries(openings).map(([id, opening]) => ({ id, ts, m: { 'valve.opening': opening } }))
  await gateway.send('telemetry', { v: 1, boot: 1, seq: 0, ts, d })
  await gateway.leave()
}
