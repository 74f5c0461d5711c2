import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Access, backends, type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { errors } from '@isotherm/contract/errors'
import { errorTextsEn } from '@isotherm/contract/locales/errors.en'
import { errorTextsZh } from '@isotherm/contract/locales/errors.zh'
import { z } from 'zod'
import { environment as gatewayEnvironment } from '../apps/gateway/src/runtime/config.ts'
import { environment as launcherEnvironment } from '../apps/launcher/src/options.ts'
import { environment as serverEnvironment } from '../apps/server/src/platform/config.ts'
import { environment as twinEnvironment } from '../apps/twin/src/runtime/config.ts'
import { toLicencesPage } from './licences-page.ts'
import { toTable } from './markdown-table.ts'
import { toMqttGuide } from './mqtt-page/mqtt-page.ts'
import { toSpecificationPage } from './specification-page.ts'

const NOTE = '<!-- Written by `npm run reference` from packages/contract. Do not edit. -->'

const toPage = (...parts: readonly string[]): string => `${[NOTE, ...parts].join('\n\n')}\n`

const toAccessText = (access: Access): string => {
  if (access.kind === 'public') return 'anybody'
  return access.kind === 'session'
    ? 'anybody signed in'
    : access.anyOf.map((value) => `\`${value}\``).join(' or ')
}

/** The first 12 hex digits of the SHA-256 of an endpoint's input and output schemas. */
function toSchemaHash({ input, output }: Endpoint): string {
  const schemas = [z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output, { io: 'output' })]
  return createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 12)
}

function toEndpointsPage(): string {
  const named: readonly [string, Endpoint][] = Object.entries(endpoints)
  const rows = named.map(([name, endpoint]) => [
    name,
    `\`${endpoint.method} ${toUrlPath(endpoint)}\``,
    endpoint.summary,
    toAccessText(endpoint.access),
    endpoint.errors.map((code) => `\`${code}\``).join(', '),
    `\`${toSchemaHash(endpoint)}\``,
  ])
  const bases = Object.entries(backends).map(
    ([name, { base, timeoutMs }]) => `- \`${name}\`: base \`${base}\`, timeout ${timeoutMs / 1000} s`,
  )
  return toPage(
    '# Endpoints',
    bases.join('\n'),
    'The first backend takes its token in the header `token`, the second in `Authorization: Bearer`. On top of the access named here, every answer is limited to the tree nodes the caller is granted.',
    'A running server describes the fields of every call at `/docs` (OpenAPI: `/docs/json`). The last column is a hash of the schemas of input and output: it changes when a field changes.',
    toTable(['endpoint', 'call', 'summary', 'who may call it', 'errors of its own', 'schema'], rows),
  )
}

const MQTT_NOTE =
  '<!-- Written by `npm run reference` from packages/contract and tools/mqtt-page/guide.md. Do not edit. -->'

function toErrorsPage(): string {
  const rows = Object.entries(errors).map(([code, { http, status }]) => {
    const texts: Readonly<Record<string, string>>[] = [errorTextsZh, errorTextsEn]
    return [`\`${code}\``, String(http), String(status), ...texts.map((text) => text[code] ?? '')]
  })
  return toPage(
    '# Errors',
    'Every failed call carries `code` and `params` beside the status and text of its backend’s envelope.',
    toTable(['code', 'HTTP', 'status', 'zh', 'en'], rows),
  )
}

/** Every environment variable with its default, from the schemas of launcher, server, twin and gateway. */
function toEnvironmentPage(): string {
  const variables = new Map<string, readonly [fallback: string, meaning: string]>()
  for (const { shape } of [serverEnvironment, launcherEnvironment, twinEnvironment, gatewayEnvironment]) {
    for (const [name, schema] of Object.entries<z.ZodType>(shape)) {
      const meaning = schema.description
      if (meaning === undefined || variables.has(name) || meaning.startsWith('Set by the launcher')) continue
      const { default: fallback } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      variables.set(name, [toFallback(name, fallback), meaning])
    }
  }
  const rows = [...variables].map(([name, [fallback, meaning]]) => [`\`${name}\``, fallback, meaning])
  return toPage(
    '# Environment variables',
    'All are optional, except those of a gateway that have no default. An empty variable counts as absent.',
    toTable(['variable', 'default', 'meaning'], rows),
  )
}

const EMBEDDED: ReadonlySet<string> = new Set(['DATABASE_URL', 'CLICKHOUSE_URL', 'MQTT_URL'])
function toFallback(name: string, fallback: unknown): string {
  if (EMBEDDED.has(name)) return 'embedded'
  return fallback === undefined || fallback === '' ? 'none' : `\`${String(fallback)}\``
}

const root = join(import.meta.dirname, '..')

/** The pages of docs/reference by file name. */
export const referencePages: Readonly<Record<string, () => string>> = {
  'endpoints.md': toEndpointsPage,
  'environment.md': toEnvironmentPage,
  'mqtt.md': () => `${MQTT_NOTE}\n\n${toMqttGuide()}`,
  'errors.md': toErrorsPage,
  'licences.md': () => toLicencesPage(root),
  'specification.md': () => toSpecificationPage(root),
}
