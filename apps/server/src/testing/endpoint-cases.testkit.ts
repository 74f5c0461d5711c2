import { permissions } from '@isotherm/contract/access/permissions'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { z } from 'zod'
import {
  placeAlarms,
  placeFindings,
  placeOnMap,
  placeQuarantine,
  placeReadings,
} from './placed-things.testkit.ts'
import type { Answer, TestServer, Tokens } from './server.testkit.ts'

/** Accounts of the generated tests. The password of each is its name. */
export type TestAccount =
  /** Provider staff with all permissions, sees everything. */
  | 'whole'
  /** Company staff with the whole tree but no module. */
  | 'nobody'
  /** Company staff with every module and only the second station. */
  | 'stranger'

/** What a case uses to create a valid input of an endpoint. */
export interface World {
  readonly server: TestServer
  /** Calls an endpoint as an account. Signs in again if the session has ended. */
  callAs(who: TestAccount, name: EndpointName, input: unknown): Promise<Answer>
  tokensOf(who: TestAccount): Promise<Tokens>
  /** Tokens of an open session of an account. Signs in again if the session has ended. */
  openTokensOf(who: TestAccount): Promise<Tokens>
  /** Calls an endpoint as `whole` and returns its data. Throws if the call fails. */
  callOk(name: EndpointName, input: unknown): Promise<unknown>
  /** An unused name, such as 甲1 for 甲. */
  unique(start: string): string
}

/** Creates a valid input of an endpoint. Entities that the call changes or removes are created anew each time. */
export type MakeInput = (world: World) => Promise<unknown>

/** The fields of an input schema. Empty for a schema that is no object. */
export const toShape = (input: z.ZodType): Readonly<Record<string, z.ZodType>> =>
  input instanceof z.ZodObject ? input.shape : {}

/** The input without the optional ones of `fields`. A required list that may be empty becomes empty. */
export function leaveOut(schema: z.ZodType, input: unknown, fields: readonly string[]): unknown {
  let left = z.record(z.string(), z.unknown()).parse(input)
  for (const field of fields.filter((name) => Object.hasOwn(left, name))) {
    const { [field]: _, ...without } = left
    left = [without, { ...left, [field]: [] }].find((tried) => schema.safeParse(tried).success) ?? left
  }
  return left
}

/** Valid inputs of endpoints. Inputs with a place use the first station of the small registry. */
export type CasesOf<Name extends EndpointName> = { readonly [Each in Name]: MakeInput }

/** Fills lists that no case fills with entries of the first station. */
async function placeThings(server: TestServer): Promise<void> {
  await placeReadings(server, [
    { serial: 'V-b2u1', metric: 'valve.opening', count: 1, value: 40 },
    { serial: 'R-b2u1', metric: 'temp.room', count: 1, value: 20 },
  ])
  await placeFindings(server, ['V-b2u1'])
  await placeQuarantine(server, ['C-b2'])
  await placeAlarms(server, ['V-b2u1'])
  await placeOnMap(server, ['s1', 'a1', 'b2'])
}

/** Creates the accounts on a test server with the small registry, and entries for its lists. */
export async function createWorld(server: TestServer): Promise<World> {
  await server.createAccount('whole', permissions, [], 'provider')
  await server.createAccount('nobody', [], ['p'])
  await server.createAccount('stranger', permissions, ['s2'])
  await server.createAccount('visitor', permissions, ['p'])
  await placeThings(server)
  const signedIn = new Map<TestAccount, Promise<Tokens>>()
  let count = 0

  function tokensOf(who: TestAccount): Promise<Tokens> {
    const tokens = signedIn.get(who) ?? server.logIn(who)
    signedIn.set(who, tokens)
    return tokens
  }

  async function openTokensOf(who: TestAccount): Promise<Tokens> {
    const tokens = await tokensOf(who)
    const { authenticate } = server.session
    const requested = [
      authenticate('usr-cloud', tokens['usr-cloud']),
      authenticate('ht-api', tokens['ht-api']),
    ]
    const answers = await Promise.allSettled(requested)
    if (answers.some(({ status }) => status === 'rejected')) signedIn.delete(who)
    return tokensOf(who)
  }

  async function callAs(who: TestAccount, name: EndpointName, input: unknown): Promise<Answer> {
    const endpoint = endpoints[name]
    const used = tokensOf(who)
    const answer = await server.call(endpoint, input, (await used)[endpoint.backend])
    if (answer.code !== 'session.expired') return answer
    // Unless another call has signed in meanwhile.
    if (signedIn.get(who) === used) signedIn.delete(who)
    return server.call(endpoint, input, (await tokensOf(who))[endpoint.backend])
  }

  return {
    server,
    callAs,
    tokensOf,
    openTokensOf,
    unique(start) {
      count += 1
      return `${start}${count}`
    },
    async callOk(name, input) {
      const { code, text, data } = await callAs('whole', name, input)
      if (code !== undefined) throw new Error(`${name}: ${code} ${text} ${JSON.stringify(input)}`)
      return data
    },
  }
}
