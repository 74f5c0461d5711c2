import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { TestServer } from './server.testkit.ts'

/** Where a case makes the good input of an endpoint, and what it needs for it. */
export interface World {
  readonly server: TestServer
  /** Calls an endpoint as `whole`, who sees everything and may do everything, and gives its data. */
  give(name: EndpointName, input: unknown): Promise<unknown>
  /** A name nothing else has yet, such as 甲1 for 甲; letters, digits and Chinese signs only. */
  unique(start: string): string
}

/** Makes a good input of an endpoint; what it alters or removes is made anew at each call. */
export type MakeInput = (world: World) => Promise<unknown>

/** Good inputs of endpoints, about the first station of the small registry where they are about a place. */
export type CasesOf<Name extends EndpointName> = { readonly [Each in Name]: MakeInput }

/** The world of a test server that has the account `whole`. */
export function createWorld(server: TestServer): World {
  let count = 0
  return {
    server,
    unique: (start) => `${start}${(count += 1)}`,
    async give(name, input) {
      const tokens = await server.logIn('whole')
      const endpoint = endpoints[name]
      const { code, text, data } = await server.call(endpoint, input, tokens[endpoint.backend])
      if (code !== undefined) throw new Error(`${name}: ${code} ${text}`)
      return data
    },
  }
}
