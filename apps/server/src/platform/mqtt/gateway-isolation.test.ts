import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { expect } from 'vitest'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createEmbeddedBroker } from './embedded.mqtt.ts'
import { describeIsolation, logins, secret, type TestedBroker } from './gateway-isolation.testkit.ts'
import { hashProgram, hasMosquitto, startMosquitto } from './mosquitto.testkit.ts'
import { readRecipe, readSettings } from './recipe.testkit.ts'

const RECIPE = 'connect-gateways-through-mosquitto'

async function startEmbedded(): Promise<TestedBroker> {
  const config = { host: '127.0.0.1', port: 0, isPlain: true, maxConnections: 100, maxPending: 100, secret }
  const broker = createEmbeddedBroker(config, systemClock, createLog({ logLevel: 'silent' }))
  await broker.start({
    findAccess: async () => ({ state: 'in-use', version: 0 }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: () => undefined,
    store: async () => undefined,
    onDelivered: () => undefined,
    onRefused: () => undefined,
    onReplicaMessage: () => undefined,
    onReplicaGap: () => undefined,
  })
  return {
    url: `mqtt://127.0.0.1:${broker.port}`,
    send: (topic, text) => broker.publish(topic, text, 1),
    close: () => broker.close(),
  }
}

/** Mosquitto, configured by the recipe. */
async function startByRecipe(): Promise<TestedBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-recipe-'))
  const [passwords, acl] = [join(folder, 'passwords'), join(folder, 'acl')]
  const lines = logins.map(({ username, password }) => `${username}:${password}`)
  writeFileSync(passwords, [...lines, 'isotherm:server-password', ''].join('\n'), { mode: 0o600 })
  expect(spawnSync(hashProgram, ['-U', passwords]).status).toBe(0)
  writeFileSync(acl, readRecipe(RECIPE, 'acl'), { mode: 0o600 })
  const toPath = (file: string) => join(folder, file)
  const broker = await startMosquitto(
    readSettings(RECIPE, 'isotherm.conf', { own: /^(listener|max_queued)/, toPath }),
  )
  const server = await connectAsync(broker.url, {
    clientId: 'isotherm',
    username: 'isotherm',
    password: 'server-password',
  })
  return {
    url: broker.url,
    async send(topic, text) {
      await server.publishAsync(topic, text, { qos: 1 })
    },
    async close() {
      await server.endAsync(true)
      await broker.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describeIsolation({
  name: 'embedded',
  start: startEmbedded,
  isThere: true,
  runs: 25,
  takesOldClientIds: true,
})
describeIsolation({
  name: 'Mosquitto',
  start: startByRecipe,
  isThere: hasMosquitto,
  runs: 10,
  takesOldClientIds: true,
})
