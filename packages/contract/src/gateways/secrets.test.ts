import { expect, test } from 'vitest'
import { type GatewayConfig, gatewayConfig } from '../gateway-config.ts'
import { HIDDEN_SECRET, hideSecrets, restoreSecrets } from './secrets.ts'

const secrets = [
  'brokerPassword',
  'dtuPassword',
  'push-token-0000001',
  'appSecret1',
  'masterKey1',
  'c2VjcmV0MTIz',
  'aes-key-00000001',
  'secretKey1',
]
const northbound = { driver: 'northbound-http', pushToken: secrets[2], devices: [] }
const config: GatewayConfig = gatewayConfig.parse({
  v: 1,
  dtu: { port: 9000 },
  push: { port: 9001 },
  lines: [
    { driver: 'dtu-tcp', id: 'L1', registration: 'unit', devices: [] },
    {
      driver: 'dtu-mqtt',
      id: 'L2',
      url: 'mqtt://a',
      username: 'u',
      password: secrets[1],
      upTopic: 'up',
      downTopic: 'down',
      devices: [],
    },
    {
      driver: 'chirpstack-mqtt',
      id: 'A1',
      url: 'mqtt://b',
      password: secrets[0],
      applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97',
      devices: [],
    },
    {
      ...northbound,
      id: 'N1',
      platform: {
        kind: 'ctwing',
        url: 'https://c',
        appKey: 'app',
        appSecret: secrets[3],
        productId: '1',
        masterKey: secrets[4],
      },
    },
    {
      ...northbound,
      id: 'N2',
      platform: {
        kind: 'onenet',
        url: 'https://d',
        version: '2020-05-29',
        res: 'userid/1',
        accessKey: secrets[5],
        aesKey: secrets[6],
      },
    },
    {
      ...northbound,
      id: 'N3',
      platform: { kind: 'iotda', url: 'https://e', projectId: 'p', accessKey: 'AK1', secretKey: secrets[7] },
    },
  ],
})

test('people see no secret, and what they see is a configuration that leaves all of them as they are', () => {
  const shown = gatewayConfig.parse(hideSecrets(config))
  const text = JSON.stringify(shown)
  for (const secret of secrets) expect(text).not.toContain(secret)
  const { config: restored, missing } = restoreSecrets(shown, config)
  expect(missing).toEqual([])
  expect(restored).toEqual(config)
})

test('a new secret is taken; a hidden one of a new line, of another address, or that was never set, is named', () => {
  const shown = gatewayConfig.parse(hideSecrets(config))
  const change = (id: string, given: object) =>
    gatewayConfig.parse({
      ...shown,
      lines: shown.lines.map((line) => (line.id === id ? { ...line, ...given } : line)),
    })
  expect(restoreSecrets(change('A1', { password: 'new' }), config).config).toMatchObject({
    lines: [{}, {}, { password: 'new' }, {}, {}, {}],
  })
  expect(restoreSecrets(change('A1', { id: 'A2' }), config).missing).toEqual(['A2'])
  expect(restoreSecrets(change('A1', { url: 'mqtt://other' }), config).missing).toEqual(['A1'])
  expect(restoreSecrets(shown, null).missing).toEqual(['L2', 'A1', 'N1', 'N2', 'N3'])
  const bare = gatewayConfig.parse({
    ...config,
    lines: config.lines
      .slice(0, 2)
      .map((line) => ({ ...line, password: undefined }))
      .slice(1),
  })
  expect(restoreSecrets({ ...shown, lines: shown.lines.slice(1, 2) }, bare).missing).toEqual(['L2'])
})

test('the mark of a hidden secret has the form of every secret', () => {
  expect(HIDDEN_SECRET).toHaveLength(16)
  expect(gatewayConfig.safeParse(hideSecrets(config)).success).toBe(true)
})
