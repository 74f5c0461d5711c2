import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { startBroker } from '@isotherm/engines/broker/broker'
import { afterEach, expect, test } from 'vitest'
import { simulateUnit } from '../drivers/dtu-tcp/simulator.testkit.ts'
import { simulateCjtMeter } from '../field/simulated-devices.testkit.ts'
import { startGateway } from './gateway.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const registration = '867725030000017'
const meter = { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188', pollPeriodS: 1 }
const toConfig = (device: object, dtu: object = {}) =>
  gatewayConfig.parse({
    v: 1,
    dtu: { host: '127.0.0.1', port: 0, ...dtu },
    lines: [{ driver: 'dtu-tcp', id: 'L1', registration, devices: [{ ...meter, ...device }] }],
  })

/** A gateway without a configuration. */
function startEmpty(mqttUrl: string) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'isotherm-gateway-'))
  const problems: string[] = []
  const gateway = startGateway({
    mqttUrl,
    name: { tenant: 'demo', gateway: 'GW-1' },
    password: 'secret',
    dataFolder,
    storeBytes: 1e7,
    historyDelayMs: 0,
    report: (text) => problems.push(text),
  })
  closers.push(() => rmSync(dataFolder, { recursive: true }), gateway.close)
  return { gateway, problems }
}

/** A gateway without a broker. */
async function start() {
  const { gateway, problems } = startEmpty('mqtt://127.0.0.1:1')
  await gateway.configure(toConfig({}), false)
  const simulated = simulateCjtMeter(meter.address)
  const unit = simulateUnit({
    port: gateway.dtuPort() ?? 0,
    registration: Buffer.from(registration),
    devices: [simulated],
  })
  closers.push(unit.close)
  await expect.poll(() => simulated.state.energyKwh).toBeGreaterThan(0)
  return { gateway, simulated, problems }
}

async function takePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a configuration that cannot be started leaves the former lines connected and read', async () => {
  const { gateway, simulated } = await start()
  await expect(gateway.configure(toConfig({}, { port: await takePort() }), false)).rejects.toThrow(
    'EADDRINUSE',
  )
  await expect(gateway.configure(toConfig({ profile: 'none' }), false)).rejects.toThrow(
    'device M1 of line L1: unknown-profile',
  )
  expect(gateway.health()).toMatchObject({ lines: 1, openLines: 1, devices: 1 })
  const before = simulated.state.energyKwh
  await expect.poll(() => simulated.state.energyKwh).toBeGreaterThan(before + 1)
})

test('two meters at one address of a line are refused; a meter and its valve may share one', async () => {
  const { gateway } = await start()
  const { lines, ...rest } = toConfig({})
  const withAlso = (device: object) =>
    gatewayConfig.parse({
      ...rest,
      lines: lines.map((line) => ({ ...line, devices: [...line.devices, { ...meter, ...device }] })),
    })
  await expect(gateway.configure(withAlso({ serial: 'M2' }), false)).rejects.toThrow(
    'device M2 of line L1: same-address',
  )
  await gateway.configure(withAlso({ serial: 'V1', profile: 'valve-on-off-cjt188' }), false)
  expect(gateway.health().devices).toBe(2)
})

test('a new configuration takes the port over from the former one, and the unit connects again', async () => {
  const { gateway, simulated } = await start()
  const port = gateway.dtuPort()
  await gateway.configure(toConfig({ serial: 'M2' }, { port }), false)
  expect(gateway.dtuPort()).toBe(port)
  await expect(gateway.configure(toConfig({}, { port, host: '0.0.0.0' }), false)).rejects.toThrow('restart')
  const before = simulated.state.energyKwh
  await expect.poll(() => simulated.state.energyKwh).toBeGreaterThan(before)
  expect(gateway.health()).toMatchObject({ openLines: 1 })
})

test('a device that cannot be polled is left out if the caller allows it', async () => {
  const { gateway, problems } = await start()
  await gateway.configure(toConfig({ profile: 'none' }), true)
  expect(gateway.health()).toMatchObject({ lines: 1, devices: 0 })
  expect(problems).toContain('left out: device M1 of line L1: unknown-profile')
})

/** A gateway without a configuration at a broker, and its messages on a channel. */
async function startAtBroker() {
  const messages: { readonly topic: string; readonly body: Record<string, unknown> }[] = []
  let delivered = 0
  const broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    authenticate: () => true,
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async ({ topic, payload }) => {
      messages.push({ topic, body: JSON.parse(payload.toString()) })
    },
    onDelivered: () => {
      delivered++
    },
  })
  closers.push(broker.close)
  const { gateway } = startEmpty(`mqtt://127.0.0.1:${broker.port}`)
  /** Sends a command until the gateway has it. */
  const command = (given: object) => {
    const payload = Buffer.from(JSON.stringify({ v: 1, ...given }))
    const topic = 'hx/v1/demo/GW-1/down/cmd'
    return expect
      .poll(async () => {
        await broker.publish({ topic, payload, qos: 1, retain: false })
        return delivered
      })
      .toBeGreaterThan(0)
  }
  const of = (channel: string) =>
    messages.filter(({ topic }) => topic.endsWith(channel)).map(({ body }) => body)
  return { gateway, command, of }
}

test('a search that arrives before the first configuration is carried out after it', async () => {
  const { gateway, command, of } = await startAtBroker()
  const args = { line: 'L1', method: 'mbus-primary' }
  const iat = Date.now()
  await command({ id: 'scan-1', dev: 'GW-1', do: 'scan', args, iat, exp: iat + 60_000 })
  await gateway.configure(toConfig({}), false)
  await expect.poll(() => of('up/reply')[0]).toMatchObject({ id: 'scan-1', code: 408 })
})
