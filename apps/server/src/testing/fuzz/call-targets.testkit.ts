import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { liveEvent } from '@isotherm/contract/live'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { openConnection } from '../../modules/live/connections/connection.ts'
import { createTimeSlices } from '../../modules/live/subscriptions/time-slices.ts'
import { AppError } from '../../platform/app-error.ts'
import { createTestApp } from '../../platform/http/app.testkit.ts'
import { createTestCaller } from '../../platform/http/call.testkit.ts'
import { parseInput } from '../../platform/http/input/parse-input.ts'
import { createLog } from '../../platform/log.ts'
import { createTestClock } from '../core.testkit.ts'
import type { FuzzTarget } from './fuzz.testkit.ts'
import { toSample } from './sample-input.testkit.ts'

const named: readonly [string, Endpoint][] = Object.entries(endpoints)
const samples = named.map(([, { input }]) =>
  JSON.stringify(toSample(z.toJSONSchema(input, { io: 'input', reused: 'inline', unrepresentable: 'any' }))),
)

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const byName = new Map(named)

function countShared(one: string, other: string): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count += 1
  return count
}

/** The endpoint of this name, or the one whose name begins most alike: a change of the name must not cost the input. */
function findEndpoint(line: string): readonly [string, Endpoint] {
  const exact = byName.get(line)
  if (exact !== undefined) return [line, exact]
  return named.reduce((best, each) => (countShared(each[0], line) > countShared(best[0], line) ? each : best))
}

/** Inputs of calls: the first line names the endpoint, so that stored cases keep it, and the rest is the body. */
export const inputs: FuzzTarget = {
  name: 'inputs of calls',
  seeds: named.map(([name], index) => `${name}\n${samples[index]}`),
  words: ['"nodes":', '"limiter":', '"filter":', '"page":', '"ids":', '[1,1]', '"a","a"', '1.5'],
  run(bytes) {
    const [line = '', ...rest] = bytes.toString('utf8').split('\n')
    const [name, { input }] = findEndpoint(line)
    const value = toJson(rest.join('\n'))
    if (value === undefined) return 'no JSON'
    try {
      parseInput(input, value)
      return `${name} is accepted`
    } catch (error) {
      if (error instanceof AppError && error.code === 'request.malformed')
        return `${name} ${String(error.params.detail)}`
      throw error
    }
  },
}

/** Whole requests: the first line is the address, the rest the body. No answer is an internal error. */
export async function createRequests(): Promise<FuzzTarget & { close(): Promise<void> }> {
  const manyCalls = 1_000_000_000
  const app = await createTestApp({
    rateLimits: {
      requestsPerMinute: manyCalls,
      publicCallsPerMinute: manyCalls,
      publicCallsPerNetwork: manyCalls,
      loggedCallsPerMinute: manyCalls,
    },
  })
  const isQueried = ({ method, file }: Endpoint): boolean => method === 'GET' || file === 'upload'
  return {
    name: 'requests',
    seeds: named.map(([, endpoint], index) =>
      isQueried(endpoint) ? `${toUrlPath(endpoint)}?a=1` : `${toUrlPath(endpoint)}\n${samples[index]}`,
    ),
    words: ['%', '%2f', '%00', '..', '//', '?', '&', '#', '/usrCloud', '/ht-api/api', ';', '\n'],
    async run(bytes) {
      const [line = '', ...rest] = bytes.toString('latin1').split('\n')
      const payload = rest.join('\n')
      // What Node.js refuses before the application sees it.
      const url = `/${line.replaceAll(/[^\x21-\x7e]/g, '').replace(/^\/+/, '')}`
      if (!URL.canParse(url, 'http://a.example')) return 'no address'
      const { statusCode, body } = await app.inject({
        method: payload === '' ? 'GET' : 'POST',
        url,
        headers: { token: 't', authorization: 'Bearer t', 'content-type': 'application/json' },
        ...(payload === '' ? {} : { payload: Buffer.from(payload, 'latin1') }),
      })
      if (statusCode >= 500) throw new Error(`status ${statusCode}: ${body.slice(0, 300)}`)
      const code = /"code":"([\w.-]+)"/.exec(body)?.[1] ?? ''
      return `${statusCode} ${code} ${/"detail":"([^"]*)"/.exec(body)?.[1] ?? ''}`
    },
    close: () => app.close(),
  }
}

const network = {
  resolveNodes: async () => ['/1/'],
  findParts: async () => new Map([['-1', ['/']]]),
  findKeys: async () => [],
  showsCompany: async () => true,
}
const silent = createLog({ logLevel: 'silent' })
/** The name of a subscription that shows that everything before it was answered. */
const LAST = 'the last one'
const lastRequest = JSON.stringify({ type: 'subscribe', sub: LAST, nodes: [], kinds: ['valve'] })

/** Messages of the live push, one in a line, of a client that has signed in. */
export const live: FuzzTarget = {
  name: 'messages of the live push',
  seeds: [
    '{"type":"ping"}',
    '{"type":"hello","token":"t"}',
    '{"type":"unsubscribe","sub":"a"}\n{"type":"ping"}',
    '{"type":"subscribe","sub":"a","nodes":["1"],"kinds":["valve","heat-meter"],"since":{"epoch":"e","version":1}}\n{"type":"subscribe","sub":"a","nodes":[],"kinds":["valve"]}',
  ],
  words: [
    '"type":',
    '"sub":',
    '"nodes":',
    '"kinds":',
    '"since":',
    '"epoch":',
    '"version":',
    'subscribe',
    '\n',
  ],
  run: (bytes) =>
    new Promise((resolve, reject) => {
      const clock = createTestClock()
      const outcomes: string[] = []
      const connection = openConnection(
        {
          send(text) {
            const event = liveEvent.parse(JSON.parse(text))
            const code = event.type === 'refused' ? event.code : ''
            if (code === 'server.internal') reject(new Error('the live push failed'))
            if ('sub' in event && event.sub === LAST) {
              connection.close()
              resolve([...new Set(outcomes)].join(' '))
            }
            outcomes.push(`${event.type} ${code}`)
          },
          close: (code) => resolve(`${outcomes.join(' ')} closed ${'x'.repeat(code - 1_000)}`),
          bufferedBytes: () => 0,
        },
        {
          clock,
          network,
          lookups: network,
          waitForSlice: createTimeSlices(),
          waitForPace: async () => undefined,
          mode: 'demo',
          epoch: 'e',
          log: silent,
          session: { authenticate: async () => createTestCaller({ expiresAt: clock.now() + HOUR_MS }) },
          directory: { below: () => [], findById: () => undefined },
          states: { find: () => undefined, versionOf: () => 0, version: () => 1 },
          leftVersion: () => 0,
          timeFactor: () => undefined,
          countOthers: () => 0,
          checkSessions: async () => undefined,
        },
      )
      connection.receive('{"type":"hello","token":"t"}')
      for (const line of bytes.toString('utf8').split('\n').slice(0, 30)) connection.receive(line)
      connection.receive(lastRequest)
    }),
}
