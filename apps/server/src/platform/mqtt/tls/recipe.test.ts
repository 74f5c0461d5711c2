/** The commands of docs/recipes/connect-devices-with-certificates.md, run as they are. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { expect, test } from 'vitest'
import { createTestClock, createTestConfig } from '../../../testing/core.testkit.ts'
import { createLog } from '../../log.ts'
import { createEmbeddedBroker } from '../embedded.mqtt.ts'
import { readRecipe } from '../recipe.testkit.ts'

const hasOpenssl = /^OpenSSL 3/.test(String(spawnSync('openssl', ['version']).stdout))
test.skipIf(!hasOpenssl)(
  'the certificates of the recipe sign in, until the recipe revokes them',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'isotherm-recipe-'))
    try {
      const run = (name: string) =>
        execFileSync('sh', ['-c', readRecipe('connect-devices-with-certificates', name)], {
          cwd: folder,
          stdio: 'pipe',
        })
      run('certificates.sh')
      run('revoke.sh')
      const { mqtt } = createTestConfig({
        ISOTHERM_MQTT_TLS_PORT: '0',
        ISOTHERM_MQTT_TLS_CERTIFICATE: join(folder, 'broker.pem'),
        ISOTHERM_MQTT_TLS_KEY: join(folder, 'broker.key'),
        ISOTHERM_MQTT_CLIENT_CA: join(folder, 'ca.pem'),
        ISOTHERM_MQTT_CLIENT_CRL: join(folder, 'crl.pem'),
        ISOTHERM_MQTT_CLIENT_CERTIFICATES: 'required',
      })
      const broker = createEmbeddedBroker(mqtt, createTestClock(), createLog({ logLevel: 'silent' }))
      const refusals: string[] = []
      await broker.start({
        findAccess: async () => ({ state: 'in-use', version: 0 }),
        redeemToken: async () => 'wrong-token',
        onPasswordUsed: () => undefined,
        store: async () => undefined,
        onDelivered: () => undefined,
        onRefused: ({ detail }) => refusals.push(detail),
        onReplicaMessage: () => undefined,
        onReplicaGap: () => undefined,
      })
      const read = (name: string) => readFileSync(join(folder, name), 'utf8')
      const connect = (serial: string) =>
        connectAsync(`mqtts://127.0.0.1:${broker.tlsPort}`, {
          clientId: `demo/${serial}`,
          username: `demo/${serial}`,
          reconnectPeriod: 0,
          servername: 'heat.example',
          ca: read('ca.pem'),
          cert: read(`demo-${serial}.pem`),
          key: read(`demo-${serial}.key`),
        })
      await (await connect('C-1')).endAsync()
      await expect(connect('C-2')).rejects.toMatchObject({ code: 5 })
      expect(refusals).toEqual(['revoked-certificate'])
      await broker.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
