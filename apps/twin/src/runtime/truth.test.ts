import { request } from 'node:http'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterEach, expect, it } from 'vitest'
import { createField, type Field } from '../field/field.ts'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import { readTruth } from './truth.ts'
import { startTruthServer, type TruthServer } from './truth-server.ts'

const NOW = 1_763_683_200_000

function live(): Field {
  const field = createField(createSmall(), {
    boot: 1,
    nowMs: NOW,
    pace: { minMoveS: 1 },
    warmUp: 'cold',
  })
  field.inject({ kind: 'slipping', target: small.valve, grip: 0 })
  field.inject({ kind: 'bypass', target: small.otherValve, share: 0.5 })
  const [concentrator] = field.concentrators
  if (concentrator === undefined) throw new Error('no station')
  const order = { v: 1, id: 'c', dev: small.valve, do: 'valve.set', args: { opening: 5 }, rev: 1 }
  field.receive(concentrator, { ...order, iat: NOW, exp: NOW + MINUTE_MS }, NOW)
  field.step(NOW + 500, 600)
  return field
}

it('contains values that no device reports: stem positions, bypass flows, faults', () => {
  const field = live()
  const truth = readTruth(field)
  const units = truth.stations.flatMap((station) => station.units)
  const slipping = units.find(({ valve }) => valve === small.valve)
  expect(slipping?.openingPct).toBeCloseTo(5, 9)
  expect(slipping?.stemPct).toBeGreaterThan(20)
  expect(slipping?.roomTempsC).toHaveLength(6)
  expect(units.filter(({ bypassM3h }) => bypassM3h > 1e-6).map(({ valve }) => valve)).toEqual([
    small.otherValve,
  ])
  expect(truth.faults.map(({ kind, target }) => [kind, target])).toEqual([
    ['slipping', small.valve],
    ['bypass', small.otherValve],
  ])
  for (const { units: own, flowM3h } of truth.stations) {
    const sum = own.reduce((total, unit) => total + unit.flowM3h + unit.bypassM3h, 0)
    expect(sum / flowM3h).toBeCloseTo(1, 9)
  }
  expect(truth.imbalance.sigmaReturnK).toBeGreaterThan(0)
})

let server: TruthServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

interface Answer {
  readonly status: number
  readonly body: string
}

const query = (port: number, path: string, method = 'GET', host = `127.0.0.1:${port}`): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    call.on('error', reject)
    call.end()
  })

it('reports a port that is already in use', async () => {
  const field = live()
  server = await startTruthServer(0, () => readTruth(field))
  await expect(startTruthServer(server.port, () => readTruth(field))).rejects.toThrow('EADDRINUSE')
})

it('serves only local GET requests, and refuses foreign host names', async () => {
  const field = live()
  server = await startTruthServer(0, () => readTruth(field))
  const { port } = server
  const answer = await query(port, '/truth')
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body)).toEqual(JSON.parse(JSON.stringify(readTruth(field))))
  expect((await query(port, '/truth', 'POST')).status).toBe(405)
  expect((await query(port, '/')).status).toBe(404)
  expect((await query(port, '/truth', 'GET', 'evil.example')).status).toBe(421)
})
