import { once } from 'node:events'
import { permissions } from '@isotherm/contract/access/permissions'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { z } from 'zod'
import { hasMosquitto } from '../../platform/mqtt/mosquitto.testkit.ts'
import { startTestReplicas, type TestReplicas } from '../../testing/replicas.testkit.ts'
import type { TestServer } from '../../testing/server.testkit.ts'

/** A user whose grant is withdrawn stops receiving within this time. */
const WITHDRAWN_MS = 2_000

describe.skipIf(!hasMosquitto)('on a Mosquitto of this machine (skipped if it is not installed)', () => {
  let replicas: TestReplicas
  let node: MqttClient
  let seq = 0
  const sockets: WebSocket[] = []

  beforeAll(async () => {
    replicas = await startTestReplicas()
    await replicas.one.createAccount('boss', permissions, [], 'provider')
    node = await replicas.connect('C-b2')
  }, 60_000)
  afterAll(async () => {
    for (const socket of sockets) socket.terminate()
    await replicas.stop()
  })

  /** Opens the live push of a server and watches all valves. */
  async function watch(server: TestServer, account: string) {
    const token = (await server.logIn(account))['ht-api']
    const socket = new WebSocket(`${server.base.replace('http', 'ws')}/live`)
    sockets.push(socket)
    const events: LiveEvent[] = []
    socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'hello', token }))
    const nodes = [await server.nodeKey('s1')]
    socket.send(JSON.stringify({ type: 'subscribe', sub: 'a', nodes, kinds: ['valve'] }))
    await expect.poll(() => events.map(({ type }) => type)).toEqual(['welcome', 'states'])
    /** The openings it received, in order. */
    const openings = () =>
      events.flatMap((event) =>
        event.type === 'states' ? event.rows.map(({ metrics }) => metrics['valve.opening']) : [],
      )
    return { events, openings }
  }

  async function report(openingPct: number): Promise<void> {
    const ts = Date.now()
    const d = [{ id: 'V-b2u1', ts, m: { 'valve.opening': openingPct } }]
    const message = JSON.stringify({ v: 1, boot: 1, seq: seq++, ts, d })
    await node.publishAsync('hx/v1/demo/C-b2/up/telemetry', message, { qos: 1 })
  }

  const countStored = async ({ base }: TestServer): Promise<number> => {
    const text = await (await fetch(`${base}/metrics`)).text()
    return Number(/^isotherm_ingest_points_total (\d+)$/m.exec(text)?.[1])
  }

  test('readings that one replica stores reach the sockets of the other', async () => {
    const { one, two } = replicas
    const viewers = [await watch(one, 'boss'), await watch(two, 'boss')]
    for (let openingPct = 10; openingPct < 20; openingPct += 1) {
      await report(openingPct)
      for (const { openings } of viewers) await expect.poll(() => openings().at(-1)).toBe(openingPct)
    }
    // Each reading was stored by one replica, and both stored some.
    const taken = [await countStored(one), await countStored(two)]
    expect(Math.min(...taken)).toBeGreaterThan(0)
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(10)
  }, 60_000)

  test('a user who loses a grant gets nothing of it two seconds later, on any replica', async () => {
    const { one, two } = replicas
    const uid = await one.createAccount('withdrawn', ['pe-fmreal'], ['p'])
    const viewers = [await watch(one, 'withdrawn'), await watch(two, 'withdrawn')]
    const control = [await watch(one, 'boss'), await watch(two, 'boss')]
    await report(41)
    for (const { openings } of [...viewers, ...control]) await expect.poll(() => openings().at(-1)).toBe(41)

    const token = (await one.logIn('boss'))['ht-api']
    const sent = await one.call(endpoints.getUserDevSubNestAddrByTk, { uid }, token)
    const { version } = z.object({ version: z.number() }).parse(sent.data)
    const nodes = [await one.nodeKey('s2')]
    const { code } = await one.call(
      endpoints.updateUserDevByTk,
      { uid, version, nodes, deviceIds: [] },
      token,
    )
    expect(code).toBeUndefined()
    const refused = { type: 'refused', sub: 'a', code: 'node.not-found' }
    await Promise.all(
      viewers.map(({ events }) =>
        expect.poll(() => events.at(-1), { timeout: WITHDRAWN_MS, interval: 20 }).toEqual(refused),
      ),
    )
    for (const openingPct of [42, 43, 44, 45]) {
      await report(openingPct)
      for (const { openings } of control) await expect.poll(() => openings().at(-1)).toBe(openingPct)
    }
    for (const { openings } of viewers) expect(openings().at(-1)).toBe(41)
  }, 60_000)
})
