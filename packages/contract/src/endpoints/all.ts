import type { Endpoint } from '../endpoint.ts'
import { commandsEndpoints } from './commands.ts'
import { consoleEndpoints } from './console.ts'
import { networkEndpoints } from './network.ts'
import { sessionEndpoints } from './session.ts'
import { telemetryEndpoints } from './telemetry.ts'
import { treeEndpoints } from './tree.ts'

/** Every endpoint by name: what the server must handle, OpenAPI describes and the permission tests walk. */
export const endpoints = {
  ...sessionEndpoints,
  ...consoleEndpoints,
  ...networkEndpoints,
  ...treeEndpoints,
  ...telemetryEndpoints,
  ...commandsEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
