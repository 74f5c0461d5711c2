import { toDownTopic, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import fc from 'fast-check'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toGatewayPassword } from './gateway-access.ts'

/** Secret of the passwords in these tests. */
export const secret = 'a secret of the tests only'
const tenants = ['one', 'two'] as const
const serials = ['C-1', 'C-2'] as const
/** Two companies whose concentrators have the same serials. */
export const gateways = tenants.flatMap((tenant) => serials.map((gateway) => ({ tenant, gateway })))
type Gateway = (typeof gateways)[number]

/** The logins of the gateways. */
export const logins = gateways.map((name) => ({
  username: toMqttUsername(name.tenant, name.gateway),
  password: toGatewayPassword(secret, name),
}))

/** A broker with the gateways as its users. */
export interface TestedBroker {
  readonly url: string
  /** What the gateway with a user name presents beside its password, or instead of it. Default: nothing. */
  toCredentials?(username: string): IClientOptions
  /** Sends a command as the server does. */
  send(topic: string, text: string): Promise<void>
  close(): Promise<void>
}

export interface IsolationOptions {
  readonly name: string
  readonly isThere: boolean
  readonly runs: number
  /** Whether it lets gateways in that have only their serial as client id. */
  readonly takesOldClientIds: boolean
  /** Whether it takes the user name from the certificate, and not from what a gateway sends. Default: false. */
  readonly namesByCertificate?: boolean
  /** Whether it ends the connection of a gateway that subscribes to a foreign topic. */
  readonly endsForeign?: boolean
  start(): Promise<TestedBroker>
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('connect' as const), at: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), at: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), at: fc.nat(3) }) },
)

let lastText = 0

/** Runs steps with a model of which gateway is connected; each gets exactly the commands to itself. */
async function run(
  { url, send, toCredentials = () => ({}) }: TestedBroker,
  steps: readonly { do: 'connect' | 'leave' | 'send'; at: number }[],
  takesOldClientIds: boolean,
) {
  const connected = new Map<Gateway, MqttClient>()
  const received = new Map<Gateway, string[]>(gateways.map((gateway) => [gateway, []]))
  const expected = new Map<Gateway, string[]>(gateways.map((gateway) => [gateway, []]))
  const lost: string[] = []
  for (const { do: action, at } of steps) {
    const gateway = gateways[at]
    if (!gateway) throw new Error('no gateway')
    const { tenant, gateway: serial } = gateway
    const client = connected.get(gateway)
    if (action === 'connect' && !client) {
      const username = toMqttUsername(tenant, serial)
      const opened = await connectAsync(url, {
        // Gateways that were configured before 0.2 have only their serial as client id.
        clientId: takesOldClientIds && serial === 'C-2' ? serial : username,
        username,
        password: toGatewayPassword(secret, gateway),
        clean: true,
        reconnectPeriod: 0,
        ...toCredentials(username),
      })
      opened.on('message', (_topic, payload) => received.get(gateway)?.push(payload.toString()))
      opened.on('close', () => connected.get(gateway) === opened && lost.push(username))
      await opened.subscribeAsync(`hx/v1/${tenant}/${serial}/down/#`, { qos: 1 })
      connected.set(gateway, opened)
    }
    if (action === 'leave' && client) {
      connected.delete(gateway)
      await client.endAsync()
    }
    if (action === 'send') {
      lastText += 1
      if (client) expected.get(gateway)?.push(String(lastText))
      await send(toDownTopic(tenant, serial, 'cmd'), String(lastText))
      if (client) await expect.poll(() => received.get(gateway)).toContain(String(lastText))
    }
  }
  const still = [...connected.values()]
  connected.clear()
  await Promise.all(still.map((client) => client.endAsync()))
  expect(lost).toEqual([])
  expect(received).toEqual(expected)
}

/** The same tests for any broker. */
export function describeIsolation(options: IsolationOptions): void {
  const { name, isThere, runs, takesOldClientIds, start } = options
  const { endsForeign = false, namesByCertificate = false } = options
  describe(`two companies with the same serials at the ${name} broker`, () => {
    let broker: TestedBroker
    beforeAll(async () => {
      if (isThere) broker = await start()
      else console.info(`${name} is not installed, so its test is skipped`)
    })
    afterAll(() => broker?.close())

    test.skipIf(!isThere)('neither see nor disturb each other', async () => {
      const steps = fc.array(step, { minLength: 4, maxLength: 14 })
      await fc.assert(
        fc.asyncProperty(steps, (chosen) => run(broker, chosen, takesOldClientIds)),
        { numRuns: runs },
      )
    })

    test.skipIf(!isThere)('are refused each other’s topics and passwords', async () => {
      const [first, second] = [gateways[0], gateways[2]]
      if (!first || !second) throw new Error('no gateways')
      const password = toGatewayPassword(secret, first)
      const own = toMqttUsername('one', 'C-1')
      const login = (name: string) => ({
        clientId: name,
        username: name,
        password,
        reconnectPeriod: 0,
        ...broker.toCredentials?.(own),
      })
      const foreign = toMqttUsername('two', 'C-1')
      if (!namesByCertificate) await expect(connectAsync(broker.url, login(foreign))).rejects.toThrow()
      const got: string[] = []
      async function open(): Promise<MqttClient> {
        const opened = await connectAsync(broker.url, login(namesByCertificate ? foreign : own))
        opened.on('error', () => undefined)
        opened.on('message', (topic) => got.push(topic))
        await opened.subscribeAsync('hx/v1/one/C-1/down/#', { qos: 1 })
        return opened
      }
      let client = await open()
      await client.subscribeAsync('hx/v1/two/C-1/down/#', { qos: 1 }).catch(() => undefined)
      await broker.send(toDownTopic('two', 'C-1', 'cmd'), 'not for us')
      if (endsForeign) {
        await expect.poll(() => client.connected).toBe(false)
        client = await open()
      }
      await broker.send(toDownTopic('one', 'C-1', 'cmd'), 'for us')
      await expect.poll(() => got).toEqual([toDownTopic('one', 'C-1', 'cmd')])
      // The embedded broker closes the connection, Mosquitto drops the message.
      client.publish(toUpTopic('two', 'C-1', 'telemetry'), '{}', { qos: 0 })
      await client.endAsync(true)
    })
  })
}
