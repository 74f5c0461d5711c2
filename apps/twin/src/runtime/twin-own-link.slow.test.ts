import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { birthMessage, telemetryMessage } from '@isotherm/contract/mqtt'
import type { Broker } from '@isotherm/engines/broker/broker'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { demoFirmware } from '../scenarios/firmware.ts'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { type ReceivedMessage, startFieldBroker } from './field-broker.testkit.ts'
import { startTwin, type Twin } from './twin.ts'

const SECRET = 'a secret'
const scenario = createSmall({
  ownLinkShare: 0.4,
  firmware: { ...demoFirmware, ownLink: { periodS: 4, awakeS: 1.5 } },
})
const received: ReceivedMessage[] = []
const folder = mkdtempSync(join(tmpdir(), 'isotherm-twin-'))
let broker: Broker
let twin: Twin

beforeAll(async () => {
  broker = await startFieldBroker({
    secret: SECRET,
    receive: (message) => {
      received.push(message)
    },
  })
  const mqttUrl = `mqtt://127.0.0.1:${broker.port}`
  const config = { mqttUrl, mqttSecret: SECRET, dataFolder: folder, timeFactor: 60, seasonDays: 0 }
  twin = startTwin(
    scenario,
    { ...config, scenario: scenario.name, language: 'zh', truthPort: undefined },
    Date.now,
  )
  await twin.ready
})
afterAll(async () => {
  await twin.stop()
  await broker.close()
  rmSync(folder, { recursive: true })
})

it('lets a valve with its own link connect, report, receive a waiting command, and disconnect', async () => {
  const gateway = twin.field.gateways.find(({ ownLink }) => ownLink !== undefined)
  if (gateway === undefined) throw new Error('no valve has a link of its own')
  const { serial } = gateway
  const now = Date.now()
  const order = { v: 1, id: 'c1', dev: serial, do: 'valve.set', args: { opening: 20 } }
  const payload = Buffer.from(JSON.stringify({ ...order, iat: now, exp: now + MINUTE_MS, rev: 1 }))
  const bodiesOf = (channel: string) =>
    received
      .filter((message) => message.gateway === serial && message.channel === channel)
      .map(({ body }) => body)
  await vi.waitFor(() => expect(bodiesOf('birth').length).toBeGreaterThanOrEqual(2), { timeout: 30_000 })
  const [first, second] = bodiesOf('birth').map((body) => birthMessage.parse(body))
  expect(first).toMatchObject({ online: true })
  expect(second).toMatchObject({ online: false, reason: 'sleep' })
  await expect.poll(() => broker.isConnected(`heyuan/${serial}`)).toBe(false)
  await broker.publish({ topic: `hx/v1/heyuan/${serial}/down/cmd`, payload, qos: 1, retain: false })
  await vi.waitFor(
    () => expect(bodiesOf('reply')).toContainEqual(expect.objectContaining({ stage: 'done', code: 0 })),
    {
      timeout: 30_000,
    },
  )
  const readings = bodiesOf('telemetry').flatMap((body) => telemetryMessage.parse(body).d)
  expect(readings.length).toBeGreaterThan(0)
  for (const { id } of readings) expect(id).toBe(serial)
  expect(gateway.valves.get(serial)?.actuator.position).toBe(0.2)
})
