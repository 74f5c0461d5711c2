import type { Permission } from '@isotherm/contract/access/permissions'
import type { LiveEvent } from '@isotherm/contract/live'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createSubscriptions, type SubscribeRequest } from './subscriptions.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const permissions = new Set<Permission>(['pe-fmreal'])
const scopeOf = async (...keys: readonly string[]): Promise<Scope> => ({
  kind: 'paths',
  paths: await Promise.all(keys.map((key) => core.pathOf(key))),
})

const toValve = (id: number, path: string): DirectoryEntry => ({
  id,
  path,
  tenant: 'demo',
  serial: `v${id}`,
  kind: 'valve',
  concentratorId: undefined,
  periodS: 60,
})

/** Subscriptions of one connection to the tree of core.testkit.ts, with valves at the given paths. */
function createBench(paths: readonly string[]) {
  const devices = new Map(paths.map((path, index) => [index + 1, toValve(index + 1, path)]))
  const sent: Extract<LiveEvent, { type: 'states' }>[] = []
  let leftVersion = 0
  const subscriptions = createSubscriptions({
    clock: core.clock,
    epoch: 'e',
    network: core.network,
    lookups: core.network,
    waitForSlice: async () => undefined,
    states: {
      version: () => 7,
      find: (id) => ({ deviceId: id, ts: 1, quality: 0, metrics: {} }),
      versionOf: (id) => id,
    },
    leftVersion: () => leftVersion,
    directory: { below: () => devices.values(), findById: (id) => devices.get(id) },
    send(event) {
      if (event.type === 'states') sent.push(event)
    },
    isBehind: () => false,
    isClosed: () => false,
  })
  return {
    subscriptions,
    sent,
    /** Moves a valve, or removes it. */
    move(id: number, path?: string) {
      const former = devices.get(id)
      if (path === undefined) devices.delete(id)
      else devices.set(id, toValve(id, path))
      leftVersion = 7
      subscriptions.applyMove(former, devices.get(id))
    },
    async renew(scope: Scope) {
      const refused: [name: string, code: string][] = []
      await subscriptions.renew({ permissions, scope }, (name, { code }) => refused.push([name, code]))
      return refused
    },
    last: () => ({ full: sent.at(-1)?.full, ids: sent.at(-1)?.rows.map(({ deviceId }) => deviceId) }),
  }
}

const subscribe = (nodes: readonly string[], since?: SubscribeRequest['since']): SubscribeRequest => ({
  type: 'subscribe',
  sub: 'x',
  nodes: [...nodes],
  kinds: ['valve'],
  ...(since ? { since } : {}),
})

const toPaths = (...keys: readonly string[]) => Promise.all(keys.map((key) => core.pathOf(key)))

test('a subscription continues with its nodes that are still granted, and with all of them when they are granted again', async () => {
  const { subscriptions, renew, last } = createBench(await toPaths('b2u1', 'b3u1'))
  const nodes = [await core.nodeKey('s1'), await core.nodeKey('s2')]
  const both = await scopeOf('s1', 's2')
  await subscriptions.open(subscribe(nodes), { permissions, scope: both })
  expect(last()).toEqual({ full: true, ids: [1, 2] })
  expect(await renew(await scopeOf('s1'))).toEqual([])
  expect(last()).toEqual({ full: true, ids: [1] })
  expect(subscriptions.covers(await core.pathOf('a1'))).toBe(true)
  expect(subscriptions.covers(await core.pathOf('a2'))).toBe(false)
  expect(await renew(both)).toEqual([])
  expect(last()).toEqual({ full: true, ids: [1, 2] })
})

test('who sees rooms or meters watches these, and no other device', async () => {
  const { subscriptions } = createBench([])
  const scope = await scopeOf('p')
  const open = (permission: Permission, ...kinds: SubscribeRequest['kinds']) =>
    subscriptions.open({ ...subscribe([]), kinds }, { permissions: new Set([permission]), scope })
  await open('pr-rtreal', 'room-sensor')
  await open('pc-caldata', 'heat-meter')
  await open('pe-fmreal', 'valve', 'heat-meter')
  for (const [permission, ...kinds] of [
    ['pr-rtreal', 'valve'],
    ['pr-rtreal', 'room-sensor', 'valve'],
    ['pr-rtreal', 'heat-meter'],
    ['pg-gisshow', 'room-sensor'],
  ] as const)
    await expect(open(permission, ...kinds), permission).rejects.toMatchObject({ code: 'access.denied' })
})

test('a subscription without remaining nodes is refused', async () => {
  const { subscriptions, renew } = createBench([])
  await subscriptions.open(subscribe([await core.nodeKey('s1'), await core.nodeKey('b2')]), {
    permissions,
    scope: await scopeOf('s1'),
  })
  expect(await renew(await scopeOf('s2'))).toEqual([['x', 'node.not-found']])
  expect(subscriptions.covers(await core.pathOf('a1'))).toBe(false)
})

test('a subscription to everything follows the grants', async () => {
  const { subscriptions, renew, last } = createBench(await toPaths('b2u1', 'b3u1'))
  await subscriptions.open(subscribe([]), { permissions, scope: await scopeOf('s1') })
  expect(await renew(await scopeOf('s2'))).toEqual([])
  expect(last()).toEqual({ full: true, ids: [2] })
})

test('a subscription restarts after a device was moved out of it or removed', async () => {
  const { subscriptions, sent, move, renew, last } = createBench(await toPaths('b2u1', 'b2u2', 'b10u1'))
  const scope = await scopeOf('p')
  await subscriptions.open(subscribe([await core.nodeKey('b2')]), { permissions, scope })
  expect(last()).toEqual({ full: true, ids: [1, 2] })
  move(1, await core.pathOf('b10u1'))
  expect(subscriptions.hasOutdated()).toBe(true)
  await renew(scope)
  expect(last()).toEqual({ full: true, ids: [2] })
  move(2)
  await renew(scope)
  expect(last()).toEqual({ full: true, ids: [] })
  expect(subscriptions.hasOutdated()).toBe(false)
  expect(sent).toHaveLength(3)
})

test('a subscription does not restart when a device moves inside it, and the device is not sent again', async () => {
  const { subscriptions, sent, move, renew } = createBench(await toPaths('b2u1'))
  const scope = await scopeOf('p')
  await subscriptions.open(subscribe([await core.nodeKey('a1')]), { permissions, scope })
  move(1, await core.pathOf('b10u1'))
  await renew(scope)
  core.clock.advance(5_000)
  expect(sent).toHaveLength(1)
})

test('a cursor from before a device left gets everything, a later one resumes', async () => {
  const { subscriptions, move, last } = createBench(await toPaths('b2u1', 'b2u2'))
  const scope = await scopeOf('p')
  const nodes = [await core.nodeKey('b2')]
  await subscriptions.open(subscribe(nodes, { epoch: 'e', version: 7 }), { permissions, scope })
  expect(last()).toEqual({ full: false, ids: [] })
  move(1, await core.pathOf('b10u1'))
  await subscriptions.open(subscribe(nodes, { epoch: 'e', version: 7 }), { permissions, scope })
  expect(last()).toEqual({ full: true, ids: [2] })
  await subscriptions.open(subscribe(nodes, { epoch: 'e', version: 8 }), { permissions, scope })
  expect(last()).toEqual({ full: false, ids: [] })
})
