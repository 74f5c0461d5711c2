import { permissions } from '@isotherm/contract/access/permissions'
import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importRegistry } from './modules/devices/import/import-registry.testkit.ts'
import { createRegistry } from './testing/core.testkit.ts'
import { createWatcher, type LiveKind, report, type Watcher } from './testing/permission.testkit.ts'
import { bitmaskReadings, type Valve, valves } from './testing/permission-channels.testkit.ts'
import {
  placeAlarms,
  placeCampaigns,
  placeFindings,
  placeQuarantine,
  placeReadings,
} from './testing/placed-things.testkit.ts'
import { startTestServer, type TestServer } from './testing/server.testkit.ts'

/**
 * Section 6 of the specification: a grant of a tree node or of a single device applies in every channel at once, also
 * after any change. The tests build on each other: each continues the state of the one before.
 */

let server: TestServer
let whole: Watcher
const watchers = new Map<string, Watcher>()
const accountIds = new Map<string, number>()

/** What an account must see: the valves, and the buildings that contain or lead to a granted place. */
interface Visible {
  readonly valves: readonly Valve[]
  readonly tree: readonly string[]
  /** Buildings on the map, if not all of the tree's: some only lead to granted places. */
  readonly map?: readonly string[]
  /** Valves that are visible as control devices, if not all. */
  readonly controlling?: readonly Valve[]
}
type Expected = Readonly<Record<string, Visible>>

const grantNode = async (account: string, key: string) => {
  const row = { account_id: accountIds.get(account) ?? 0, node_id: await server.nodeId(key) }
  await server.db.insertInto('account_node').values(row).execute()
}

const grantDevice = async (account: string, serial: Valve) => {
  const row = { account_id: accountIds.get(account) ?? 0, device_id: await server.deviceId(serial) }
  await server.db.insertInto('account_device').values(row).execute()
}

const takeNode = async (account: string, key: string) => {
  await server.db
    .deleteFrom('account_node')
    .where('account_id', '=', accountIds.get(account) ?? 0)
    .where('node_id', '=', await server.nodeId(key))
    .execute()
}

const takeDevices = async (account: string) => {
  await server.db
    .deleteFrom('account_device')
    .where('account_id', '=', accountIds.get(account) ?? 0)
    .execute()
}

const accounts = ['area', 'single', 'overlapping', 'nothing'] as const

beforeAll(async () => {
  server = await startTestServer()
  accountIds.set('whole', await server.createAccount('whole', permissions, [], 'provider'))
  for (const account of accounts)
    accountIds.set(account, await server.createAccount(account, permissions, []))
  await grantNode('area', 's1')
  await grantDevice('single', 'V-b2u1')
  for (const key of ['s1', 'a1', 'b2']) await grantNode('overlapping', key)
  for (const building of ['b2', 'b10', 'b3']) {
    await report(server, `C-${building}`, { [`V-${building}u1`]: 40, [`V-${building}u2`]: 50 })
  }
  whole = await createWatcher(server, 'whole')
  await prepare()
  for (const account of accounts) watchers.set(account, await createWatcher(server, account))
})
afterAll(async () => {
  for (const watcher of [whole, ...watchers.values()]) watcher.close()
  await server.stop()
})

/**
 * Makes every valve a control device and a member of one device group, and gives each commands, readings, findings and
 * alarms. Puts the buildings on the map, each with an alarm rule, a silence and a notification target.
 */
async function prepare(): Promise<void> {
  const deviceIds = await Promise.all(valves.map((serial) => server.deviceId(serial)))
  const items = deviceIds.map((deviceId) => ({ deviceId, purpose: 'supply' as const }))
  await whole.call('rbacInsertCtlDev', { items })
  await whole.call('insertCtlGroup', { name: '全部', description: '', deviceIds })
  const place = { longitudeDeg: 116.4, latitudeDeg: 39.9 }
  const buildings = await Promise.all(['b2', 'b10', 'b3'].map((key) => server.nodeKey(key)))
  await whole.call('updateZoneGis', { items: buildings.map((node) => ({ node, place })) })
  for (const node of buildings) {
    const rule = { ...alarmKinds['room-cold'].standard, kind: 'room-cold', deviceKinds: ['room-sensor'] }
    await whole.call('addAlarmRule', { ...rule, node })
    await whole.call('addAlarmSilence', { node, until: Date.now() + HOUR_MS, reason: 'all' })
    const target = { url: 'http://192.0.2.1/alarms', secret: 'a secret of the tests only', enabled: false }
    await whole.call('addAlarmTarget', { ...target, node, name: node })
  }
  await placeReadings(server, bitmaskReadings)
  await placeFindings(server, valves)
  await placeQuarantine(server, valves)
  await commandEach()
  await commandAll()
  await placeAlarms(server, valves)
  await placeCampaigns(server, ['b2', 'b10', 'b3'])
}

async function commandAll(): Promise<void> {
  const deviceIds = await Promise.all(valves.map((serial) => server.deviceId(serial)))
  const targets = deviceIds.map((deviceId) => ({ deviceId, openingPct: 60 }))
  await whole.call('publishMqCtlCmd', { targets, reason: 'all', holdUntil: Date.now() + HOUR_MS })
}

/** Sends each valve its own batch. Returns the valves by batch id. */
async function commandEach(): Promise<ReadonlyMap<string, Valve>> {
  const batches = new Map<string, Valve>()
  for (const serial of valves) {
    const targets = [{ deviceId: await server.deviceId(serial), openingPct: 60 }]
    const data = await whole.call('publishMqCtlCmd', { targets, reason: serial })
    batches.set(endpoints.publishMqCtlCmd.output.parse(data).batchId, serial)
  }
  return batches
}

/** The small registry with building b10 in the other area. */
function createMovedRegistry(): ReturnType<typeof createRegistry> {
  const registry = createRegistry()
  const isMoved = ({ key }: { readonly key: string }): boolean => key.startsWith('b10')
  const moved = registry.nodes
    .filter(isMoved)
    .map((node) => (node.key === 'b10' ? { ...node, parent: 'a2' } : node))
  // Parents come before their children.
  return { ...registry, nodes: [...registry.nodes.filter((node) => !isMoved(node)), ...moved] }
}

/** Waits until the pushed valves are right, then checks every other channel. */
async function expectVisible(expected: Expected): Promise<void> {
  for (const [account, { valves: seen, tree, map = tree, controlling = seen }] of Object.entries(expected)) {
    const watcher = watchers.get(account)
    if (!watcher) throw new Error(`nobody is ${account}`)
    const wanted = seen.toSorted()
    await expect.poll(() => watcher.pushed(), { message: account }).toEqual(wanted)
    for (const [channel, found] of Object.entries(await watcher.readChannels())) {
      const ofChannel = channel === 'control devices' ? controlling.toSorted() : wanted
      expect.soft(found, `${account}: ${channel}`).toEqual(ofChannel)
    }
    expect.soft(await watcher.readTree(), `${account}: tree`).toEqual(tree.toSorted())
    expect.soft(await watcher.readMap(), `${account}: map`).toEqual(map.toSorted())
    const { listed, ofHealth, alarms } = await watcher.count()
    expect.soft(ofHealth, `${account}: node health`).toBe(listed)
    expect.soft(alarms, `${account}: alarms counted`).toBe(seen.length)
    // Rules and silences of ancestors are visible; notification targets only to accounts that are granted the place.
    const settings = { rules: tree.toSorted(), silences: tree.toSorted(), targets: map.toSorted() }
    expect.soft(await watcher.readAlarmSettings(), `${account}: settings of alarms`).toEqual(settings)
    expect.soft(await watcher.readCampaigns(), `${account}: campaigns`).toEqual(map.toSorted())
  }
  for (const watcher of watchers.values()) for (const kind of liveKinds) watcher.takeEvents(kind)
  const batches = await commandEach()
  await commandAll()
  // A new comment each time: an unchanged alarm sends no event.
  await whole.call('editAlarms', { nodes: ['-1'], filter: [], comment: [...batches.keys()].join() })
  const pushes = Object.entries(expected).flatMap(([account, { valves: seen }]) =>
    liveKinds.map((kind) => {
      const received = new Set<string>()
      const receive = (): readonly string[] => {
        for (const name of watchers.get(account)?.takeEvents(kind) ?? []) received.add(name)
        // Batches of several valves are ignored.
        const found = [...received].flatMap((name) => (kind === 'batch' ? (batches.get(name) ?? []) : name))
        return found.toSorted()
      }
      return { message: `${account}: ${kind} pushed`, receive, wanted: seen.toSorted() }
    }),
  )
  for (const { message, receive, wanted } of pushes) await expect.poll(receive, { message }).toEqual(wanted)
  // All events have arrived by now. Accounts without a grant must still have received none.
  for (const { message, receive, wanted } of pushes) expect.soft(receive(), message).toEqual(wanted)
  for (const [account, { valves: seen }] of Object.entries(expected)) {
    const wanted = seen.toSorted()
    expect.soft(await watchers.get(account)?.readLog(), `${account}: operation log`).toEqual(wanted)
    expect.soft(await watchers.get(account)?.readHolds(), `${account}: holds`).toEqual(wanted)
  }
}

const liveKinds: readonly LiveKind[] = ['command', 'batch', 'hold', 'alarm']
const first: readonly Valve[] = ['V-b2u1', 'V-b2u2', 'V-b10u1', 'V-b10u2']
const second: readonly Valve[] = ['V-b3u1', 'V-b3u2']
const east = ['二号楼', '十号楼']

test('§6 grants of a subtree, a single device, overlapping subtrees and nothing apply in every channel', async () => {
  await expectVisible({
    area: { valves: first, tree: east },
    single: { valves: ['V-b2u1'], tree: ['二号楼'], map: [] },
    overlapping: { valves: first, tree: east },
    nothing: { valves: [], tree: [] },
  })
}, 120_000)

test('§6 an additional grant appears in every channel, on open connections too', async () => {
  await grantNode('area', 'a2')
  await grantNode('single', 'b10')
  await grantDevice('nothing', 'V-b3u1')
  await expectVisible({
    area: { valves: [...first, ...second], tree: [...east, '三号楼'] },
    single: {
      valves: ['V-b2u1', 'V-b10u1', 'V-b10u2'],
      tree: east,
      map: ['十号楼'],
    },
    overlapping: { valves: first, tree: east },
    nothing: { valves: ['V-b3u1'], tree: ['三号楼'], map: [] },
  })
}, 120_000)

test('§6 a removed grant disappears from every channel; places that another grant covers stay', async () => {
  await takeNode('area', 's1')
  await takeDevices('single')
  await takeNode('overlapping', 's1')
  await takeDevices('nothing')
  await expectVisible({
    area: { valves: second, tree: ['三号楼'] },
    single: { valves: ['V-b10u1', 'V-b10u2'], tree: ['十号楼'] },
    overlapping: { valves: first, tree: east },
    nothing: { valves: [], tree: [] },
  })
}, 120_000)

test('§6 a moved node keeps its own grants and comes under the grants of its new parent', async () => {
  await importRegistry(server.db, createMovedRegistry())
  await expectVisible({
    area: { valves: [...second, 'V-b10u1', 'V-b10u2'], tree: ['三号楼', '十号楼'] },
    single: { valves: ['V-b10u1', 'V-b10u2'], tree: ['十号楼'] },
    overlapping: { valves: ['V-b2u1', 'V-b2u2'], tree: ['二号楼'] },
    nothing: { valves: [], tree: [] },
  })
}, 120_000)

test('§6 a moved device leaves the grants of its old place; a device granted itself stays granted', async () => {
  await grantDevice('nothing', 'V-b2u1')
  const registry = createMovedRegistry()
  const devices = registry.devices.map((device) =>
    device.serial === 'V-b2u1' ? { ...device, node: 'b3u1' } : device,
  )
  await importRegistry(server.db, { ...registry, devices })
  await expectVisible({
    area: {
      valves: [...second, 'V-b10u1', 'V-b10u2', 'V-b2u1'],
      tree: ['三号楼', '十号楼'],
      // The moved valve still controls its old unit, which is not granted.
      controlling: [...second, 'V-b10u1', 'V-b10u2'],
    },
    single: { valves: ['V-b10u1', 'V-b10u2'], tree: ['十号楼'] },
    overlapping: { valves: ['V-b2u2'], tree: ['二号楼'] },
    nothing: { valves: ['V-b2u1'], tree: ['三号楼'], map: [], controlling: [] },
  })
}, 120_000)
