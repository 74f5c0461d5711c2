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

/** Accounts of the generated tests; the password of each is its name. */
export type Somebody =
  /** Staff of the provider: sees everything and may do everything. */
  | 'whole'
  /** Staff of the company, granted all of its tree without any module. */
  | 'nobody'
  /** Staff of the company with every module, granted the second station only. */
  | 'stranger'

/** Where a case makes the good input of an endpoint, and what it needs for it. */
export interface World {
  readonly server: TestServer
  /** Calls an endpoint as somebody, who is signed in anew when something ended the session. */
  callAs(who: Somebody, name: EndpointName, input: unknown): Promise<Answer>
  tokensOf(who: Somebody): Promise<Tokens>
  /** Tokens of a session that is open: somebody is signed in anew when something ended it. */
  openTokensOf(who: Somebody): Promise<Tokens>
  /** Calls an endpoint as `whole` and gives its data; throws when it fails. */
  give(name: EndpointName, input: unknown): Promise<unknown>
  /** A name nothing else has yet, such as 甲1 for 甲. */
  unique(start: string): string
}

/** Makes a good input of an endpoint; what it alters or removes is made anew at each call. */
export type MakeInput = (world: World) => Promise<unknown>

/** The fields of an input; of one that has none, or one of several forms, none. */
export const toShape = (input: z.ZodType): Readonly<Record<string, z.ZodType>> =>
  input instanceof z.ZodObject ? input.shape : {}

/** An input without those of `fields` that may be missing; of a list that may not, but may be empty, nothing. */
export function leaveOut(schema: z.ZodType, input: unknown, fields: readonly string[]): unknown {
  let left = z.record(z.string(), z.unknown()).parse(input)
  for (const field of fields.filter((name) => Object.hasOwn(left, name))) {
    const { [field]: _, ...without } = left
    left = [without, { ...left, [field]: [] }].find((tried) => schema.safeParse(tried).success) ?? left
  }
  return left
}

/** Good inputs of endpoints, about the first station of the small registry where they are about a place. */
export type CasesOf<Name extends EndpointName> = { readonly [Each in Name]: MakeInput }

/** What the lists that no case fills would show of the first station. */
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

/** Makes the accounts on a test server of the small registry, and what lists show of its first station. */
export async function createWorld(server: TestServer): Promise<World> {
  await server.createAccount('whole', permissions, [], 'provider')
  await server.createAccount('nobody', [], ['p'])
  await server.createAccount('stranger', permissions, ['s2'])
  await server.createAccount('visitor', permissions, ['p'])
  await placeThings(server)
  const signedIn = new Map<Somebody, Promise<Tokens>>()
  let count = 0

  function tokensOf(who: Somebody): Promise<Tokens> {
    const tokens = signedIn.get(who) ?? server.logIn(who)
    signedIn.set(who, tokens)
    return tokens
  }

  async function openTokensOf(who: Somebody): Promise<Tokens> {
    const tokens = await tokensOf(who)
    const { authenticate } = server.session
    const asked = [authenticate('usr-cloud', tokens['usr-cloud']), authenticate('ht-api', tokens['ht-api'])]
    const answers = await Promise.allSettled(asked)
    if (answers.some(({ status }) => status === 'rejected')) signedIn.delete(who)
    return tokensOf(who)
  }

  async function callAs(who: Somebody, name: EndpointName, input: unknown): Promise<Answer> {
    const endpoint = endpoints[name]
    const used = tokensOf(who)
    const answer = await server.call(endpoint, input, (await used)[endpoint.backend])
    if (answer.code !== 'session.expired') return answer
    // Unless another call did so meanwhile.
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
    async give(name, input) {
      const { code, text, data } = await callAs('whole', name, input)
      if (code !== undefined) throw new Error(`${name}: ${code} ${text} ${JSON.stringify(input)}`)
      return data
    },
  }
}
