import { endpoints } from '@isotherm/contract/endpoints/all'
import { commandMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import { connectAsync, type IPublishPacket } from 'mqtt'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { hasMosquitto, startMosquitto } from '../../platform/mqtt/mosquitto.testkit.ts'
import { startTestServer } from '../../testing/server.testkit.ts'

const given = z.object({ commands: z.array(z.object({ id: z.string() })) })
const logged = z.object({ datalist: z.array(z.object({ id: z.string(), state: z.string() })) })

describe.skipIf(!hasMosquitto)('on a Mosquitto of this machine (skipped where there is none)', () => {
  test('a command has its expiry, id and answer topic as MQTT 5 properties and in its body', async () => {
    const broker = await startMosquitto()
    const server = await startTestServer({ settings: { MQTT_URL: `${broker.url}?client=properties` } })
    const node = await connectAsync(broker.url, { clientId: 'C-b2', protocolVersion: 5 })
    try {
      const received: IPublishPacket[] = []
      node.on('message', (_topic, _payload, packet) => received.push(packet))
      await node.subscribeAsync(toDownTopic('demo', 'C-b2', 'cmd'), { qos: 1 })
      await server.createAccount('whole', ['pe-fmcontrol'], [], 'provider')
      const token = (await server.logIn('whole'))['ht-api']
      const deviceId = await server.deviceId('V-b2u1')
      const order = { targets: [{ deviceId, openingPct: 40 }], reason: 'test' }
      const { data } = await server.call(endpoints.publishMqCtlCmd, order, token)
      const [command] = given.parse(data).commands
      await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 30_000 })
      const [{ properties, payload } = { properties: undefined, payload: '' }] = received
      const body = commandMessage.parse(JSON.parse(payload.toString()))
      expect(body).toMatchObject({ id: command?.id, dev: 'V-b2u1', args: { opening: 40 } })
      expect(properties).toMatchObject({
        responseTopic: toUpTopic('demo', 'C-b2', 'reply'),
        correlationData: Buffer.from(body.id),
        contentType: 'application/json',
      })
      const livesS = (body.exp - body.iat) / 1_000
      expect(properties?.messageExpiryInterval).toBeLessThanOrEqual(livesS)
      expect(properties?.messageExpiryInterval).toBeGreaterThan(livesS - 30)

      // The device learns the answer topic and the id from the MQTT properties or from the body; the answer is the same.
      const { responseTopic = '', correlationData } = properties ?? {}
      const reply = { v: 1, id: correlationData?.toString(), dev: 'V-b2u1', stage: 'accepted', code: 0 }
      await node.publishAsync(responseTopic, JSON.stringify({ ...reply, ts: Date.now(), boot: 1, seq: 0 }), {
        qos: 1,
      })
      const stateOf = async () => {
        const log = await server.call(endpoints.getCtlLogCmdLast, { deviceIds: [deviceId] }, token)
        return logged.parse(log.data).datalist[0]?.state
      }
      await expect.poll(stateOf).toBe('accepted')
    } finally {
      await node.endAsync(true)
      await server.stop()
      await broker.close()
    }
  }, 60_000)
})
